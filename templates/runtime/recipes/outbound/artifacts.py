"""The recipe `artifacts`: what the agent saves reaches its caller, up to a size."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from a2a.types import TaskArtifactUpdateEvent, TaskState, TaskStatusUpdateEvent

from ...boundary.masking import masked
from ...seams.exchange import current
from ...seams.interceptor import (
    A2AEvent,
    AdkEvent,
    AfterEvent,
    EventResult,
    ExecutorContext,
)
from ...seams.protocols import OnSilentEvent
from ...seams.rejection import Rejected
from ..part_content import content_size, media_type_of
from .saved_artifact import SavedArtifact, Update

__all__ = ["Artifacts"]

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Delivered:
    """What was delivered during one request."""

    saved: set[SavedArtifact] = field(default_factory=set[SavedArtifact])


class Artifacts(AfterEvent, OnSilentEvent):
    """Delivers saved artifacts by ADK's own interceptor, each in an update of its own.

    What is too large, or can't be loaded, has a note in its place. Since all of it
    leaves as any update does, each recipe that looks at what leaves looks at it.
    """

    def __init__(
        self,
        *,
        max_bytes: int = 1_000_000,
        over_cap: Literal["reference", "fail"] = "reference",
        names: tuple[str, ...] = ("*",),
    ) -> None:
        """Deliver these.

        Args:
            max_bytes: The most bytes of one, decoded.
            over_cap: What becomes of a larger one: a note in its place, or a
                task that fails.
            names: Which, by name; `*` in one stands for any text.

        Raises:
            ValueError: If nothing could be delivered.
        """
        if max_bytes < 1 or not names:
            raise ValueError("max_bytes must be above zero, and names not empty")
        self._max_bytes = max_bytes
        self._fails = over_cap == "fail"
        self._patterns = [_with_stars_only(name) for name in names]

    def wants(self, event: AdkEvent) -> bool:
        """Tell whether something was saved, be there content or not."""
        return any(self._named(event))

    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        """Give the update, and what was saved after it.

        Raises:
            Rejected: With `artifact_too_large`, if that is to fail the task.
        """
        if not isinstance(event, TaskStatusUpdateEvent | TaskArtifactUpdateEvent):
            return event
        events: list[A2AEvent] = [] if _stands_in(event) else [event]
        delivered = current().state("artifacts", _Delivered, _Delivered).saved
        for saved in self._named(adk_event):
            # Each chunk of a text says again what was saved before the text.
            if saved not in delivered:
                delivered.add(saved)
                events.append(await self._update(saved, context, event, adk_event))
        return events

    def _named(self, event: AdkEvent) -> Iterator[SavedArtifact]:
        for name, version in event.actions.artifact_delta.items():
            if any(fnmatchcase(name, pattern) for pattern in self._patterns):
                yield SavedArtifact(name, version)

    async def _update(
        self,
        saved: SavedArtifact,
        context: ExecutorContext,
        beside: Update,
        adk_event: AdkEvent,
    ) -> TaskArtifactUpdateEvent:
        try:
            update = await saved.load(context, beside, adk_event)
            parts = list(update.artifact.parts) if update else []
            size = sum(map(content_size, parts))
        except Exception as error:
            _warn(saved, f"can't be loaded: {type(error).__name__}: {error}")
            return saved.note(beside, "unavailable")
        if update is None:
            _warn(saved, "isn't there any more")
            return saved.note(beside, "missing")
        if size <= self._max_bytes:
            return update
        if self._fails:
            message = f"a file of the answer has more than {self._max_bytes} bytes"
            raise Rejected("artifact_too_large", message=message)
        media_type = media_type_of(parts[0])
        return saved.note(beside, "too_large", bytes=size, media_type=media_type)


def _with_stars_only(name: str) -> str:
    """Make a pattern in which nothing but a star is special."""
    return name.replace("[", "[[]").replace("?", "[?]")


def _stands_in(event: Update) -> bool:
    """Tell whether it only stands for an event that no update is made of."""
    if not isinstance(event, TaskStatusUpdateEvent):
        return False
    is_working = event.status.state == TaskState.TASK_STATE_WORKING
    return is_working and not event.status.HasField("message")


def _warn(saved: SavedArtifact, problem: str) -> None:
    _log.warning(
        "request %s: artifact %r, version %d, %s",
        current().facts.correlation_id,
        masked(saved.name),
        saved.version,
        masked(problem),
    )
