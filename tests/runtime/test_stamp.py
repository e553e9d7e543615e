import asyncio
from collections.abc import AsyncGenerator, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal, localcontext
from typing import Any

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types
from tests.runtime.messages import asks_twice, begun_task
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.boundary.policy import Policy
from runtime.recipes.outbound.prices import Tokens, cost_of, read_price
from runtime.recipes.outbound.stamp import Stamp
from runtime.recipes.trace import Trace
from runtime.seams.interceptor import BeforeAgent, RequestContext
from runtime.seams.rejection import Rejected
from testing.harness import Json, Reply
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
PRICES = {"small": "0.30/2.50", "*": "1/10"}


def using(model: str, *, partial: bool = False, **state: object) -> Event:
    event = adk_event("of a model")
    event.partial = partial
    event.model_version = model
    event.actions = EventActions(state_delta=dict(state))
    event.usage_metadata = types.GenerateContentResponseUsageMetadata(
        prompt_token_count=100,
        tool_use_prompt_token_count=20,
        candidates_token_count=30,
        thoughts_token_count=4,
        total_token_count=154,
    )
    return event


async def two_models(_: InvocationContext) -> AsyncGenerator[Event, None]:
    for model in ("small", "large"):
        yield using(model, partial=True)
        yield using(model, partial=True)
        yield using(model, seen=model)


def stamp_of(reply: Reply, key: str = "stamp") -> dict[str, Any]:
    (found,) = reply.metadata(key)
    assert isinstance(found, dict)
    return found


@each_cell
async def test_the_last_status_tells_usage_cost_ids_and_time(cell: Cell) -> None:
    stamp = Stamp(prices=PRICES, tags=("b", "a", "b"), session_state=("seen", "unseen"))
    setup = Setup(script=two_models, hooks={"stamp": stamp}, pin=cell.pin)
    before = datetime.now(UTC)
    async with served(setup) as it:
        reply = await it.send("hello", cell.wire, extension=cell.extension)
    told = stamp_of(reply)
    assert reply.state == "completed"
    assert reply.metadata("adk_app_name") == ["scripted"]
    assert told["usage"] == {
        "prompt_tokens": 240,
        "output_tokens": 68,
        "total_tokens": 308,
    }
    # 36 and 85 millionths for the one, 120 and 340 for the other.
    assert (told["cost"], told["currency"]) == ("0.000581", "USD")
    assert told["tags"] == ["a", "b"]
    assert told["session_state"] == {"seen": "large"}
    assert before <= datetime.fromisoformat(told["started_at"]) <= datetime.now(UTC)
    assert told["started_at"].endswith("+00:00")
    assert 0 <= told["duration_ms"] < 60_000
    assert len(told["correlation_id"]) == 32
    assert told["invocation_id"].startswith("e-")
    assert "left_out" not in told


@each_cell
async def test_what_adk_itself_tells_stays_as_it_is(cell: Cell) -> None:
    stamp = Stamp(prices=PRICES, tags=("b", "a"), session_state=("seen",))
    hooks: dict[str, object] = {"stamp": stamp, "trace": Trace()}
    plain = Setup(script=two_models, pin=cell.pin)
    stamped = Setup(script=two_models, pin=cell.pin, hooks=hooks)
    told: list[list[tuple[str, Json]]] = []
    for setup in (plain, stamped):
        async with served(setup) as it:
            reply = await it.send("hello", cell.wire, extension=cell.extension)
            told.append(sorted(of_adk(reply.answers), key=str))
    assert told[0] == told[1] != []


def of_adk(node: Json) -> Iterator[tuple[str, Json]]:
    """Give each key of ADK's with its value, but of ids, which no two runs share."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key.startswith("adk_"):
                yield key, "" if key.endswith(("_id", "_timestamp")) else value
            else:
                yield from of_adk(value)
    elif isinstance(node, list):
        for item in node:
            yield from of_adk(item)


@pytest.mark.parametrize("pin", ["legacy", "new"])
@pytest.mark.parametrize("does", ["raise", "report", "time out"])
async def test_a_failure_is_stamped_too(pin: str, does: str) -> None:
    async def script(_: InvocationContext) -> AsyncGenerator[Event, None]:
        yield using("small")
        if does == "raise":
            raise ConnectionError
        if does == "report":
            yield Event(author="scripted", error_code="500", error_message="no")
        else:
            await asyncio.sleep(3600)

    policy = Policy(deadline_s=0.2)
    setup = Setup(script=script, hooks={"stamp": Stamp()}, pin=pin, policy=policy)
    async with served(setup) as it:
        reply = await it.send("hello")
    assert reply.state == "failed"
    told = stamp_of(reply)
    assert told["usage"]["total_tokens"] == 154
    assert [told["correlation_id"]] == reply.metadata("correlation_id")[-1:]


@pytest.mark.parametrize("pin", ["legacy", "new"])
async def test_a_pause_is_stamped_and_a_reply_has_its_own(pin: str) -> None:
    setup = Setup(script=asks_twice, hooks={"stamp": Stamp()}, pin=pin)
    async with served(setup) as it:
        asked = await it.send("hello")
        first = asked.metadata("stamp")[-1]
        again = await it.send("well?", task_id=asked.task_id)
    assert isinstance(first, dict)
    assert asked.state == "input-required"
    assert again.metadata("stamp")[-1] != first


@pytest.mark.parametrize("pin", ["legacy", "new"])
async def test_a_canceled_run_is_stamped_with_what_it_used(pin: str) -> None:
    async def script(_: InvocationContext) -> AsyncGenerator[Event, None]:
        yield using("small")
        used.set()
        await asyncio.sleep(3600)

    used = asyncio.Event()
    setup = Setup(script=script, hooks={"stamp": Stamp(prices=PRICES)}, pin=pin)
    async with served(setup) as it:
        begun = await it.send("hello", wait=False)
        await used.wait()
        task_id = begun_task(begun)
        canceled = await it.call("CancelTask", {"id": task_id})
        stored = await it.call("GetTask", {"id": task_id})
    assert canceled.state == "canceled"
    told = stamp_of(canceled)
    assert told["usage"]["total_tokens"] == 154
    assert len(told["correlation_id"]) == 32
    assert stamp_of(stored) == told


@pytest.mark.parametrize("pin", ["legacy", "new"])
async def test_a_paused_task_that_is_canceled_is_stamped(pin: str) -> None:
    """No run is under way: the stamp is the cancel's own."""
    setup = Setup(script=asks_twice, hooks={"stamp": Stamp()}, pin=pin)
    async with served(setup) as it:
        paused = await it.send("hello")
        canceled = await it.call("CancelTask", {"id": paused.task_id})
    assert (paused.state, canceled.state) == ("input-required", "canceled")
    ids = [stamp_of(reply)["correlation_id"] for reply in (paused, canceled)]
    assert ids[0] != ids[1]


