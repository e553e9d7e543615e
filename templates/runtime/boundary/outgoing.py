"""The queue that an executor publishes to, with the boundary in between."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Sequence

from a2a.server.agent_execution import RequestContext
from a2a.server.events import Event as A2AEvent
from a2a.server.events import EventQueue
from a2a.types import (
    Message,
    Part,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)

from ..seams.exchange import Exchange
from ..seams.protocols import OnSend, OnSendOffLoop, Outgoing
from ..seams.request import OutcomeKind
from .failures import Failure, Failures, failed_update

__all__ = ["PAUSED", "TERMINAL", "OutgoingQueue"]

_log = logging.getLogger(__name__)

TERMINAL = frozenset(
    {
        TaskState.TASK_STATE_COMPLETED,
        TaskState.TASK_STATE_CANCELED,
        TaskState.TASK_STATE_FAILED,
        TaskState.TASK_STATE_REJECTED,
    }
)
PAUSED = frozenset(
    {TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_AUTH_REQUIRED}
)
"""The states of a task that waits for its caller."""
_KINDS: dict[TaskState, OutcomeKind] = {
    TaskState.TASK_STATE_COMPLETED: "completed",
    TaskState.TASK_STATE_FAILED: "failed",
    TaskState.TASK_STATE_REJECTED: "rejected",
    TaskState.TASK_STATE_CANCELED: "canceled",
    TaskState.TASK_STATE_INPUT_REQUIRED: "paused",
    TaskState.TASK_STATE_AUTH_REQUIRED: "paused",
}


class OutgoingQueue(EventQueue):
    """Passes events on, but for the last status, which waits for the settlement.

    Attributes:
        failure: What failed the run, if ADK said so.
        kind: What the last status makes of the run.
        has_sent: Whether anything left.
        is_empty: Whether nothing left that a caller could read.
        moved_at: When the last event came, on the loop's clock.
    """

    def __init__(
        self,
        inner: EventQueue,
        context: RequestContext,
        exchange: Exchange,
        failures: Failures,
        sends: Sequence[OnSend],
    ) -> None:
        """Stand before the SDK's queue.

        Args:
            inner: The SDK's queue.
            context: The request.
            exchange: What is kept of it.
            failures: Tells failures.
            sends: What sees each event before it leaves, in this order.
        """
        self._inner = inner
        self._context = context
        self._exchange = exchange
        self._failures = failures
        self._sends = sends
        self._clock = asyncio.get_running_loop().time
        self._closed = False
        self._has_task = context.current_task is not None
        # The last status waits: a caller that hears of the end may rely on it
        # that everything is settled.
        self._held: TaskStatusUpdateEvent | None = None
        self.failure: Failure | None = None
        self.has_sent = False
        self.is_empty = True
        self.moved_at = self._clock()

    async def enqueue_event(self, event: A2AEvent) -> None:
        """Take an event of ADK's executor."""
        self.moved_at = self._clock()
        if self._closed or self._is_failure_of_adk(event):
            return
        held, self._held = self._held, None
        if held is not None:
            await self.send(held)
        if isinstance(event, TaskStatusUpdateEvent) and event.status.state in _KINDS:
            self._held = self._safe(event)
            self.is_empty = self.is_empty and not _says_something(event)
        else:
            await self.send(event)

    @property
    def kind(self) -> OutcomeKind:
        """What the last status makes of the run; one left open has completed."""
        return _KINDS[self._held.status.state] if self._held else "completed"

    async def send(self, event: A2AEvent) -> None:
        """Let the event leave."""
        if isinstance(event, Message):
            await self._leave(event)
            return
        events = [event]
        for each in self._sends:
            seen: list[Outgoing] = []
            for given in events:
                if isinstance(each, OnSendOffLoop):
                    seen += _listed(await each.on_send_off_loop(given))
                else:
                    seen += _listed(each.on_send(given))
            events = seen
        for sent in events:
            self.is_empty = self.is_empty and not _says_something(sent)
            self._has_task = self._has_task or isinstance(sent, Task)
            await self._leave(sent)

    async def _leave(self, event: A2AEvent) -> None:
        self.has_sent = True
        await self._inner.enqueue_event(event)

    async def end(self, failure: Failure | None) -> None:
        """Send the last status: the failure if there is one, or what was held."""
        try:
            if failure is not None:
                await self._fail(failure, self.send)
            elif self._held is not None:
                await self.send(self._held)
        except Exception:
            # What sees events before they leave broke, so nothing of them leaves.
            correlation_id = self._exchange.facts.correlation_id
            _log.exception("request %s: its end could not be sent", correlation_id)
            text = self._failures.public_message
            unseen = Failure(code="internal_error", text=text)
            await self._fail(unseen, self._inner.enqueue_event, history=False)

    async def _fail(
        self,
        failure: Failure,
        send: Callable[[A2AEvent], Awaitable[None]],
        *,
        history: bool = True,
    ) -> None:
        facts, message = self._exchange.facts, self._context.message
        if not self._has_task:
            task = Task(
                id=facts.task_id,
                context_id=facts.context_id,
                status=TaskStatus(state=TaskState.TASK_STATE_SUBMITTED),
                history=[message] if history and message else [],
            )
            await send(task)
        await send(failed_update(failure, facts))

    def close(self) -> None:
        """Drop what a run that was given up still says."""
        self._closed = True

    def _is_failure_of_adk(self, event: A2AEvent) -> bool:
        # ADK swallows what failed a run and publishes its text from inside the
        # handler; there the exception is the one that is being handled.
        error = sys.exception()
        if error is None or not isinstance(event, TaskStatusUpdateEvent):
            return False
        if event.status.state != TaskState.TASK_STATE_FAILED:
            return False
        self.failure = self._failures.of(error, self._exchange.facts, logged=True)
        return True

    def _safe(self, event: TaskStatusUpdateEvent) -> TaskStatusUpdateEvent:
        detail = self._exchange.agent_error
        if detail is None or event.status.state != TaskState.TASK_STATE_FAILED:
            return event
        # The agent reported an error of its model as an event; ADK sends its text.
        if self.failure is None:
            facts = self._exchange.facts
            self.failure = self._failures.without_error("agent_error", detail, facts)
        return failed_update(self.failure, self._exchange.facts)


def _listed(given: Outgoing | list[Outgoing]) -> list[Outgoing]:
    return given if isinstance(given, list) else [given]


def _says_something(event: Outgoing) -> bool:
    if isinstance(event, TaskArtifactUpdateEvent):
        return any(map(_has_content, event.artifact.parts))
    if isinstance(event, TaskStatusUpdateEvent):
        return any(map(_has_content, event.status.message.parts))
    return False


def _has_content(part: Part) -> bool:
    kind = part.WhichOneof("content")
    return kind is not None and (kind != "text" or bool(part.text))
