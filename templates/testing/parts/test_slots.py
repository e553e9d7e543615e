"""So many places for each key, in this process or in Redis."""

import pytest

from runtime.recipes.limits.slots import MemorySlots, RedisSlots
from runtime.recipes.limits.store import LimitStore

pytestmark = pytest.mark.anyio


async def test_a_place_is_free_again_when_it_is_given_back() -> None:
    """A key that nobody holds a place of takes no memory."""
    slots = MemorySlots(2)

    assert [await slots.take("ann", str(n)) for n in range(3)] == [True, True, False]
    assert await slots.take("bob", "4")
    await slots.give_back("ann", "1")
    assert [await slots.take("ann", str(n)) for n in range(2)] == [True, False]
    assert len(slots) == 2
    for _ in range(2):
        await slots.give_back("ann", "1")
    assert len(slots) == 1
    await slots.give_back("bob", "4")
    assert len(slots) == 0


async def test_places_are_shared_in_redis_only() -> None:
    """Memcached can't tell who holds one."""
    store = LimitStore(None, timeout_s=1, remembered=1)

    with pytest.raises(ValueError, match=r"^places are shared in Redis only$"):
        RedisSlots(1, store, lease_s=1, namespace="mine")


async def test_redis_takes_and_gives_back_in_one_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a script that knows the limit, the lease and the holder."""
    store = LimitStore("redis://r.example", timeout_s=1, remembered=1)
    asked: list[tuple[object, ...]] = []
    answers = [1, 0]
    assert store.redis is not None

    async def execute(*command: object, **_: object) -> object:
        asked.append(command)
        return answers.pop() if command[0] == "EVALSHA" else 1

    monkeypatch.setattr(store.redis, "execute_command", execute)
    slots = RedisSlots(3, store, lease_s=1.5, namespace="mine")

    assert await slots.take("ann", "one") is False
    assert await slots.take("ann", "two") is True
    await slots.give_back("ann", "two")

    (_, _, *first), (_, _, *second), last = asked
    assert first == [1, "mine/ann", 3, 1500, "one"]
    assert second == [1, "mine/ann", 3, 1500, "two"]
    assert last == ("ZREM", "mine/ann", "two")
    await store.close()
