import asyncio
import logging
import sys
import time
from collections.abc import AsyncGenerator
from functools import partial
from typing import Any

import httpx
import pytest
from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types
from tests.runtime.limited import (
    Namespace,
    from_user,
    identity,
    proxied,
    redis_keys,
)
from tests.runtime.messages import PINS, answer_to, asks_twice, reply, send
from tests.runtime.serving import CELLS, Cell, Script, Setup, served

from runtime.recipes.limits.key import CountedBy
from runtime.recipes.limits.rate_limit import RateLimit
from runtime.recipes.limits.rate_window import RateWindow, Strategy, parse_limits
from runtime.recipes.limits.store import LimitStore
from runtime.recipes.limits.window_memory import WindowMemory
from testing.harness import WIRES, Caller, Json, Reply, running
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
each_strategy = pytest.mark.parametrize(
    "strategy", ["fixed_window", "sliding_window", "moving_window"]
)
STORES = ["memory", pytest.param("redis", marks=pytest.mark.redis)]


class Counting:
    """A script that counts its runs."""

    def __init__(self) -> None:
        self.runs = 0

    async def __call__(self, _: InvocationContext) -> AsyncGenerator[Event, None]:
        self.runs += 1
        yield adk_event("an answer")


async def answers(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("an answer")


async def pauses(_: InvocationContext) -> AsyncGenerator[Event, None]:
    call = types.FunctionCall(id="call", name="approve", args={})
    content = types.Content(role="model", parts=[types.Part(function_call=call)])
    yield Event(author="scripted", content=content, long_running_tool_ids={"call"})


async def crashes(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("so far")
    raise ConnectionError


class Clock:
    """The time that limits are counted by; it never stands still."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.time()
        monkeypatch.setattr(time, "time", self._tick)

    def _tick(self) -> float:
        self.now += 1e-6
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def setup(script: Script, limit: RateLimit, pin: str = "new") -> Setup:
    return Setup(script=script, hooks={"who": identity(), "quota": limit}, pin=pin)


def refusals(replies: list[Reply]) -> list[dict[str, Json]]:
    return [reply.error_data for reply in replies if reply.error is not None]


@each_cell
async def test_of_many_at_once_as_many_run_as_may(
    cell: Cell, caplog: pytest.LogCaptureFixture
) -> None:
    script, limit = Counting(), RateLimit(limit="5/minute")
    async with served(setup(script, limit, cell.pin)) as it:
        at_once = await asyncio.gather(*(it.send(from_user("u1")) for _ in range(20)))
        late = await it.send(from_user("u1"), cell.wire, extension=cell.extension)
        other = await it.send(from_user("u2"), cell.wire, extension=cell.extension)
        cards = [await it.http.get(AGENT_CARD_WELL_KNOWN_PATH) for _ in range(10)]
        listed = await it.call("ListTasks", {}, headers=from_user("u1").headers)

    assert script.runs == 5 + 1
    assert late.error is not None
    assert late.error["code"] == -32600
    told = refusals([*at_once, late])
    assert len(told) == 15 + 1
    assert {str(data["reason"]) for data in told} == {"rate_limited"}
    assert {str(data["policy"]) for data in told} == {"quota"}
    assert all(1 <= int(str(data["retry_after_s"])) <= 60 for data in told)
    assert other.state == "completed"
    assert {card.status_code for card in cards} == {200}
    assert listed.error is None
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]


@pytest.mark.parametrize("pin", PINS)
async def test_whoever_is_refused_reads_the_same_on_each_wire(
    pin: str, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    script, limit = Counting(), RateLimit(limit="5/minute")
    async with served(setup(script, limit, pin)) as it:
        at_once = await asyncio.gather(*(it.send(from_user("u1")) for _ in range(20)))
        clock.now += 7
        late = [await it.send(from_user("u1"), wire) for wire in WIRES]

    assert script.runs == 5
    refused = [each for each in at_once if each.error is not None]
    assert len(refused) == 15
    for each in (*refused, *late):
        assert each.error is not None
        assert each.error["code"] == -32600
        assert each.error["message"] == "at most 5 per 1 minute"
        # A text, for A2A 1.0 has no other kind of value there.
        assert isinstance(each.error_data["retry_after_s"], str)
    ids = {each.error_data.pop("correlation_id") for each in late}
    assert len(ids) == len(WIRES)
    expected = {"reason": "rate_limited", "policy": "quota", "retry_after_s": "53"}
    assert [each.error_data for each in late] == [expected] * len(WIRES)
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR or r.exc_info]


@pytest.mark.parametrize("pin", PINS)
async def test_a_reply_too_many_leaves_the_task_paused(pin: str, clock: Clock) -> None:
    limit = RateLimit(limit="1/minute")
    hooks: dict[str, object] = {"quota": limit}
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as it:
        paused = await send(it, context_id="c")
        early = await reply(it, paused, answer_to("call-1"))
        waits = await it.call("GetTask", {"id": paused.task_id})
        clock.now += int(str(early.error_data["retry_after_s"]))
        second = await reply(it, paused, answer_to("call-1"))
        clock.now += 61
        third = await reply(it, paused, answer_to("call-2"))

    assert paused.state == waits.state == "input-required"
    assert early.error_data["reason"] == "rate_limited"
    assert second.state == "input-required"
    assert "call-2" in str(second.answers)
    assert third.state == "completed"


@pytest.mark.parametrize("pin", PINS)
async def test_replies_to_a_paused_task_may_be_free(pin: str) -> None:
    limit = RateLimit(limit="1/minute", count_replies=False)
    hooks: dict[str, object] = {"quota": limit}
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as it:
        paused = await send(it, context_id="c")
        await reply(it, paused, answer_to("call-1"))
        done = await reply(it, paused, answer_to("call-2"))
        new = await send(it)
        late = await reply(it, paused, answer_to("call-2"))

    assert done.state == "completed"
    assert new.error_data["reason"] == "rate_limited"
    # What ends is paused no more: a message to it counts.
    assert late.error_data["reason"] == "rate_limited"


@each_strategy
@pytest.mark.parametrize("store", STORES)
async def test_each_strategy_lets_in_as_many_as_may(
    strategy: Strategy, store: str
) -> None:
    if store == "memory":
        await assert_five_of_twenty(RateLimit(limit="5/minute", strategy=strategy))
        return
    async with redis_keys() as namespace:
        await assert_five_of_twenty(in_redis("5/minute", namespace, strategy=strategy))


async def assert_five_of_twenty(limit: RateLimit) -> None:
    script = Counting()
    async with served(setup(script, limit)) as it:
        replies = await asyncio.gather(*(it.send(from_user("u1")) for _ in range(20)))
        await limit.close()
    assert script.runs == 5
    waits = {int(str(data["retry_after_s"])) for data in refusals(replies)}
    assert waits <= {59, 60}


@each_strategy
@pytest.mark.parametrize("before", [0, 20, 59.5])
async def test_after_the_wait_there_is_room_and_not_much_before(
    strategy: Strategy, before: float, clock: Clock
) -> None:
    script, limit = Counting(), RateLimit(limit="5/minute", strategy=strategy)
    async with served(setup(script, limit)) as it:
        await it.send(from_user("u1"))
        clock.now += before
        for _ in range(4):
            assert (await it.send(from_user("u1"))).error is None
        wait = int(str((await it.send(from_user("u1"))).error_data["retry_after_s"]))
        clock.now += wait - 1.01
        early = await it.send(from_user("u1"))
        clock.now += 1.02
        in_time = await it.send(from_user("u1"))
    assert early.error_data["reason"] == "rate_limited" or wait == 1
    assert in_time.state == "completed"


async def test_the_window_before_has_its_share(clock: Clock) -> None:
    limit = RateLimit(limit="10/minute")
    async with served(setup(Counting(), limit)) as it:
        for _ in range(10):
            await it.send(from_user("u1"))
        clock.now += 90
        replies = [await it.send(from_user("u1")) for _ in range(7)]
    # Of the ten fewer than five count by now, and one fewer in a tenth of a minute.
    assert [reply.error is None for reply in replies] == [True] * 6 + [False]
    assert replies[-1].error_data["retry_after_s"] == "6"


async def test_what_a_short_limit_refuses_does_not_count_in_a_long_one(
    clock: Clock,
) -> None:
    limit = RateLimit(limit="4/hour; 2/second")
    async with served(setup(Counting(), limit)) as it:
        first = [await it.send(from_user("u1")) for _ in range(10)]
        clock.now += 5
        second = [await it.send(from_user("u1")) for _ in range(2)]
        clock.now += 5
        third = await it.send(from_user("u1"))
    assert len(refusals(first)) == 8
    assert len(refusals(second)) == 0
    assert third.error is not None
    assert third.error["message"] == "at most 4 per 1 hour"


@pytest.mark.parametrize("script", [answers, crashes, pauses])
@pytest.mark.parametrize("pin", PINS)
async def test_a_warning_lets_it_in_and_says_so(
    script: Script, pin: str, caplog: pytest.LogCaptureFixture
) -> None:
    limit = RateLimit(limit="1/minute", action="warn")
    async with served(setup(script, limit, pin)) as it:
        within = await it.send(from_user("u1"))
        over = await it.send(from_user("u1"))
    assert within.state == over.state
    assert within.metadata("rate_limit") == []
    assert over.metadata("rate_limit") == ["exceeded"]
    assert "is over 1 per 1 minute and let in" in caplog.text
    assert "u1" not in caplog.text.replace("user/", "")


@pytest.mark.redis
@pytest.mark.parametrize(
    ("by", "header", "kind"),
    [
        ("user", None, "user"),
        ("tenant", "X-Tenant", "tenant"),
        ("key", "X-Api-Key", "key"),
        ("key", "X-Other", "address"),
        ("address", None, "address"),
    ],
)
async def test_no_key_holds_what_the_caller_sent(
    by: CountedBy, header: str | None, kind: str
) -> None:
    secrets = {"X-Tenant": "acme-secret", "X-Api-Key": "token-secret"}
    async with redis_keys() as namespace:
        limit = in_redis("9/minute", namespace, by=by, header=header)
        async with served(setup(Counting(), limit)) as it:
            await it.send(from_user("name-secret", **secrets))
            await limit.close()
        keys = str(await namespace.keys())
    assert f"/{kind}/" in keys
    assert "secret" not in keys
    assert "127.0.0.1" not in keys


def in_redis(
    limit: str,
    namespace: Namespace,
    *,
    strategy: Strategy = "sliding_window",
    by: CountedBy = "user",
    header: str | None = None,
) -> RateLimit:
    return RateLimit(
        limit=limit,
        strategy=strategy,
        by=by,
        header=header,
        store=namespace.url,
        namespace=namespace.name,
        store_timeout_s=5,
    )


@pytest.mark.redis
async def test_two_services_share_a_limit_in_redis() -> None:
    script = Counting()
    async with redis_keys() as namespace:
        limits = [in_redis("5/minute", namespace) for _ in range(2)]
        first, second = (setup(script, limit).application() for limit in limits)
        async with running(first) as one, running(second) as two:
            replies = await asyncio.gather(
                *(it.send(from_user("u1")) for it in (one, two) for _ in range(80))
            )
            for limit in limits:
                await limit.close()
    assert script.runs == 5
    assert {str(data["reason"]) for data in refusals(replies)} == {"rate_limited"}


@pytest.mark.redis
@pytest.mark.parametrize("problem", ["slow", "down"])
@pytest.mark.parametrize("door", ["closed", "open"])
async def test_a_store_that_fails_and_comes_back(
    problem: str, door: str, caplog: pytest.LogCaptureFixture
) -> None:
    script = Counting()
    async with redis_keys() as namespace, proxied() as proxy:
        limit = RateLimit(
            limit="2/minute",
            store=proxy.url,
            namespace=namespace.name,
            on_store_error="open" if door == "open" else "closed",
            store_timeout_s=0.3,
        )
        async with served(setup(script, limit)) as it:
            up = await it.send(from_user("u1"))
            await proxy.be("slow" if problem == "slow" else "down")
            began = time.monotonic()
            asked = asyncio.create_task(it.send(from_user("u1")))
            await asyncio.sleep(0.01)
            meanwhile = await slowest_of_others(it)
            failed = await asked
            took = time.monotonic() - began
            await proxy.be("up")
            back = [await it.send(from_user("u1")) for _ in range(3)]
            await limit.close()
    assert up.state == "completed"
    assert up.metadata("rate_limit") == []
    assert meanwhile < 0.2
    assert took < 1
    if door == "open":
        assert failed.state == "completed"
        assert failed.metadata("rate_limit") == ["unchecked"]
    else:
        assert failed.error_data["reason"] == "rate_limit_unavailable"
        assert failed.error_data["retry_after_s"] == "1"
    assert script.runs == 2 + (door == "open") - (problem == "slow" and counted(back))
    assert back[-1].error_data["reason"] == "rate_limited"
    assert "the store of rate_limit is down" in caplog.text
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]


def counted(back: list[Reply]) -> bool:
    """Tell whether the store has counted the hit whose answer came too late."""
    return back[0].error is not None


async def slowest_of_others(it: Caller) -> float:
    times: list[float] = []
    for _ in range(5):
        began = time.monotonic()
        answer: httpx.Response = await it.http.get("/healthz")
        times.append(time.monotonic() - began)
        assert answer.status_code == 200
    return max(times)


@pytest.mark.redis
async def test_more_callers_at_once_than_connections() -> None:
    async with redis_keys() as namespace:
        (limit,) = parse_limits("5/minute", namespace.name)
        store = LimitStore(namespace.url, timeout_s=5, remembered=1)
        window = RateWindow("sliding_window", (limit,), store.storage)
        asked = [store.ask(partial(window.hit, limit, str(at))) for at in range(300)]
        assert await asyncio.gather(*asked) == [True] * 300
        await store.close()


@each_strategy
async def test_100_000_callers_take_bounded_memory_and_time(strategy: Strategy) -> None:
    (limit,) = parse_limits("60/minute", "test")
    memory = WindowMemory(100_000)
    window = RateWindow(strategy, (limit,), memory)
    began, regular = time.process_time(), 0
    for number in range(130_000):
        assert await window.hit(limit, f"user/{number}")
        if number % 100 == 0:
            regular += await window.hit(limit, "user/regular")
    assert len(memory) == 100_000
    # Who goes on calling isn't forgotten for those who come and go.
    assert regular == 60
    # A look at all of them at each hit would take an hour.
    assert time.process_time() - began < 60


@each_strategy
async def test_callers_who_count_no_more_are_forgotten(
    strategy: Strategy, clock: Clock
) -> None:
    (limit,) = parse_limits("60/minute", "test")
    memory = WindowMemory(100_000)
    window = RateWindow(strategy, (limit,), memory)
    for number in range(1000):
        await window.hit(limit, f"user/{number}")
    clock.now += 121
    await window.hit(limit, "user/new")
    assert len(memory) == 1


@pytest.mark.parametrize(
    "limit", ["1/hour", "1/hour; 9/day", "1/second; 1/hour; 9/day"]
)
async def test_so_many_callers_are_remembered_and_no_more(limit: str) -> None:
    """However many limits each of them has."""
    recipe = RateLimit(limit=limit, remembered=2)
    async with served(setup(Counting(), recipe)) as it:
        replies = [await it.send(from_user(name)) for name in "abbcca"]
    refused = [reply.error is not None for reply in replies]
    assert refused == [False, False, True, False, True, False]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"limit": "many"}, "couldn't parse"),
        ({"limit": ""}, "couldn't parse"),
        ({"limit": "5/fortnight"}, "no granularity"),
        ({"limit": "0/minute"}, "allows 1 or more"),
        ({"limit": "1001/day", "strategy": "moving_window"}, "use sliding_window"),
        ({"by": "tenant"}, "header goes with"),
        ({"by": "user", "header": "X-Tenant"}, "header goes with"),
        ({"store_timeout_s": 0}, "above zero"),
        ({"remembered": 0}, "above zero"),
        ({"store": "mysql://u:secret@db/1"}, "URL begins with"),
        ({"store": "redis://u:secret@db:port/1"}, "can't be read"),
        ({"store": "memcached://secret"}, "host:port"),
        (
            {"store": "memcached://cache:11211", "strategy": "moving_window"},
            "use sliding_window",
        ),
    ],
)
def test_values_that_cannot_be_used(values: dict[str, Any], says: str) -> None:
    given: dict[str, Any] = {"limit": "60/minute", **values}
    with pytest.raises(ValueError, match=says) as raised:
        RateLimit(**given)
    assert "secret" not in str(raised.value)


def test_a_password_is_not_shown() -> None:
    assert "secret" not in repr(RateLimit(limit="1/day", store="redis://u:secret@db"))


def test_memcached_without_its_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "memcachio", None)
    with pytest.raises(ValueError, match="the package memcachio"):
        RateLimit(limit="60/minute", store="memcached://127.0.0.1:11211")
