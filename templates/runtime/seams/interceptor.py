"""The hooks that an interceptor can have, in ADK's own terms.

A hooks class names the ones it has by its bases, so a type checker knows
which methods it must define and how each is called.
"""

from abc import ABC, abstractmethod
from typing import TypeAlias

from a2a.server.agent_execution import RequestContext
from a2a.server.events import Event as A2AEvent
from a2a.types import TaskStatusUpdateEvent
from google.adk.a2a.executor.executor_context import ExecutorContext
from google.adk.events.event import Event as AdkEvent

from .rejection import Rejected
from .request import Outcome, RequestFacts

__all__ = [
    "A2AEvent",
    "AdkEvent",
    "AfterAgent",
    "AfterEvent",
    "BeforeAgent",
    "EventResult",
    "ExecutorContext",
    "Hooks",
    "OnExit",
    "Outcome",
    "Rejected",
    "RequestContext",
    "RequestFacts",
    "TaskStatusUpdateEvent",
]

EventResult: TypeAlias = A2AEvent | list[A2AEvent] | None


class BeforeAgent(ABC):
    """Sees a message before a task is made for it."""

    @abstractmethod
    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Return the context to go on with, or raise `Rejected` to refuse.

        Nothing of a refused message is stored, and a paused task stays paused.
        Runs for sending only, not for reading, listing or cancelling tasks.
        """


class AfterEvent(ABC):
    """Sees each A2A event that an ADK event was converted to."""

    @abstractmethod
    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        """Return the event, a list to send in its place, or None to drop it.

        Doesn't see the first `submitted` and `working` updates, the final
        status, a failure or a cancel; nor, on the legacy implementation, the
        final artifact.
        """


class AfterAgent(ABC):
    """Sees the final status of a run."""

    @abstractmethod
    async def after_agent(
        self, context: ExecutorContext, final_event: TaskStatusUpdateEvent
    ) -> TaskStatusUpdateEvent:
        """Return the final status to send.

        Runs once a run, also when it pauses for input; not when it failed or
        was canceled.
        """


class OnExit(ABC):
    """Sees how a request ended."""

    @abstractmethod
    async def on_exit(self, outcome: Outcome) -> None:
        """Release what the request holds, count it, write it down.

        Runs exactly once for each request that reached the chain, however it
        ended, and before the caller hears of the end. What it raises is
        logged, and the other interceptors go on.
        """


Hooks: TypeAlias = BeforeAgent | AfterEvent | AfterAgent | OnExit
