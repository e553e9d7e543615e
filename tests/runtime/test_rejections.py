"""A refusal is the same for every caller, and leaves nothing behind."""

import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.events import Event as A2AEvent
from a2a.server.events import EventQueue
from a2a.utils.errors import (
    ContentTypeNotSupportedError,
    InvalidRequestError,
    UnsupportedOperationError,
)
from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.runners import InMemoryRunner
from google.genai import types
from tests.runtime.serving import CELLS, Cell, Exits, Setup, served

from runtime.seams.chain import guarded
from runtime.seams.interceptor import BeforeAgent
from runtime.seams.rejection import Rejected, RejectionError
from testing.harness import Json, values
from testing.scripted import adk_event, request_context

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)


async def asks_then_answers(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    content = ctx.user_content
    if content and any(part.function_response for part in content.parts or ()):
        yield adk_event("approved")
        return
    call = types.FunctionCall(id="call", name="approve", args={})
    asked = types.Content(role="model", parts=[types.Part(function_call=call)])
    yield Event(author="scripted", content=asked, long_running_tool_ids={"call"})


@dataclass
class Turnstile(BeforeAgent):
    """Refuses while it is closed."""

    refusal: Rejected
    closed: bool = True

    async def before_agent(self, context: RequestContext) -> RequestContext:
        if self.closed:
            raise self.refusal
        return context


def refusal() -> Rejected:
    return Rejected("rate_limited", message="Too many.", retry_after_s=7)


@each_cell
async def test_every_caller_gets_the_same(
    cell: Cell, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    hooks: dict[str, object] = {"quota": Turnstile(refusal())}
    setup = Setup(script=asks_then_answers, hooks=hooks, pin=cell.pin)
    async with served(setup) as caller:
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
        listed = await caller.call("ListTasks", {})

    error = reply.error
    assert error is not None
    assert error["code"] == -32600
    assert error["message"] == "Too many."
    data = data_of(error["data"])
    (correlation_id,) = reply.metadata("correlation_id")
    assert data == {
        "reason": "rate_limited",
        "policy": "quota",
        "retry_after_s": "7",
        "correlation_id": correlation_id,
    }
    assert list(values(listed.answers, "tasks")) == [[]]
    ours = [each for each in caplog.records if each.name.startswith("runtime")]
    assert [each.getMessage() for each in ours] == [
        f"request {correlation_id} rejected: reason=rate_limited policy=quota"
    ]
    assert "Traceback" not in caplog.text
    assert all(record.levelno < logging.ERROR for record in caplog.records)


@each_cell
async def test_a_refused_reply_leaves_the_task_paused(cell: Cell) -> None:
    turnstile = Turnstile(refusal(), closed=False)
    setup = Setup(script=asks_then_answers, hooks={"quota": turnstile}, pin=cell.pin)
    async with served(setup) as caller:
        paused = await caller.send("hi", cell.wire, extension=cell.extension)
        turnstile.closed = True
        refused = await caller.send(
            "yes", cell.wire, extension=cell.extension, task_id=paused.task_id
        )
        still = await caller.call("GetTask", {"id": paused.task_id})
        turnstile.closed = False
        approved = await caller.call(
            "SendMessage", {"message": approval(paused.task_id)}
        )
    assert paused.state == still.state == "input-required"
    assert refused.error is not None
    assert approved.state == "completed"
    assert "approved" in approved.text


@each_cell
async def test_a_reply_that_names_its_task_alone_stays_in_its_context(
    cell: Cell,
) -> None:
    exits = Exits()
    setup = Setup(script=asks_then_answers, hooks={"x": exits}, pin=cell.pin)
    async with served(setup) as caller:
        paused = await caller.send("hi", cell.wire, extension=cell.extension)
        approved = await caller.call(
            "SendMessage", {"message": approval(paused.task_id)}
        )
    first, second = exits.outcomes
    assert approved.state == "completed"
    assert first.request.context_id == second.request.context_id


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidRequestError, -32600),
        (UnsupportedOperationError, -32004),
        (ContentTypeNotSupportedError, -32005),
    ],
)
@each_cell
async def test_the_class_decides_the_code(
    cell: Cell, error: type[RejectionError], code: int
) -> None:
    hooks: dict[str, object] = {"guard": Turnstile(Rejected("no_way", error=error))}
    setup = Setup(script=asks_then_answers, hooks=hooks, pin=cell.pin)
    async with served(setup) as caller:
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
    assert reply.error is not None
    assert reply.error["code"] == code
    assert reply.error["message"] == "refused: no way"


@pytest.mark.parametrize("reason", ["", "Too many", "a-b", "1st", "a\n"])
def test_a_reason_is_a_token(reason: str) -> None:
    with pytest.raises(ValueError, match="a reason is a token"):
        Rejected(reason)


def test_a_wait_is_at_least_a_second() -> None:
    error = Rejected("soon", retry_after_s=0).as_error("id")
    assert "'retry_after_s': '1'" in repr(error)


def data_of(data: Json) -> Json:
    """Give the data as 0.3 has them: 1.0 wraps them in a list of details."""
    if isinstance(data, list):
        (detail,) = data
        assert isinstance(detail, dict)
        return detail["metadata"]
    return data


def approval(task_id: str) -> Json:
    """Make the message that answers the agent's question."""
    return {
        "messageId": "approval",
        "role": "ROLE_USER",
        "taskId": task_id,
        "parts": [
            {
                "data": {"id": "call", "name": "approve", "response": {"ok": True}},
                "metadata": {"adk_type": "function_response"},
            }
        ],
    }


class Nowhere(EventQueue):
    """Takes what an executor publishes."""

    async def enqueue_event(self, event: A2AEvent) -> None:
        raise AssertionError(event)


async def test_adks_own_entry_tells_the_reason_of_a_refusal() -> None:
    """There before_agent runs in the executor."""
    exits = Exits()
    setup = Setup(script=asks_then_answers)
    chain = [guarded("x", exits), guarded("quota", Turnstile(refusal()))]
    executor = setup.executor(InMemoryRunner(agent=BaseAgent(name="a")), chain)
    with pytest.raises(InvalidRequestError, match="Too many"):
        await executor.execute(request_context(), Nowhere())
    assert [(each.kind, each.error_code) for each in exits.outcomes] == [
        ("rejected", "rate_limited")
    ]
