"""Where limits are counted, and that a store that is down holds nobody up."""

import asyncio

import pytest
from limits.aio.storage.redis import RedisStorage
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as NoConnection

from runtime.recipes.limits.store import LimitStore, StoreDown
from runtime.recipes.limits.window_memory import WindowMemory

pytestmark = pytest.mark.anyio


KINDS = "a store's URL begins with redis, memcached or memory"


def store(url: str | None = None, timeout_s: float = 0.05) -> LimitStore:
    """Name a store."""
    return LimitStore(url, timeout_s=timeout_s, remembered=3)


@pytest.mark.parametrize("url", [None, "memory://", "memory:"])
async def test_without_an_address_it_is_this_process(url: str | None) -> None:
    """Which holds as many callers as allowed."""
    made = store(url)

    assert isinstance(made.storage, WindowMemory)
    assert made.redis is None
    for key in "abcd":
        await made.storage.incr(key, 60)
    assert len(made.storage) == 3
    await made.close()


@pytest.mark.parametrize(
    "url", ["redis://r.example/0", "rediss://r.example", "unix:///r"]
)
async def test_nothing_is_opened_before_it_is_asked(url: str) -> None:
    """There is no such server here."""
    made = store(url)

    assert isinstance(made.storage, RedisStorage)
    assert made.redis is not None
    await made.close()


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://secret@a.example", KINDS),
        ("secret", KINDS),
        ("redis://a:secret/x", "the store's URL can't be read"),
        (
            "memcached://secret",
            "Memcached needs a URL with host:port, and the package memcachio",
        ),
    ],
    ids=range(4),
)
def test_another_address_is_refused_and_not_shown(url: str, said: str) -> None:
    """It may hold a password."""
    with pytest.raises(ValueError, match=f"^{said}$"):
        store(url)


@pytest.mark.parametrize(("timeout_s", "remembered"), [(0, 1), (-1, 1), (1, 0)])
def test_a_limit_of_nothing_is_refused(timeout_s: float, remembered: int) -> None:
    """When the service starts."""
    said = "^store_timeout_s and remembered must be above zero$"
    with pytest.raises(ValueError, match=said):
        LimitStore(None, timeout_s=timeout_s, remembered=remembered)
    LimitStore(None, timeout_s=0.01, remembered=1)


async def test_redis_is_asked_by_the_connections_of_its_client(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever asks it."""
    made, asked = store("redis://r.example"), list[object]()

    async def execute(client: Redis, *_: object, **_more: object) -> bytes:
        asked.append(client.connection_pool)
        return b"7"

    monkeypatch.setattr(Redis, "execute_command", execute)

    assert await made.storage.get("key") == 7
    assert made.redis
    assert asked == [made.redis.connection_pool]


async def test_a_connection_that_was_closed_is_opened_once_more() -> None:
    """At once."""
    tries: list[str] = []

    async def fail() -> None:
        tries.append("fails")
        raise NoConnection

    async def ignore(_: Exception) -> None:
        tries.append("ignored")

    client = store("redis://r.example").redis
    assert client
    retry = client.get_retry()
    assert retry
    with pytest.raises(NoConnection):
        await retry.call_with_retry(fail, ignore)

    assert tries == ["fails", "ignored"] * 2


async def test_an_answer_is_passed_on() -> None:
    """Whatever it is."""

    async def answer() -> str:
        return "seven"

    assert await store().ask(answer) == "seven"


async def test_a_store_that_fails_is_down() -> None:
    """Whatever it raises; a password in it isn't shown."""

    async def fail() -> None:
        message = "redis://user:hunter22@r.example is not there"
        raise ConnectionError(message)

    with pytest.raises(StoreDown, match="ConnectionError") as down:
        await store().ask(fail)
    assert "hunter22" not in str(down.value)
    assert down.value.__cause__ is None
    assert down.value.__context__ is None


async def test_a_store_that_does_not_answer_is_down() -> None:
    """So is one for which too many wait."""
    made, open_s = store(), asyncio.Event()

    async def hang() -> None:
        await open_s.wait()

    with pytest.raises(StoreDown, match="TimeoutError"):
        await made.ask(hang)
    asked = [asyncio.ensure_future(made.ask(hang)) for _ in range(51)]
    found = await asyncio.gather(*asked, return_exceptions=True)
    assert {type(each) for each in found} == {StoreDown}
    open_s.set()
    await made.ask(hang)


async def test_no_more_ask_at_once_than_there_are_connections() -> None:
    """The others wait for their turn."""
    made, open_s, begun = store(timeout_s=60), asyncio.Event(), list[bool]()

    async def hang() -> None:
        begun.append(True)
        await open_s.wait()

    asked = [asyncio.ensure_future(made.ask(hang)) for _ in range(60)]
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(begun) == 50
    open_s.set()
    await asyncio.gather(*asked)

    assert len(begun) == 60
