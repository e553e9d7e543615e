import asyncio
import gc
import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from a2a.server.tasks import InMemoryTaskStore
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.runners import InMemoryRunner, Runner
from tests.runtime.limited import from_user, identity
from tests.runtime.messages import call_context
from tests.runtime.repeating import Agent, Repeatable, answer, of_task, send, until
from tests.runtime.serving import CELLS, Cell, Exits, Scripted, Setup, served

from runtime.boundary.policy import Policy
from runtime.recipes.auditing.audit import Audit
from runtime.recipes.inbound.idempotency import Idempotency
from runtime.recipes.inbound.paused_task_guard import PausedTaskGuard
from runtime.recipes.inbound.remembered import MessageRun, Remembered
from runtime.recipes.limits.concurrency import Concurrency
from runtime.recipes.limits.rate_limit import RateLimit
from runtime.seams.chain import guarded
from runtime.seams.interceptor import BeforeAgent, RequestContext
from runtime.seams.rejection import Rejected
from runtime.serving import application
from testing.harness import WIRES, Caller, Json, Reply, Wire, running, values

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
each_pin = pytest.mark.parametrize("pin", ["legacy", "new"])
again_on = pytest.mark.parametrize("again", WIRES, ids=lambda wire: f"again-{wire}")

HELLO = Repeatable()


