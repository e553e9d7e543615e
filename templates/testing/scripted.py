"""Stand-ins for what a service runs: an agent with a script, a counted runner."""

from asyncio import sleep
from collections.abc import AsyncGenerator, Callable

from a2a.auth.user import User
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.events import Event as A2AEvent
from a2a.types import (
    Message,
    Part,
    Role,
    SendMessageRequest,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.adk.a2a.executor.executor_context import ExecutorContext
from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.runners import InMemoryRunner, Runner
from google.genai import types

__all__ = [
    "Factory",
    "Named",
    "ScriptedAgent",
    "adk_event",
    "executor_context",
    "request_context",
    "status_update",
    "until",
    "with_text",
]


class ScriptedAgent(BaseAgent):
    """Says its lines, one event each, unless it is told otherwise; counts its runs.

    Attributes:
        lines: What it says.
        pauses: Whether it asks for approval in their place.
        waits: Whether it waits for an hour first.
        raises: The text of an exception that it raises in the end, if any.
        reports: The text of an error that it reports in the end, if any.
        runs: How often it ran.
    """

    lines: tuple[str, ...] = ("one",)
    pauses: bool = False
    waits: bool = False
    raises: str = ""
    reports: str = ""
    runs: int = 0

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        self.runs += 1
        if self.waits:
            await sleep(3600)
        events = [_question()] if self.pauses else map(adk_event, self.lines)
        for event in events:
            event.invocation_id = ctx.invocation_id
            yield event
        if self.raises:
            raise ConnectionError(self.raises)
        if self.reports:
            yield Event(author=self.name, error_code="500", error_message=self.reports)


class CountedRunner(InMemoryRunner):
    """Remembers how often it was closed."""

    closed = 0

    async def close(self) -> None:
        """Close, and count it."""
        self.closed += 1
        await super().close()


class Factory:
    """An async runner factory that yields to other requests while it builds.

    Attributes:
        built: The runners it gave, in order.
        failures: How many builds still fail.
    """

    def __init__(self, agent: BaseAgent, failures: int = 0) -> None:
        """Give runners of the agent, after some failures."""
        self._agent = agent
        self.failures = failures
        self.built: list[CountedRunner] = []

    async def __call__(self) -> Runner:
        """Build a runner, or fail."""
        await sleep(0.01)
        if self.failures:
            self.failures -= 1
            message = "not yet"
            raise ConnectionError(message)
        self.built.append(CountedRunner(agent=self._agent, app_name="scripted"))
        return self.built[-1]


class Named(User):
    """A caller with a name, known or not."""

    def __init__(self, name: str = "ann", *, known: bool = True) -> None:
        """Have the name."""
        self._name, self._known = name, known

    @property
    def user_name(self) -> str:
        """Give the name."""
        return self._name

    @property
    def is_authenticated(self) -> bool:
        """Tell whether it is verified."""
        return self._known


async def until(happened: Callable[[], bool]) -> None:
    """Wait until something happened, for as long as a busy machine takes.

    Raises:
        TimeoutError: If it didn't in twenty seconds.
    """
    for _ in range(4000):
        if happened():
            return
        await sleep(0.005)
    raise TimeoutError


def request_context(text: str = "hello") -> RequestContext:
    """Make the context of a new message."""
    message = Message(message_id="m", role=Role.ROLE_USER, parts=[Part(text=text)])
    return RequestContext(ServerCallContext(), SendMessageRequest(message=message))


def executor_context(agent: BaseAgent) -> ExecutorContext:
    """Make what ADK tells hooks of a run."""
    runner = InMemoryRunner(agent=agent, app_name="scripted")
    return ExecutorContext("scripted", "user", "session", runner)


def status_update(text: str = "hello") -> TaskStatusUpdateEvent:
    """Make a status update that carries a text."""
    message = Message(message_id="m", role=Role.ROLE_AGENT, parts=[Part(text=text)])
    status = TaskStatus(state=TaskState.TASK_STATE_WORKING, message=message)
    return TaskStatusUpdateEvent(task_id="task", context_id="context", status=status)


def adk_event(text: str = "hello") -> Event:
    """Make an ADK event that carries a text."""
    content = types.Content(role="model", parts=[types.Part(text=text)])
    return Event(author="scripted", content=content)


def with_text(event: A2AEvent, text: str) -> A2AEvent:
    """Copy a status or artifact update with another text in its first part."""
    if isinstance(event, TaskArtifactUpdateEvent):
        artifact = TaskArtifactUpdateEvent()
        artifact.CopyFrom(event)
        artifact.artifact.artifact_id = text
        artifact.artifact.parts[0].text = text
        return artifact
    if isinstance(event, TaskStatusUpdateEvent):
        status = TaskStatusUpdateEvent()
        status.CopyFrom(event)
        status.status.message.parts[0].text = text
        return status
    return event


def _question() -> Event:
    call = types.FunctionCall(id="call", name="approve", args={})
    content = types.Content(role="model", parts=[types.Part(function_call=call)])
    return Event(author="scripted", content=content, long_running_tool_ids={"call"})
