"""The contract of quota."""

from orders.service.interceptor import (
    A2AEvent,
    AdkEvent,
    BeforeAgent,
    EventResult,
    ExecutorContext,
    RequestContext,
    TaskStatusUpdateEvent,
)

__all__ = [
    "A2AEvent",
    "AdkEvent",
    "EventResult",
    "ExecutorContext",
    "Hooks",
    "RequestContext",
    "TaskStatusUpdateEvent",
]


class Hooks(BeforeAgent):
    """Counts what each caller costs."""