class Door(BeforeAgent):
    """Lets in, refuses, or keeps waiting while it is told to."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.refuses = refuses
        self.open = asyncio.Event()
        self.open.set()
        self.asked = 0

    async def before_agent(self, context: RequestContext) -> RequestContext:
        self.asked += 1
        await self.open.wait()
        if self.refuses:
            raise Rejected("not_today")
        return context


def once(agent: Agent, **more: Any) -> Setup:  # noqa: ANN401
    hooks: dict[str, object] = {"once": more.pop("idempotency", Idempotency())}
    return Setup(script=agent, hooks=hooks | more.pop("hooks", {}), **more)


def unlike(wire: Wire) -> Wire:
    version = "0.3" if wire.version == "1.0" else "1.0"
    return Wire(version, streaming=not wire.streaming)


def task_of(reply: Reply) -> Any:  # noqa: ANN401
    (answer,) = reply.answers
    result: Any = next(values(answer, "result"))
    return result.get("task", result)


async def stored(it: Caller, task_id: str) -> Any:  # noqa: ANN401
    reply = await it.call("GetTask", {"id": task_id})
    (result,) = values(reply.answers, "result")
    return result


def assert_duplicate(reply: Reply) -> None:
    assert reply.error is not None
    assert reply.error["code"] == -32600
    assert reply.error_data["reason"] == "duplicate_message"
    assert reply.error_data["policy"] == "once"


# What is the same.


@again_on
@each_cell
async def test_a_repeat_of_what_is_done_gets_the_same_task(
    cell: Cell, again: Wire
) -> None:
    agent = Agent()
    async with served(once(agent, pin=cell.pin)) as it:
        first = await send(it, HELLO, cell.wire, extension=cell.extension)
        kept = await stored(it, of_task(first))
        repeat = await send(it, HELLO, again)
        assert await stored(it, of_task(first)) == kept
    assert agent.runs == 1
    assert first.state == repeat.state == "completed"
    assert of_task(repeat) == of_task(first)
    assert "run 1" in repeat.artifact_texts
    if again == cell.wire and not again.streaming:
        assert task_of(repeat) == task_of(first)


@again_on
@each_cell
async def test_a_repeat_of_what_is_running_waits_for_its_end(
    cell: Cell, again: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    agent = Agent("wait")
    async with served(once(agent, pin=cell.pin)) as it, asyncio.TaskGroup() as group:
        first = group.create_task(send(it, HELLO, cell.wire, extension=cell.extension))
        await until(lambda: agent.runs == 1)
        repeat = group.create_task(send(it, HELLO, again))
        await asyncio.sleep(0.03)
        assert not first.done()
        assert not repeat.done()
        agent.go_on.set()
        await asyncio.wait({first, repeat})
    assert agent.runs == 1
    assert first.result().state == repeat.result().state == "completed"
    assert of_task(repeat.result()) == of_task(first.result())
    assert "run 1" in repeat.result().artifact_texts
    if again.streaming:
        # The task as it was, and what has happened since.
        assert len(repeat.result().answers) > 1
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


@each_pin
async def test_of_twenty_at_once_one_runs(pin: str) -> None:
    agent, exits = Agent(), Exits()
    async with served(once(agent, pin=pin, hooks={"exits": exits})) as it:
        replies = await asyncio.gather(
            *(send(it, HELLO, WIRES[number % 4]) for number in range(20))
        )
    assert agent.runs == 1
    assert exits.kinds == ["completed"]
    assert {reply.state for reply in replies} == {"completed"}
    assert len({of_task(reply) for reply in replies}) == 1


@each_wire
async def test_messages_with_other_ids_run(wire: Wire) -> None:
    agent = Agent()
    async with served(once(agent)) as it:
        ids = ["a", "A", "a ", "\u00e9", "e\u0301", "\U0001f600", "\u0000", "a" * 10**6]
        replies = [
            await send(it, replace(HELLO, message_id=each), wire) for each in ids
        ]
        again = [await send(it, replace(HELLO, message_id=each), wire) for each in ids]
    assert agent.runs == len(ids)
    assert len({of_task(reply) for reply in replies}) == len(ids)
    assert [of_task(reply) for reply in again] == [of_task(reply) for reply in replies]


RICH = Repeatable(
    parts=[
        {"text": "hello", "metadata": {"tone": "kind"}},
        {"data": {"n": 1, "list": [1.5, None, True, "x"], "empty": {}}},
    ],
    metadata={"b": 1, "a": {"d": 1, "c": [2]}},
    request_metadata={"z": "1", "y": 2},
    context_id="a conversation",
)


@again_on
@each_wire
async def test_a_message_is_the_same_on_every_wire(wire: Wire, again: Wire) -> None:
    agent = Agent()
    async with served(once(agent)) as it:
        first = await send(it, RICH, wire)
        repeat = await send(it, RICH, again)
    assert agent.runs == 1
    assert of_task(repeat) == of_task(first)


async def test_the_order_of_keys_says_nothing() -> None:
    agent = Agent()
    other = replace(
        RICH,
        metadata=dict(reversed(list(RICH.metadata.items()))),
        request_metadata=dict(reversed(list(RICH.request_metadata.items()))),
    )
    async with served(once(agent)) as it:
        first = await send(it, RICH)
        assert of_task(await send(it, other)) == of_task(first)
    assert agent.runs == 1


async def test_how_to_be_answered_is_up_to_each_repeat() -> None:
    agent = Agent()
    async with served(once(agent)) as it:
        first = await send(it, HELLO)
        no_history = replace(HELLO, configuration={"historyLength": 0})
        short = await send(it, no_history)
        stream = await send(it, no_history, WIRES[1])
        wrong = await send(it, replace(HELLO, configuration={"historyLength": -1}))
    assert task_of(first)["history"]
    assert "history" not in task_of(short)
    assert of_task(short) == of_task(first)
    assert not list(values(stream.answers, "history"))
    assert wrong.error is not None
    assert wrong.error["code"] == -32602


# What differs.

OTHERS = {
    "text": replace(RICH, parts=[{"text": "hallo"}]),
    "no text": replace(RICH, parts=RICH.parts[1:]),
    "order": replace(RICH, parts=RICH.parts[::-1]),
    "data": replace(RICH, parts=[RICH.parts[0], {"data": {"n": 2}}]),
    "metadata": replace(RICH, metadata={"b": 1}),
    "request metadata": replace(RICH, request_metadata={"z": "1", "y": "2"}),
    "context": replace(RICH, context_id="another"),
    "no context": replace(RICH, context_id=""),
    "task": replace(RICH, task_id="of nobody"),
}


@each_wire
@pytest.mark.parametrize("what", OTHERS)
async def test_another_message_under_the_id_is_refused(what: str, wire: Wire) -> None:
    agent, exits = Agent(), Exits()
    async with served(once(agent, hooks={"exits": exits})) as it:
        first = await send(it, RICH, wire)
        kept = await stored(it, of_task(first))
        assert_duplicate(await send(it, OTHERS[what], wire))
        assert await stored(it, of_task(first)) == kept
        repeat = await send(it, RICH, wire)
        listed = await it.call("ListTasks", {})
    assert agent.runs == 1
    assert of_task(repeat) == of_task(first)
    assert list(values(listed.answers, "totalSize")) == [1]
    assert exits.kinds == ["completed", "rejected"]
    assert exits.outcomes[1].error_code == "duplicate_message"


@each_cell
async def test_another_message_is_refused_while_the_first_runs(cell: Cell) -> None:
    agent = Agent("wait")
    async with served(once(agent, pin=cell.pin)) as it:
        begun = asyncio.create_task(send(it, RICH, extension=cell.extension))
        await until(lambda: agent.runs == 1)
        refused = await send(it, HELLO, cell.wire)
        other = await send(it, replace(HELLO, message_id=RICH.message_id), cell.wire)
        agent.go_on.set()
        first = await begun
    assert_duplicate(refused)
    assert_duplicate(other)
    assert first.state == "completed"
    assert agent.runs == 1


# Who it is.


@each_wire
async def test_callers_know_nothing_of_each_others_ids(wire: Wire) -> None:
    agent = Agent()
    hooks = {"who": identity(), "once": Idempotency()}
    one, two = (
        replace(HELLO, headers=from_user(name).headers) for name in ("one", "two")
    )
    async with served(Setup(script=agent, hooks=hooks)) as it:
        first = await send(it, one, wire)
        other = await send(it, two, wire)
        differs = await send(it, replace(two, parts=[{"text": "hi"}]), wire)
        repeats = [await send(it, each, wire) for each in (one, two)]
    assert agent.runs == 2
    assert of_task(first) != of_task(other)
    assert [of_task(each) for each in repeats] == [of_task(first), of_task(other)]
    assert_duplicate(differs)


# How the first ended.


@each_cell
async def test_a_repeat_of_what_waits_for_input_gets_the_question(cell: Cell) -> None:
    again = unlike(cell.wire)
    agent = Agent("pause")
    async with served(once(agent, pin=cell.pin)) as it:
        first = await send(it, HELLO, cell.wire, extension=cell.extension)
        repeat = await asyncio.wait_for(send(it, HELLO, again), 5)
    assert agent.runs == 1
    assert first.state == repeat.state == "input-required"
    assert of_task(repeat) == of_task(first)


@each_cell
async def test_a_repeated_answer_is_taken_once(cell: Cell) -> None:
    again = unlike(cell.wire)
    agent = Agent("pause")
    hooks = {"guard": PausedTaskGuard()}
    async with served(once(agent, pin=cell.pin, hooks=hooks)) as it:
        asked = await send(it, HELLO, cell.wire, extension=cell.extension)
        yes = answer(of_task(asked), "call-1")
        agent.does = "wait"
        done = asyncio.create_task(send(it, yes, cell.wire, extension=cell.extension))
        await until(lambda: agent.runs == 2)
        during = asyncio.create_task(send(it, yes, again))
        await asyncio.sleep(0.02)
        assert not during.done()
        agent.go_on.set()
        replies = [await done, await during, await send(it, yes, again)]
        # The message that asked has the same task, which is done by now.
        late = await send(it, HELLO, again)
    assert agent.runs == 2
    assert {reply.state for reply in [*replies, late]} == {"completed"}
    assert {of_task(reply) for reply in replies} == {of_task(asked)}


@each_cell
async def test_a_repeat_of_a_new_question_gets_the_new_one(cell: Cell) -> None:
    agent = Agent("pause")
    async with served(once(agent, pin=cell.pin)) as it:
        asked = await send(it, HELLO, cell.wire, extension=cell.extension)
        yes = answer(of_task(asked), "call-1")
        replies = await asyncio.gather(
            *(send(it, yes, cell.wire, extension=cell.extension) for _ in range(5))
        )
        task = await stored(it, of_task(asked))
    assert agent.runs == 2
    assert "call-2" in str(task["status"])
    for reply in replies:
        assert reply.state == "input-required"
        assert "call-2" in str(reply.answers)


@each_cell
@pytest.mark.parametrize("does", ["raise", "time out"])
async def test_a_failure_is_the_answer_to_a_repeat(cell: Cell, does: str) -> None:
    agent = Agent("wait" if does == "time out" else "raise")
    policy = Policy(deadline_s=0.05) if does == "time out" else None
    async with served(once(agent, pin=cell.pin, policy=policy)) as it:
        replies = await asyncio.gather(
            *(send(it, HELLO, cell.wire, extension=cell.extension) for _ in range(3))
        )
        replies.append(await send(it, HELLO, cell.wire))
    assert agent.runs == 1
    assert {reply.state for reply in replies} == {"failed"}
    assert len({of_task(reply) for reply in replies}) == 1


@each_cell
@pytest.mark.parametrize("place", ["above", "below"])
async def test_what_was_refused_may_be_sent_again(cell: Cell, place: str) -> None:
    agent, door = Agent(), Door(refuses=True)
    hooks: dict[str, object] = {"door": door, "once": Idempotency()}
    if place == "below":
        hooks = dict(reversed(hooks.items()))
    async with served(Setup(script=agent, hooks=hooks, pin=cell.pin)) as it:
        refused = [
            await send(it, HELLO, cell.wire, extension=cell.extension) for _ in range(2)
        ]
        door.refuses = False
        let_in = await send(it, HELLO, cell.wire, extension=cell.extension)
        repeat = await send(it, HELLO, cell.wire, extension=cell.extension)
        # Nothing of what was refused is remembered, so this isn't another one.
        door.refuses = True
        other = await send(it, replace(HELLO, message_id="2"), cell.wire)
        door.refuses = False
        fresh = replace(HELLO, message_id="2", parts=[{"text": "hi"}])
        differs = await send(it, fresh, cell.wire)
    for reply in [*refused, other]:
        assert reply.error_data["reason"] == "not_today"
    assert of_task(repeat) == of_task(let_in)
    assert differs.state == "completed"
    assert agent.runs == 2


@each_wire
async def test_who_waits_for_what_is_refused_is_the_first(wire: Wire) -> None:
    agent, door = Agent(), Door(refuses=True)
    async with served(once(agent, hooks={"door": door})) as it:
        door.open.clear()
        sent = [asyncio.create_task(send(it, HELLO, wire)) for _ in range(5)]
        await until(lambda: door.asked == 1)
        await asyncio.sleep(0.02)
        assert door.asked == 1
        door.open.set()
        await until(lambda: any(each.done() for each in sent))
        door.refuses = False
        replies = [await each for each in sent]
    assert agent.runs <= 1
    kinds = {reply.state or str(reply.error_data["reason"]) for reply in replies}
    assert kinds <= {"not_today", "completed"}


@each_wire
async def test_what_the_sdk_refuses_may_be_sent_again(wire: Wire) -> None:
    agent = Agent()
    async with served(once(agent)) as it:
        lost = replace(HELLO, task_id="of nobody")
        replies = [await send(it, lost, wire) for _ in range(2)]
        done = await send(it, HELLO, wire)
        late = Repeatable(message_id="late", task_id=of_task(done))
        ended = [await send(it, late, wire) for _ in range(2)]
    assert [reply.error and reply.error["code"] for reply in replies] == [-32001] * 2
    assert [reply.error and reply.error["code"] for reply in ended] == [-32004] * 2
    assert agent.runs == 1


@each_wire
async def test_a_message_without_an_id_is_the_sdks_to_refuse(wire: Wire) -> None:
    agent, recipe = Agent(), Idempotency()
    async with served(once(agent, idempotency=recipe)) as it:
        nameless = replace(HELLO, message_id="")
        replies = [await send(it, nameless, wire) for _ in range(2)]
    assert all(reply.error for reply in replies)
    assert replies[0].error == replies[1].error
    assert agent.runs == 0
    assert len(recipe) == 0


# Who doesn't wait, and who goes away.


AT_ONCE: dict[str, dict[str, Json]] = {
    "1.0": {"returnImmediately": True},
    "0.3": {"blocking": False},
}


@pytest.mark.parametrize("version", AT_ONCE)
@each_pin
async def test_who_does_not_wait_gets_the_task_as_it_is(pin: str, version: str) -> None:
    agent, wire = Agent("wait"), Wire(version, streaming=False)
    at_once = replace(HELLO, configuration=AT_ONCE[version])
    async with served(once(agent, pin=pin)) as it:
        first, repeat = await asyncio.gather(
            *(send(it, at_once, wire) for _ in range(2))
        )
        await until(lambda: agent.runs == 1)
        third = await asyncio.wait_for(send(it, at_once, wire), 10)
        agent.go_on.set()
        done = await send(it, HELLO, wire)
        fourth = await send(it, at_once, wire)
    assert agent.runs == 1
    assert {each.state for each in (first, repeat, third)} <= {"submitted", "working"}
    assert done.state == fourth.state == "completed"
    assert len({of_task(each) for each in (first, repeat, third, done, fourth)}) == 1


@each_cell
async def test_who_lost_the_connection_gets_the_result(cell: Cell) -> None:
    again = unlike(cell.wire)
    agent = Agent("wait")
    async with served(once(agent, pin=cell.pin)) as it:
        gone = asyncio.create_task(send(it, HELLO, cell.wire, extension=cell.extension))
        await until(lambda: agent.runs == 1)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        repeat = asyncio.create_task(send(it, HELLO, again))
        await asyncio.sleep(0.01)
        agent.go_on.set()
        reply = await repeat
    assert reply.state == "completed"
    assert agent.runs == 1


@each_wire
@pytest.mark.parametrize("place", ["above", "below"])
async def test_who_hung_up_at_the_door_may_come_again(wire: Wire, place: str) -> None:
    agent, door, recipe = Agent(), Door(), Idempotency()
    hooks: dict[str, object] = {"door": door, "once": recipe}
    if place == "below":
        hooks = dict(reversed(hooks.items()))
    async with served(Setup(script=agent, hooks=hooks)) as it:
        door.open.clear()
        gone = asyncio.create_task(send(it, HELLO, wire))
        await until(lambda: door.asked == 1)
        waits = asyncio.create_task(send(it, HELLO, wire))
        await asyncio.sleep(0.01)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        door.open.set()
        reply = await asyncio.wait_for(waits, 5)
    assert reply.state == "completed"
    assert agent.runs == 1


@each_wire
async def test_a_repeat_that_goes_away_leaves_the_run_alone(wire: Wire) -> None:
    agent = Agent("wait")
    async with served(once(agent)) as it:
        first = asyncio.create_task(send(it, HELLO))
        await until(lambda: agent.runs == 1)
        repeats = [asyncio.create_task(send(it, HELLO, wire)) for _ in range(5)]
        await asyncio.sleep(0.02)
        for each in repeats:
            each.cancel()
        await asyncio.wait(repeats)
        agent.go_on.set()
        assert (await first).state == "completed"
        assert (await send(it, HELLO, wire)).state == "completed"
    assert agent.runs == 1


@each_cell
async def test_a_cancel_is_the_end_for_all_who_wait(cell: Cell) -> None:
    agent = Agent("wait")
    async with served(once(agent, pin=cell.pin)) as it:
        first = asyncio.create_task(send(it, HELLO, extension=cell.extension))
        await until(lambda: agent.runs == 1)
        repeats = [asyncio.create_task(send(it, HELLO, cell.wire)) for _ in range(5)]
        await asyncio.sleep(0.02)
        begun = await send(it, replace(HELLO, configuration=AT_ONCE["1.0"]))
        await it.call("CancelTask", {"id": of_task(begun)})
        replies = [await asyncio.wait_for(each, 5) for each in (first, *repeats)]
        late = await send(it, HELLO, cell.wire)
    assert {reply.state for reply in (*replies[1:], late)} == {"canceled"}
    assert agent.runs == 1


async def test_a_shutdown_holds_no_repeat() -> None:
    agent = Agent("wait")
    async with served(once(agent)) as it:
        sent = [asyncio.create_task(send(it, HELLO, wire)) for wire in WIRES]
        await until(lambda: agent.runs == 1)
        await asyncio.sleep(0.02)
    await asyncio.wait_for(asyncio.wait(sent), 5)
    await asyncio.gather(*sent, return_exceptions=True)


# What a repeat costs.


@each_wire
async def test_a_repeat_takes_no_quota_and_no_place(wire: Wire) -> None:
    agent = Agent("wait")
    quota = RateLimit(limit="1/hour")
    hooks = {"slots": Concurrency(most=1), "quota": quota}
    async with served(once(agent, hooks=hooks)) as it:
        first = asyncio.create_task(send(it, HELLO))
        await until(lambda: agent.runs == 1)
        repeat = asyncio.create_task(send(it, HELLO, wire))
        await asyncio.sleep(0.01)
        agent.go_on.set()
        assert (await first).state == (await repeat).state == "completed"
        assert (await send(it, HELLO, wire)).state == "completed"
        over = await send(it, replace(HELLO, message_id="another"), wire)
    assert over.error_data["reason"] == "rate_limited"
    assert agent.runs == 1


async def test_a_run_has_one_row_and_a_refusal_has_one(tmp_path: Path) -> None:
    agent, path = Agent(), tmp_path / "audit.jsonl"
    hooks = {"trail": Audit(path=str(path))}
    other = replace(HELLO, parts=[{"text": "hi"}], task_id="t", context_id="c")
    async with served(once(agent, hooks=hooks)) as it:
        for wire in WIRES:
            await send(it, HELLO, wire)
        refused = await send(it, other)
    first, second = path.read_text().splitlines()
    assert '"kind": "completed"' in first or '"kind":"completed"' in first
    assert "duplicate_message" in second
    assert str(refused.error_data["correlation_id"]) in second


# How long, and how many.


class Clock:
    """A clock that a test sets; the loop's own goes on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("runtime.recipes.inbound.remembered.time", self)

    def monotonic(self) -> float:
        return self.now


