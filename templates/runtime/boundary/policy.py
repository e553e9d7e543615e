"""When a run is over, and what it ends with."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["EmptyResult", "Policy"]

EmptyResult: TypeAlias = Literal["complete", "text", "last_output", "fail"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """How a run ends, from `run` in interceptors.yaml.

    Attributes:
        deadline_s: Seconds that a run may take.
        idle_deadline_s: Seconds that may pass without an event.
        empty_result: How a run ends that produced nothing: completed as it is,
            with `empty_text`, with what the last node of a workflow gave, or
            failed with `empty_result`.
        empty_text: What the caller reads then.
    """

    deadline_s: float | None = None
    idle_deadline_s: float | None = None
    empty_result: EmptyResult = "complete"
    empty_text: str = ""

    @property
    def limits(self) -> str:
        """The deadlines in words, for the log."""
        named = (
            ("in all", self.deadline_s),
            ("without an event", self.idle_deadline_s),
        )
        return " or ".join(f"{limit:g} s {what}" for what, limit in named if limit)
