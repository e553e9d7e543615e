"""The contract of quota."""

from orders.service.seams.interceptor import (
    A2AEvent,
    AdkEvent,
    BeforeAgent,
    EventResult,
    ExecutorContext,
    Outcome,
    Rejected,
    RequestContext,
    RequestFacts,
    TaskStatusUpdateEvent,
)

__all__ = [
    "A2AEvent",
    "AdkEvent",
    "EventResult",
    "ExecutorContext",
    "Hooks",
    "Outcome",
    "Rejected",
    "RequestContext",
    "RequestFacts",
    "TaskStatusUpdateEvent",
]


class Hooks(BeforeAgent):
    """Counts what each caller costs."""
