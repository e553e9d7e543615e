"""A secret in the text of whatever fails reaches neither caller, store nor log."""

import logging
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any

import pytest
from a2a.server.agent_execution import RequestContext
from google.adk.a2a.converters.part_converter import A2APartToGenAIPartConverter
from google.adk.a2a.converters.request_converter import AgentRunRequest
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.runners import Runner
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.boundary.executor import BoundaryExecutor
from runtime.boundary.safe_errors import SafeErrors
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
from runtime.seams.protocols import OnRequest, OnSend, Outgoing
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)

SECRET = "pw-of-the-database"  # noqa: S105 - it is planted
TEXT = f"postgresql://orders:{SECRET}@db.internal:5432/orders is down"


def leak(*_: object, **__: object) -> None:
    """Fail as a database driver does."""
    raise ConnectionError(TEXT)


async def answers(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("an answer")


async def crashes(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("so far")
    leak()


async def chained(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("so far")
    try:
        leak()
    except ConnectionError as error:
        message = "no orders"
        raise LookupError(message) from error


async def reports_error(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield Event(author="scripted", error_code="500", error_message=TEXT)


class LeakyBefore(BeforeAgent):
    """Fails in the gate."""

    async def before_agent(self, context: RequestContext) -> RequestContext:
        leak()
        return context


class LeakyAfterEvent(AfterEvent):
    """Fails for each event."""

    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        leak()
        return event


class LeakyAfterAgent(AfterAgent):
    """Fails at the end."""

    async def after_agent(
        self, context: ExecutorContext, final_event: TaskStatusUpdateEvent
    ) -> TaskStatusUpdateEvent:
        leak()
        return final_event


class LeakyExit(OnExit):
    """Fails after the end."""

    async def on_exit(self, outcome: Outcome) -> None:
        leak()


class LeakyRequest(OnRequest):
    """Fails before the run."""

    def on_request(
        self, context: RequestContext, request: AgentRunRequest
    ) -> AgentRunRequest:
        leak()
        return request


class LeakySend(OnSend):
    """Fails for everything that leaves."""

    def on_send(self, event: Outgoing) -> Outgoing:
        leak()
        return event


class LeakySessions(InMemorySessionService):
    """Fails to find sessions."""

    async def get_session(self, **_: object) -> Session | None:
        leak()
        return None


def with_leaky_sessions() -> Runner:
    agent = BaseAgent(name="agent")
    return Runner(app_name="orders", agent=agent, session_service=LeakySessions())


def leaky_factory() -> Runner:
    leak()
    return with_leaky_sessions()


def leaky_converter(
    context: RequestContext, parts: A2APartToGenAIPartConverter
) -> AgentRunRequest:
    leak()
    return AgentRunRequest()


def leaky_conversion(*_: object) -> list[Any]:
    leak()
    return []


FAILING: dict[str, Callable[[], Setup]] = {
    "agent": lambda: Setup(script=crashes),
    "chained": lambda: Setup(script=chained),
    "error event": lambda: Setup(script=reports_error),
    "before_agent": lambda: Setup(script=answers, hooks={"leaky": LeakyBefore()}),
    "after_event": lambda: Setup(script=answers, hooks={"leaky": LeakyAfterEvent()}),
    "after_agent": lambda: Setup(script=answers, hooks={"leaky": LeakyAfterAgent()}),
    "on_exit": lambda: Setup(script=answers, hooks={"leaky": LeakyExit()}),
    "on_request": lambda: Setup(script=answers, hooks={"leaky": LeakyRequest()}),
    "on_send": lambda: Setup(script=answers, hooks={"leaky": LeakySend()}),
    "factory": lambda: Setup(script=answers, factory=leaky_factory),
    "sessions": lambda: Setup(script=answers, factory=with_leaky_sessions),
    "request converter": lambda: Setup(
        script=answers, config=A2aAgentExecutorConfig(request_converter=leaky_converter)
    ),
    "event converter": lambda: Setup(
        script=answers,
        config=A2aAgentExecutorConfig(
            event_converter=leaky_conversion, adk_event_converter=leaky_conversion
        ),
    ),
}


@each_cell
@pytest.mark.parametrize("path", FAILING)
async def test_a_secret_stays_here(
    cell: Cell, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    setup = replace(FAILING[path](), pin=cell.pin)
    async with served(setup) as caller:
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
        listed = await caller.call("ListTasks", {"includeArtifacts": True})
    assert SECRET not in str(reply.answers)
    assert SECRET not in str(listed.answers)
    assert SECRET not in caplog.text
    assert "postgresql://***@db.internal" in caplog.text
    assert not any(SECRET in str(record.args) for record in caplog.records)


@each_cell
@pytest.mark.parametrize("path", sorted(set(FAILING) - {"before_agent", "on_exit"}))
async def test_the_caller_learns_what_to_ask_with(
    cell: Cell, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    setup = replace(FAILING[path](), pin=cell.pin)
    async with served(setup) as caller:
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
    code = "agent_error" if path == "error event" else "internal_error"
    assert reply.state == "failed"
    assert "name the correlation id" in reply.text
    assert reply.metadata("error_code") == [code]
    (correlation_id,) = reply.metadata("correlation_id")
    assert f"request {correlation_id} failed: " in caplog.text


@each_cell
async def test_a_failing_gate_answers_alike(cell: Cell) -> None:
    setup = replace(FAILING["before_agent"](), pin=cell.pin)
    async with served(setup) as caller:
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
        listed = await caller.call("ListTasks", {})
    assert reply.error is not None
    assert reply.error["code"] == -32603
    assert "name the correlation id" in str(reply.error["message"])
    assert reply.metadata("correlation_id")
    assert listed.state is None


@each_cell
async def test_a_class_that_may_pass_keeps_its_text(cell: Cell) -> None:
    errors = SafeErrors(message="Sorry.", pass_through=("builtins:LookupError",))

    async def script(_: InvocationContext) -> AsyncGenerator[Event, None]:
        yield adk_event("so far")
        raise KeyError("order 7")

    setup = Setup(script=script, hooks={"errors": errors}, pin=cell.pin)
    async with served(setup) as caller:
        passed = await caller.send("hi", cell.wire, extension=cell.extension)
    async with served(replace(setup, script=crashes)) as caller:
        hidden = await caller.send("hi", cell.wire, extension=cell.extension)
    assert "order 7" in passed.text
    assert "Sorry." in hidden.text


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("builtins:KeyErorr", AttributeError),
        ("nowhere.to.be:Found", ImportError),
        ("builtins:len", TypeError),
        ("builtins:KeyboardInterrupt", TypeError),
    ],
)
def test_a_class_that_is_none_is_refused(name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        SafeErrors(pass_through=(name,))


def test_the_executor_is_adks() -> None:
    """Whatever wants an A2aAgentExecutor takes it."""
    assert BoundaryExecutor.__mro__[1].__name__ == "A2aAgentExecutor"
