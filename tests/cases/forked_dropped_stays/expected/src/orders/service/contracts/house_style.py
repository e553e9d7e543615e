"""The contract of house_style."""

from dataclasses import dataclass

from orders.service.interceptor import (
    A2AEvent,
    AdkEvent,
    AfterAgent,
    AfterEvent,
    EventResult,
    ExecutorContext,
    TaskStatusUpdateEvent,
)

__all__ = [
    "A2AEvent",
    "AdkEvent",
    "Config",
    "EventResult",
    "ExecutorContext",
    "Hooks",
    "TaskStatusUpdateEvent",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """The configuration of house_style."""

    signature: str = "- the orders desk"


class Hooks(AfterEvent, AfterAgent):
    """Signs every answer."""

    def __init__(self, config: Config) -> None:
        """Keep the configuration for the hooks."""
        self.config = config
