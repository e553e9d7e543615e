"""The further seams that recipes stand on; a chain finds them by these bases."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from typing import TypeAlias

from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import RequestHandler
from a2a.server.tasks import PushNotificationConfigStore, PushNotificationSender
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
    "OnSendOffLoop",
    "OnSilentEvent",
    "Outgoing",
    "Perimeter",
    "Pushing",
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


class OnSilentEvent(ABC):
    """Has its `after_event` called for events that no update is made of, too."""

    @abstractmethod
    def wants(self, event: AdkEvent) -> bool:
        """Tell whether `after_event` is to see the event.

        The legacy implementation makes no update of an event without content, so
        a `working` status without a message stands in for one. `after_event` has
        to take that out: ADK would take it for the agent's last word.
        """


class Closing(ABC):
    """Holds something that is closed with the application."""

    @abstractmethod
    async def close(self) -> None:
        """Close it; the last request is settled by then."""


class Pushing(ABC):
    """Pushes what becomes of a task to the webhooks that its caller sets."""

    @abstractmethod
    def push(
        self, name: str
    ) -> tuple[PushNotificationConfigStore, PushNotificationSender]:
        """Give where webhooks are kept, and what calls them.

        Called once for each start of the application; the card says then that the
        service pushes.

        Args:
            name: The interceptor's name in the spec.
        """


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


class OnSendOffLoop(OnSend):
    """Sees the same, but takes too long for the event loop."""

    @abstractmethod
    async def on_send_off_loop(self, event: Outgoing) -> Outgoing | list[Outgoing]:
        """Do what `on_send` does, elsewhere, and within a time of its own.

        What it raises fails the run, and the event doesn't leave.
        """
