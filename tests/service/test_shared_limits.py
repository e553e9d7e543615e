"""Two processes of a service share their limits in a real Redis."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Literal
from uuid import uuid4

import pytest
from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH
from tests.runtime.limited import Namespace, proxied, redis_keys
from tests.service.making import Template
from tests.service.processes import Served, two_served

from testing.harness import Content, Reply

pytestmark = [pytest.mark.service, pytest.mark.redis, pytest.mark.anyio]

SPEC = """\
version: 1
service:
  package: orders
  description: Answers questions about orders.
agent: orders.agent:root_agent
interceptors:
  - name: quota
    use: rate_limit
    with: {limit: 5/hour, by: key, header: X-Quota, namespace: NAME.quota, STORE}
  - name: slots
    use: concurrency
    with: {most: 2, by: key, header: X-Slots, namespace: NAME.slots, STORE, LEASE}
  - name: budget
    use: token_budget
    with: {limit: 100/hour, by: key, header: X-Budget, namespace: NAME.budget, STORE}
"""
STORE = "store: {env: LIMITS}"
LEASE_S = 15
SLOW_S = 2
RECIPES = ("rate_limit", "concurrency", "token_budget")
AGENT = Path(__file__).parent / "limited_agent.py"
Door = Literal["closed", "open"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def keys() -> AsyncGenerator[Namespace]:
    async with redis_keys() as namespace:
        yield namespace


class Making:
    """Makes the service, and knows what its processes share beside Redis."""

    def __init__(self, template: Template, folder: Path, keys: Namespace) -> None:
        self._template, self._folder, self._keys = template, folder / "made", keys
        self._runs = folder / "runs.txt"

    def make(self, *, door: Door = "closed", timeout_s: float = 20) -> Path:
        """Make it, with what it does without an answer of Redis."""
        put = {
            "NAME": self._keys.name,
            "STORE": f"{STORE}, on_store_error: {door}, store_timeout_s: {timeout_s}",
            "LEASE": f"lease_s: {LEASE_S}",
        }
        spec = SPEC
        for word, text in put.items():
            spec = spec.replace(word, text)
        made = self._template.make(self._folder, spec, package_name="orders")
        shutil.copy(AGENT, made / "src" / "orders" / "agent.py")
        return made

    def variables(self, url: str) -> dict[str, str]:
        """Give what stands in the environment of its processes."""
        return {"LIMITS": url, "RUNS": str(self._runs)}

    def runs(self, text: str) -> int:
        """How many runs there were of a message."""
        if not self._runs.exists():
            return 0
        return self._runs.read_text(encoding="utf-8").splitlines().count(text)

    def let_go(self) -> None:
        """End what holds."""
        self._runs.with_suffix(".done").touch()


@pytest.fixture
def making(template: Template, tmp_path: Path, keys: Namespace) -> Making:
    return Making(template, tmp_path, keys)


def message(text: str, **counted: str) -> Content:
    """Make a message that counts for these keys, and for none of others else."""
    headers = {
        f"X-{name}": counted.get(name.lower(), uuid4().hex)
        for name in ("Quota", "Slots", "Budget")
    }
    return Content(parts=[{"text": text}], headers=headers)


def reasons(replies: list[Reply]) -> list[str]:
    """Tell why messages were refused, for those that were."""
    return [str(each.error_data["reason"]) for each in replies if each.error]


async def until(happened: Callable[[], Awaitable[bool]], within_s: float = 60) -> None:
    """Ask until it is so."""
    end = monotonic() + within_s
    while not await happened():
        assert monotonic() < end, "it did not happen"
        await asyncio.sleep(0.05)


async def test_two_processes_share_limits_places_and_budgets(
    making: Making, keys: Namespace
) -> None:
    async with two_served(making.make(), making.variables(keys.url)) as both:
        await many_share_a_limit(both, making)
        await they_share_places(both, making)
        await they_share_a_budget(both)
        assert "one" not in str(await keys.keys())


async def many_share_a_limit(both: tuple[Served, Served], making: Making) -> None:
    for each in both:
        # The first run builds the runner; that isn't what is asked here.
        assert (await each.caller.send(message("first"))).state == "completed"
    asked = (
        each.caller.send(message("many", quota="one"))
        for each in both
        for _ in range(20)
    )
    replies = await asyncio.gather(*asked)
    other = await both[0].caller.send(message("other", quota="two"))
    assert making.runs("many") == 5
    assert [reply.state for reply in replies].count("completed") == 5
    assert reasons(replies) == ["rate_limited"] * 35
    refused = [reply.error_data for reply in replies if reply.error]
    assert all(1 <= int(str(data["retry_after_s"])) <= 3600 for data in refused)
    assert other.state == "completed"


async def they_share_places(both: tuple[Served, Served], making: Making) -> None:
    for each in both:
        begun = await each.caller.send(message("hold", slots="s"), wait=False)
        assert begun.error is None
    full = [await each.caller.send(message("x", slots="s")) for each in both]
    making.let_go()
    await until(partial(gets_in, both[1], slots="s"))
    assert reasons(full) == ["too_many_at_once"] * 2
    assert making.runs("hold") == 2


async def they_share_a_budget(both: tuple[Served, Served]) -> None:
    spent = await both[0].caller.send(message("150", budget="b"))
    over = [await each.caller.send(message("x", budget="b")) for each in both]
    assert spent.state == "completed"
    assert reasons(over) == ["token_budget_used_up"] * 2


async def two_hold(making: Making) -> bool:
    return making.runs("hold") == 2


async def gets_in(served: Served, **counted: str) -> bool:
    """Tell whether a message is let in, and counted by all three."""
    reply = await served.caller.send(message("x", **counted))
    marks = [each for name in RECIPES for each in reply.metadata(name)]
    return reply.state == "completed" and not marks


@pytest.mark.parametrize("door", ["closed", "open"])
async def test_a_redis_that_is_gone_or_slow_and_back(
    door: Door, making: Making
) -> None:
    made = making.make(door=door, timeout_s=SLOW_S)
    # Three wait on the way in and the places on the way out, unless the first refuses.
    waits = 4 if door == "open" else 1
    async with (
        proxied() as proxy,
        two_served(made, making.variables(proxy.url)) as both,
    ):
        await until_limited(both)
        await proxy.be("down")
        gone = [await each.caller.send(message("gone")) for each in both]
        await proxy.be("up")
        await until_limited(both)
        await proxy.be("slow")
        slow = [await while_slow(each, waits) for each in both]
        await proxy.be("up")
        await until_limited(both)
        said = [each.said for each in both]
    if door == "open":
        for reply in (*gone, *slow):
            assert reply.state == "completed"
            for recipe in RECIPES:
                assert reply.metadata(recipe) == ["unchecked"]
    else:
        assert reasons([*gone, *slow]) == ["rate_limit_unavailable"] * 4
        assert {str(each.error_data["retry_after_s"]) for each in [*gone, *slow]} == {
            "1"
        }
        assert making.runs("gone") == making.runs("slow") == 0
    for text in said:
        assert "the store of rate_limit is down" in text
        assert "Traceback" not in text


async def until_limited(both: tuple[Served, Served]) -> None:
    """Wait until both count, and see that the limit holds."""
    for each in both:
        await until(partial(gets_in, each))
    key = uuid4().hex
    replies = [
        await each.caller.send(message("counted", quota=key))
        for _ in range(3)
        for each in both
    ]
    assert [reply.error is None for reply in replies] == [True] * 5 + [False]
    assert reasons(replies) == ["rate_limited"]


async def while_slow(served: Served, waits: int) -> Reply:
    """Send a message that waits for Redis, and see that others don't."""
    began = monotonic()
    asked = asyncio.create_task(served.caller.send(message("slow")))
    for _ in range(5):
        card = await served.caller.http.get(AGENT_CARD_WELL_KNOWN_PATH)
        assert card.status_code == 200
    assert not asked.done()
    reply = await asked
    # Its own time is over first: redis-py waits for ten seconds.
    assert SLOW_S <= (monotonic() - began) / waits < 4 * SLOW_S
    return reply


async def test_the_place_of_a_killed_process_is_free_after_its_lease(
    making: Making, keys: Namespace
) -> None:
    async with two_served(making.make(), making.variables(keys.url)) as (one, two):
        began = monotonic()
        for _ in range(2):
            await one.caller.send(message("hold", slots="s"), wait=False)

        await until(partial(two_hold, making))
        one.process.kill()
        one.process.wait()
        full = await two.caller.send(message("x", slots="s"))
        asked = monotonic() - began
        await until(partial(gets_in, two, slots="s"))
        took = monotonic() - began
    assert asked < LEASE_S, "too slow a machine to tell"
    assert reasons([full]) == ["too_many_at_once"]
    assert took >= LEASE_S
