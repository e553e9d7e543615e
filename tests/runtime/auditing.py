"""What the tests of the audit share: an agent, its ends, and rows."""

import asyncio
from collections.abc import AsyncGenerator, Callable

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types
from tests.runtime.limited import from_user, identity
from tests.runtime.messages import begun_task
from tests.runtime.serving import Cell

from runtime.recipes.auditing.row import AuditRow
from runtime.recipes.auditing.trail import AuditTrail
from runtime.seams.interceptor import BeforeAgent, RequestContext
from runtime.seams.rejection import Rejected
from testing.harness import Caller, Content
from testing.scripted import adk_event

__all__ = [
    "ENDS",
    "WORD",
    "Agent",
    "Refuses",
    "a_row",
    "begin",
    "chain",
    "end_by",
    "hello",
    "until",
]

WORD = "orchid-4711"
"""What no row may hold."""


class Agent:
    """Does what it is told."""

    def __init__(self) -> None:
        self.does = "answer"
        self.runs = self.done = 0
        self.go_on = asyncio.Event()

    async def __call__(self, _: InvocationContext) -> AsyncGenerator[Event, None]:
        self.runs += 1
        yield adk_event(f"so far: {WORD}")
        if self.does == "wait":
            await self.go_on.wait()
        if self.does == "raise":
            raise ConnectionError(WORD)
        if self.does == "pause":
            call = types.FunctionCall(id="call", name="approve", args={"of": WORD})
            content = types.Content(
                role="model", parts=[types.Part(function_call=call)]
            )
            yield Event(
                author="scripted", content=content, long_running_tool_ids={"call"}
            )
        self.done += 1


class Refuses(BeforeAgent):
    """Refuses while it is told to."""

    refuses = False

    async def before_agent(self, context: RequestContext) -> RequestContext:
        if self.refuses:
            raise Rejected("not_today", message=WORD)
        return context


def hello() -> Content:
    """Make a message that has the word wherever it can have one."""
    sent = from_user("u1", Authorization=f"Bearer {WORD}")
    return Content(parts=[{"text": WORD}], headers=sent.headers, metadata={"of": WORD})


def chain(audit: AuditTrail, **more: object) -> dict[str, object]:
    """Make a chain in which callers have names."""
    return {"who": identity(), "audit": audit, **more}


async def until(happened: Callable[[], bool]) -> None:
    """Wait until something happened."""
    for _ in range(5000):
        if happened():
            return
        await asyncio.sleep(0.001)
    pytest.fail("it did not happen")


async def begin(it: Caller, agent: Agent) -> str:
    """Begin a run that waits, and give its task."""
    agent.does = "wait"
    before = agent.runs
    begun = await it.send(hello(), wait=False)
    await until(lambda: agent.runs > before)
    return begun_task(begun)


ENDS = {
    "answer": ("completed", None),
    "raise": ("failed", "internal_error"),
    "pause": ("paused", None),
    "cancel": ("canceled", None),
    "deadline": ("timed_out", "deadline_exceeded"),
    "refused": ("rejected", "not_today"),
    "shutdown": ("shut_down", None),
}
"""How a request may end: its kind and its error code, by what is done."""


async def end_by(
    it: Caller, agent: Agent, later: Refuses, end: str, cell: Cell
) -> None:
    """Let a request come to an end."""
    if end in ("cancel", "shutdown"):
        task_id = await begin(it, agent)
        if end == "cancel":
            await it.call("CancelTask", {"id": task_id}, headers=hello().headers)
        return
    later.refuses = end == "refused"
    agent.does = "wait" if end == "deadline" else end
    await it.send(hello(), cell.wire, extension=cell.extension)


def a_row(number: int = 0) -> AuditRow:
    """Make a row with a name."""
    return AuditRow(kind="completed", ended="now", correlation_id=f"c{number}")
