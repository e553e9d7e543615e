"""Hooks that share an object during one request, typed by the spec's `state`.

ADK makes no object for a request, and calls its hooks with the run's facts
alone; so what `before_agent` acquired could be kept in a global only.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from .interceptor import (
    A2AEvent,
    AdkEvent,
    EventResult,
    ExecutorContext,
    Outcome,
    RequestContext,
    RequestFacts,
    TaskStatusUpdateEvent,
)

__all__ = [
    "SharedState",
    "StatefulAfterAgent",
    "StatefulAfterEvent",
    "StatefulBeforeAgent",
    "StatefulHooks",
    "StatefulOnExit",
]


@dataclass(kw_only=True, slots=True)
class SharedState:
    """What the hooks of one interceptor share during one request.

    Attributes:
        request: The facts of the request.
    """

    request: RequestFacts


StateT = TypeVar("StateT", bound=SharedState)


class StatefulBeforeAgent(ABC, Generic[StateT]):
    """Sees a message before a task is made for it."""

    @abstractmethod
    async def before_agent(
        self, context: RequestContext, state: StateT
    ) -> RequestContext:
        """Return the context to go on with, or raise `Rejected` to refuse.

        As in `BeforeAgent`, with the state just made.
        """


class StatefulAfterEvent(ABC, Generic[StateT]):
    """Sees each A2A event that an ADK event was converted to."""

    @abstractmethod
    async def after_event(
        self,
        context: ExecutorContext,
        event: A2AEvent,
        adk_event: AdkEvent,
        state: StateT,
    ) -> EventResult:
        """Return the event, a list to send in its place, or None to drop it.

        As in `AfterEvent`, with the state of the request.
        """


class StatefulAfterAgent(ABC, Generic[StateT]):
    """Sees the final status of a run."""

    @abstractmethod
    async def after_agent(
        self,
        context: ExecutorContext,
        final_event: TaskStatusUpdateEvent,
        state: StateT,
    ) -> TaskStatusUpdateEvent:
        """Return the final status to send.

        As in `AfterAgent`, with the state of the request.
        """


class StatefulOnExit(ABC, Generic[StateT]):
    """Sees how a request ended."""

    @abstractmethod
    async def on_exit(self, outcome: Outcome, state: StateT) -> None:
        """Release what the request holds, count it, write it down.

        As in `OnExit`, with the state of the request. It is a new one if
        another interceptor refused before this one was asked.
        """


StatefulHooks: TypeAlias = (
    StatefulBeforeAgent[StateT]
    | StatefulAfterEvent[StateT]
    | StatefulAfterAgent[StateT]
    | StatefulOnExit[StateT]
)
