"""Whatever ends a request, its on_exit hooks run exactly once."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.utils.errors import InvalidRequestError
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.runners import InMemoryRunner
from google.genai import types
from tests.runtime.serving import CELLS, Cell, Exits, Setup, served

from runtime.boundary.policy import Policy
from runtime.seams.interceptor import (
    A2AEvent,
    AdkEvent,
    AfterAgent,
    AfterEvent,
    BeforeAgent,
    EventResult,
    ExecutorContext,
    OnExit,
    Outcome,
    TaskStatusUpdateEvent,
)
from runtime.seams.rejection import Rejected
from testing.harness import Caller, Reply
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)


async def answers(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("an answer")


async def crashes(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("so far")
    raise ConnectionError


async def pauses(_: InvocationContext) -> AsyncGenerator[Event, None]:
    call = types.FunctionCall(id="call", name="approve", args={})
    content = types.Content(role="model", parts=[types.Part(function_call=call)])
    yield Event(author="scripted", content=content, long_running_tool_ids={"call"})


async def waits(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("wait")
    await asyncio.sleep(3600)


async def send(caller: Caller, cell: Cell, task_id: str | None = None) -> Reply:
    return await caller.send("hi", cell.wire, extension=cell.extension, task_id=task_id)


class Refuses(BeforeAgent):
    """Refuses every message."""

    async def before_agent(self, context: RequestContext) -> RequestContext:
        raise Rejected("not_today")


class Breaks(BeforeAgent, AfterEvent, AfterAgent):
    """Raises in one of its hooks."""

    def __init__(self, hook: str, error: BaseException) -> None:
        self._hook, self._error = hook, error

    async def before_agent(self, context: RequestContext) -> RequestContext:
        self._raise("before_agent")
        return context

    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        self._raise("after_event")
        return event

    async def after_agent(
        self, context: ExecutorContext, final_event: TaskStatusUpdateEvent
    ) -> TaskStatusUpdateEvent:
        self._raise("after_agent")
        return final_event

    def _raise(self, hook: str) -> None:
        if hook == self._hook:
            raise self._error


@each_cell
async def test_a_run_that_completes(cell: Cell) -> None:
    exits = Exits()
    async with served(Setup(script=answers, hooks={"x": exits}, pin=cell.pin)) as it:
        reply = await send(it, cell)
        assert exits.kinds == ["completed"]
    assert reply.state == "completed"
    assert exits.kinds == ["completed"]


@each_cell
async def test_a_run_that_fails(cell: Cell) -> None:
    exits = Exits()
    async with served(Setup(script=crashes, hooks={"x": exits}, pin=cell.pin)) as it:
        reply = await send(it, cell)
    assert reply.state == "failed"
    assert exits.kinds == ["failed"]
    assert isinstance(exits.outcomes[0].error, ConnectionError)
    assert exits.outcomes[0].error_code == "internal_error"


@each_cell
@pytest.mark.parametrize("hook", ["after_event", "after_agent"])
async def test_a_hook_that_fails(cell: Cell, hook: str) -> None:
    exits = Exits()
    hooks = {"x": exits, "breaks": Breaks(hook, KeyError("key"))}
    async with served(Setup(script=answers, hooks=hooks, pin=cell.pin)) as it:
        reply = await send(it, cell)
    assert reply.state == "failed"
    assert exits.kinds == ["failed"]


@each_cell
async def test_a_refusal(cell: Cell) -> None:
    exits = Exits()
    hooks = {"x": exits, "refuses": Refuses()}
    async with served(Setup(script=answers, hooks=hooks, pin=cell.pin)) as it:
        reply = await send(it, cell)
    assert reply.error is not None
    assert exits.kinds == ["rejected"]
    assert exits.outcomes[0].error_code == "not_today"


@each_cell
@pytest.mark.parametrize("hook", ["after_event", "after_agent"])
async def test_a_refusal_that_comes_too_late(cell: Cell, hook: str) -> None:
    exits = Exits()
    hooks = {"x": exits, "late": Breaks(hook, Rejected("too_late"))}
    async with served(Setup(script=answers, hooks=hooks, pin=cell.pin)) as it:
        reply = await send(it, cell)
    assert reply.state == "failed"
    assert reply.metadata("error_code") == ["too_late"]
    assert exits.kinds == ["rejected"]


@each_cell
@pytest.mark.parametrize("error", [KeyError("key"), asyncio.CancelledError()], ids=repr)
async def test_a_before_agent_that_fails(cell: Cell, error: BaseException) -> None:
    exits = Exits()
    hooks = {"x": exits, "breaks": Breaks("before_agent", error)}
    async with served(Setup(script=answers, hooks=hooks, pin=cell.pin)) as it:
        reply = await send(it, cell)
    assert reply.error is not None
    assert reply.error["code"] == -32603
    assert exits.kinds == ["failed"]


@each_cell
@pytest.mark.parametrize("hook", ["after_event", "after_agent"])
async def test_a_hook_that_raises_cancelled(cell: Cell, hook: str) -> None:
    exits = Exits()
    hooks = {"x": exits, "breaks": Breaks(hook, asyncio.CancelledError())}
    async with served(Setup(script=answers, hooks=hooks, pin=cell.pin)) as it:
        reply = await asyncio.wait_for(send(it, cell), 5)
    assert reply.state == "failed"
    assert exits.kinds == ["failed"]


@each_cell
async def test_a_pause_and_its_reply(cell: Cell) -> None:
    exits = Exits()
    async with served(Setup(script=pauses, hooks={"x": exits}, pin=cell.pin)) as it:
        paused = await send(it, cell)
        assert exits.kinds == ["paused"]
        await send(it, cell, task_id=paused.task_id)
    assert paused.state == "input-required"
    assert exits.kinds == ["paused", "paused"]
    first, second = exits.outcomes
    assert first.request.task_id == second.request.task_id
    assert first.request.correlation_id != second.request.correlation_id
    assert (first.request.is_reply, second.request.is_reply) == (False, True)


@each_cell
async def test_a_cancel(cell: Cell) -> None:
    exits = Exits()
    async with served(Setup(script=waits, hooks={"x": exits}, pin=cell.pin)) as it:
        begun = await it.send("hi", extension=cell.extension, wait=False)
        canceled = await it.call("CancelTask", {"id": task_of(begun)})
        assert exits.kinds == ["canceled"]
    assert canceled.state == "canceled"
    assert exits.kinds == ["canceled"]


@each_cell
async def test_a_deadline(cell: Cell) -> None:
    exits = Exits()
    setup = Setup(
        script=waits,
        hooks={"x": exits},
        pin=cell.pin,
        policy=Policy(deadline_s=0.05),
    )
    async with served(setup) as it:
        reply = await send(it, cell)
    assert reply.state == "failed"
    assert reply.metadata("error_code") == ["deadline_exceeded"]
    assert exits.kinds == ["timed_out"]


@each_cell
async def test_a_runner_that_cannot_be_built(cell: Cell) -> None:
    def unbuildable() -> InMemoryRunner:
        raise OSError

    exits = Exits()
    setup = Setup(script=answers, hooks={"x": exits}, pin=cell.pin, factory=unbuildable)
    async with served(setup) as it:
        reply = await send(it, cell)
    assert reply.state == "failed"
    assert exits.kinds == ["failed"]


async def test_a_shutdown() -> None:
    exits = Exits()
    async with served(Setup(script=waits, hooks={"x": exits})) as it:
        await it.send("hi", wait=False)
    assert exits.kinds == ["shut_down"]


async def test_a_message_to_a_finished_task_never_starts() -> None:
    """The gate lets it in, then the SDK refuses it."""
    exits = Exits()
    async with served(Setup(script=answers, hooks={"x": exits})) as it:
        done = await it.send("hi")
        late = await it.send("more", task_id=task_of(done))
        assert exits.kinds == ["completed", "never_started"]
    assert late.error is not None
    assert exits.kinds == ["completed", "never_started"]


async def test_a_message_in_the_queue_of_a_canceled_task_never_starts() -> None:
    exits = Exits()
    async with served(Setup(script=waits, hooks={"x": exits})) as it:
        begun = await it.send("hi", wait=False)
        queued = asyncio.create_task(it.send("more", task_id=task_of(begun)))
        await asyncio.sleep(0.05)
        await it.call("CancelTask", {"id": task_of(begun)})
        assert sorted(exits.kinds) == ["canceled", "canceled"]
        await asyncio.wait_for(queued, 5)
    assert sorted(exits.kinds) == ["canceled", "canceled"]


async def test_an_sdk_error_is_a_refusal() -> None:
    exits = Exits()
    error = InvalidRequestError(message="no", data={"reason": "mine"})
    hooks = {"x": exits, "refuses": Breaks("before_agent", error)}
    async with served(Setup(script=answers, hooks=hooks)) as it:
        reply = await it.send("hi")
    assert reply.error is not None
    assert reply.error["message"] == "no"
    assert exits.kinds == ["rejected"]


class Named(OnExit):
    """Notes its name, then may raise."""

    def __init__(self, name: str, log: list[str], error: BaseException | None) -> None:
        self._name, self._log, self._error = name, log, error

    async def on_exit(self, outcome: Outcome) -> None:
        self._log.append(self._name)
        if self._error:
            raise self._error


@pytest.mark.parametrize("error", [KeyError("key"), asyncio.CancelledError()], ids=repr)
async def test_the_last_comes_first_and_none_stops_the_others(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    ran: list[str] = []
    hooks: dict[str, object] = {
        name: Named(name, ran, error if name == "b" else None) for name in "abc"
    }
    async with served(Setup(script=answers, hooks=hooks)) as it:
        reply = await it.send("hi")
    assert reply.state == "completed"
    assert ran == ["c", "b", "a"]
    assert "on_exit of interceptor 'b' failed" in caplog.text


def task_of(reply: Reply) -> str:
    """Give the id of the task, which a task that just began has as its own id."""
    answer = reply.answers[0]
    assert isinstance(answer, dict)
    result = answer["result"]
    assert isinstance(result, dict)
    task = result["task"]
    assert isinstance(task, dict)
    return str(task["id"])