async def test_a_failure_before_the_agent_is_stamped() -> None:
    class Broken(BeforeAgent):
        async def before_agent(self, context: RequestContext) -> RequestContext:
            reason = "no"
            raise Rejected(reason)

    hooks: dict[str, object] = {"stamp": Stamp(), "no": Broken()}
    async with served(Setup(script=two_models, hooks=hooks)) as it:
        reply = await it.send("hello")
    assert reply.error_data["reason"] == "no"
    assert reply.metadata("stamp") == []


async def test_what_is_chosen_is_told_and_nothing_else() -> None:
    setup = Setup(script=two_models, hooks={"s": Stamp(key="cost", fields=("usage",))})
    async with served(setup) as it:
        told = stamp_of(await it.send("hello"), "cost")
    assert list(told) == ["usage"]


async def test_a_model_without_a_price_has_no_cost() -> None:
    stamp = Stamp(prices={"small": "1/1"}, currency="EUR")
    async with served(Setup(script=two_models, hooks={"stamp": stamp})) as it:
        told = stamp_of(await it.send("hello"))
    assert (told["cost"], told["currency"]) == (None, "EUR")


@pytest.mark.parametrize(
    ("pin", "value", "told"),
    [
        # On the new implementation ADK itself can't send a state that isn't JSON.
        ("new", {"large": 2**60}, {"large": "1152921504606846976"}),
        ("legacy", datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02T00:00:00+00:00"),
        ("legacy", [Decimal("0.10"), {2, 1}, b"a"], ["0.10", [1, 2], "YQ=="]),
        ("legacy", float("nan"), "NaN"),
    ],
)
async def test_no_value_fails_a_run(pin: str, value: object, told: object) -> None:
    async def script(_: InvocationContext) -> AsyncGenerator[Event, None]:
        yield using("small", odd=value)

    setup = Setup(script=script, hooks={"s": Stamp(session_state=("odd",))}, pin=pin)
    async with served(setup) as it:
        reply = await it.send("hello")
    assert reply.state == "completed"
    assert stamp_of(reply)["session_state"] == {"odd": told}


async def test_what_is_too_large_is_left_out_and_named() -> None:
    async def script(_: InvocationContext) -> AsyncGenerator[Event, None]:
        yield using("small", odd="x" * 2000)

    stamp = Stamp(session_state=("odd",), tags=("y" * 900,), max_bytes=1024)
    async with served(Setup(script=script, hooks={"s": stamp})) as it:
        told = stamp_of(await it.send("hello"))
    assert told["left_out"] == ["tags", "session_state"]
    assert "usage" in told


async def test_an_event_that_is_sent_in_several_counts_once() -> None:
    async def script(_: InvocationContext) -> AsyncGenerator[Event, None]:
        event = using("small")
        event.id = "same"
        yield event
        yield event.model_copy()

    async with served(Setup(script=script, hooks={"s": Stamp()})) as it:
        told = stamp_of(await it.send("hello"))
    assert told["usage"]["total_tokens"] == 154


@pytest.mark.parametrize(
    ("prompt", "output", "cost"),
    [
        (1, 0, "0.000002"),
        (5, 0, "0.000008"),
        (3, 0, "0.000004"),
        (0, 1_000_000, "0.100000"),
        (123_457, 0, "0.185186"),
        (10**15, 0, "1500000000.000000"),
    ],
)
def test_a_cost_is_rounded_once_half_to_even(
    prompt: int, output: int, cost: str
) -> None:
    prices = {"*": read_price("1.5/0.1")}
    used = [("any", Tokens(prompt=prompt, output=output))]
    with localcontext() as context:
        context.prec = 2
        assert str(cost_of(used, prices)) == cost


def test_a_sum_is_rounded_and_not_its_parts() -> None:
    prices = {"*": read_price("0.3/0")}
    used = [("any", Tokens(prompt=1))] * 5
    assert str(cost_of(used, prices)) == "0.000002"


@pytest.mark.parametrize("text", ["", "1", "1/", "-1/1", "1e3/1", "NaN/1", "\u0661/1"])
def test_no_price_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no price"):
        Stamp(prices={"*": text})


async def test_time_is_that_of_the_request() -> None:
    async def slow(_: InvocationContext) -> AsyncGenerator[Event, None]:
        await asyncio.sleep(0.1)
        yield adk_event("late")

    async with served(Setup(script=slow, hooks={"s": Stamp()})) as it:
        told = stamp_of(await it.send("hello"))
    assert told["duration_ms"] >= 99
    began = datetime.fromisoformat(told["started_at"])
    assert datetime.now(UTC) - began >= timedelta(seconds=0.099)
