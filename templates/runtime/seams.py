"""The further seams that recipes stand on; a chain finds them by these bases."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from typing import TypeAlias

from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import RequestHandler
from a2a.types import (
    AgentCard,
    Message,
    SendMessageRequest,
    Task,
    TaskArtifactUpdateEvent,
    TaskStatusUpdateEvent,
)
from google.adk.a2a.converters.request_converter import AgentRunRequest
from google.adk.events.event import Event as AdkEvent
from starlette.types import ASGIApp

__all__ = [
    "Closing",
    "OnAdkEvent",
    "OnMessage",
    "OnRequest",
    "OnSend",
    "Outgoing",
    "Perimeter",
]

Outgoing: TypeAlias = Task | TaskStatusUpdateEvent | TaskArtifactUpdateEvent


class Perimeter(ABC):
    """Stands around all A2A routes, so it sees every method, not only sending."""

    @abstractmethod
    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Give the application that answers in the place of this one."""

    @abstractmethod
    def describe(self, card: AgentCard) -> None:
        """Say in the card what `wrap` demands."""


class OnMessage(ABC):
    """Stands around the SDK's handler where a message is sent.

    It is called before a task is looked for and before any `before_agent`, so it
    may answer without a run. What it raises settles the request as refused.
    """

    @abstractmethod
    async def on_message_send(
        self,
        inner: RequestHandler,
        params: SendMessageRequest,
        context: ServerCallContext,
    ) -> Message | Task:
        """Send the message, or answer in its place."""

    @abstractmethod
    def on_message_send_stream(
        self,
        inner: RequestHandler,
        params: SendMessageRequest,
        context: ServerCallContext,
    ) -> AsyncGenerator[Event, None]:
        """Send the message, or give other events in the place of its own."""


class OnRequest(ABC):
    """Sees what the agent is going to be run with."""

    @abstractmethod
    def on_request(
        self, context: RequestContext, request: AgentRunRequest
    ) -> AgentRunRequest:
        """Return the arguments of the run, changed or not.

        Runs down the list, after the request converter, in the executor; so
        what can be refused is refused in `before_agent`.
        """


class OnAdkEvent(ABC):
    """Sees each event of the agent."""

    @abstractmethod
    def on_adk_event(self, event: AdkEvent) -> None:
        """Look at the event, also at one that no update is made of.

        `after_event` sees only what a caller is going to get.
        """


class Closing(ABC):
    """Holds something that is closed with the application."""

    @abstractmethod
    async def close(self) -> None:
        """Close it; the last request is settled by then."""


class OnSend(ABC):
    """Sees everything that leaves the executor, what hooks don't see included."""

    @abstractmethod
    def on_send(self, event: Outgoing) -> Outgoing | list[Outgoing]:
        """Return the event to send, changed or not, or the events in its place.

        Runs down the list, after the hooks: for the first task, each update,
        the final status, and a failure; so also for what is stored. Of a list,
        each goes on down the list. What is held back has to leave before the
        final status does.
        """
