"""What stands around a run, for tests of the executor by itself."""

import asyncio
from dataclasses import dataclass, field

from a2a.server.agent_execution import RequestContext
from a2a.server.events import Event, EventQueue
from a2a.types import TaskStatusUpdateEvent

from runtime.seams.exchange import Exchange, current
from runtime.seams.interceptor import BeforeAgent, OnExit, Outcome
from runtime.seams.protocols import OnSend, Outgoing

__all__ = ["Around"]


@dataclass(eq=False)
class Around(EventQueue, BeforeAgent, OnSend, OnExit):
    """All that is around runs: the queue, and an interceptor.

    Attributes:
        refuses: What is raised before a run.
        holds: What no event may have in it to get out.
        breaks: What the queue raises, once.
        seen: Whose events were about to leave.
        events: What left.
        begun: Set when the status of a run that works has left.
        outcomes: How requests ended, and how many events had left then.
    """

    refuses: BaseException | None = None
    holds: str = "nothing"
    breaks: Exception | None = None
    seen: list[Exchange] = field(default_factory=list[Exchange])
    events: list[Event] = field(default_factory=list[Event])
    outcomes: list[tuple[Outcome, int]] = field(
        default_factory=list[tuple[Outcome, int]]
    )
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Let a request in, or don't."""
        if self.refuses is not None:
            raise self.refuses
        return context

    def on_send(self, event: Outgoing) -> Outgoing:
        """See an event."""
        self.seen.append(current())
        if self.holds in str(event):
            raise ConnectionError(self.holds)
        return event

    async def enqueue_event(self, event: Event) -> None:
        """Let it leave."""
        error, self.breaks = self.breaks, None
        if error is not None:
            raise error
        self.events.append(event)
        if isinstance(event, TaskStatusUpdateEvent):
            self.begun.set()

    async def on_exit(self, outcome: Outcome) -> None:
        """Note an end."""
        self.outcomes.append((outcome, len(self.events)))

    @property
    def ended(self) -> list[str]:
        """How requests ended: the kind, the code, and what was raised."""
        return [
            f"{each.kind} {each.error_code} {type(each.error).__name__}"
            for each, _ in self.outcomes
        ]

    @property
    def last(self) -> tuple[int, str]:
        """The last status that left, and its text."""
        event = self.events[-1]
        assert isinstance(event, TaskStatusUpdateEvent)
        return event.status.state, "".join(p.text for p in event.status.message.parts)