@each_wire
async def test_the_window_begins_at_the_end(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent, clock = Agent("wait"), Clock(monkeypatch)
    async with served(once(agent, idempotency=Idempotency(window_s=60))) as it:
        first = asyncio.create_task(send(it, HELLO, wire))
        await until(lambda: agent.runs == 1)
        clock.now += 3600
        repeat = asyncio.create_task(send(it, HELLO, wire))
        await asyncio.sleep(0.02)
        agent.go_on.set()
        replies = [await first, await repeat]
        clock.now += 59.9
        replies.append(await send(it, HELLO, wire))
        assert agent.runs == 1
        clock.now += 0.1
        after = await send(it, HELLO, wire)
    assert agent.runs == 2
    assert len({of_task(reply) for reply in replies}) == 1
    assert of_task(after) != of_task(first.result())


async def test_setting_the_wall_clock_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent = Agent()
    async with served(once(agent, idempotency=Idempotency(window_s=60))) as it:
        await send(it, HELLO)
        now = time.time()
        for moved in (-(10**6), 10**6):
            monkeypatch.setattr(time, "time", lambda moved=moved: now + moved)
            await send(it, HELLO)
    assert agent.runs == 1


async def test_who_ended_first_is_forgotten_first() -> None:
    agent, recipe = Agent("wait"), Idempotency(remembered=3)
    sent = [replace(HELLO, message_id=f"m{number}") for number in range(5)]
    async with served(once(agent, idempotency=recipe)) as it:
        lasting = asyncio.create_task(send(it, HELLO))
        await until(lambda: agent.runs == 1)
        agent.does = "answer"
        for each in sent:
            await send(it, each)
        assert len(recipe) == 4
        for each in sent[2:]:
            await send(it, each)
        assert agent.runs == 6
        # However many came since: what lasts is remembered.
        repeat = asyncio.create_task(send(it, HELLO))
        await asyncio.sleep(0.01)
        agent.go_on.set()
        assert of_task(await repeat) == of_task(await lasting)
        await send(it, sent[0])
    assert agent.runs == 7
    assert len(recipe) == 3


async def test_nothing_that_was_sent_is_kept() -> None:
    agent, recipe = Agent(), Idempotency()
    secret = replace(
        RICH, message_id="id of mine", headers={"X-Secret": "header of mine"}
    )
    async with served(once(agent, idempotency=recipe)) as it:
        await send(it, secret)
    kept = list(texts_in(recipe))
    assert len(recipe) == 1
    assert [each for each in kept if isinstance(each, bytes) and len(each) == 32]
    for text in ("mine", "hello", "conversation"):
        assert text not in repr(kept)


def texts_in(thing: object) -> Iterator[object]:
    """Give all text and bytes that something holds on to."""
    if isinstance(thing, (str, bytes)):
        yield thing
    elif isinstance(thing, (dict, Idempotency, Remembered, MessageRun)):
        for each in gc.get_referents(thing):
            yield from texts_in(each)


async def test_a_task_that_is_gone_does_not_run_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent, stores = Agent(), list[InMemoryTaskStore]()

    class Store(InMemoryTaskStore):
        def __init__(self) -> None:
            super().__init__()
            stores.append(self)

    monkeypatch.setattr(application, "InMemoryTaskStore", Store)
    monkeypatch.setattr("runtime.recipes.inbound.following._TRIES", 2)
    async with served(once(agent)) as it:
        first = await send(it, HELLO)
        (store,) = stores
        await store.delete(of_task(first), call_context())
        replies = [await send(it, HELLO, wire) for wire in WIRES]
    assert [reply.error and reply.error["code"] for reply in replies] == [-32001] * 4
    assert agent.runs == 1


# Where it can't work.


@each_wire
async def test_without_the_services_own_application_nothing_runs(wire: Wire) -> None:
    script = Agent()
    agent = Scripted(name="scripted", description="Scripted.", script=script)
    runner = InMemoryRunner(agent=agent, app_name="scripted")

    def build(_: Runner) -> Any:  # noqa: ANN401
        chain = [guarded("once", Idempotency())]
        return Setup(script=script).executor(runner, chain)

    app = to_a2a(agent, agent_executor_factory=build)
    async with running(app) as it:
        reply = await send(it, HELLO, wire)
    assert "can't be told" in str(reply.answers)
    assert script.runs == 0


@pytest.mark.parametrize(
    "wrong", [{"window_s": 0}, {"window_s": -1.5}, {"remembered": 0}], ids=str
)
def test_numbers_above_zero_are_needed(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        Idempotency(**wrong)
