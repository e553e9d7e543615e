"""The texts of one request that come in chunks, each until its end.

The new implementation streams chunks of an artifact, the legacy one messages of
the task's status; both then send the whole text again.
"""

from collections.abc import Callable, MutableSequence
from copy import deepcopy
from typing import Protocol, TypeAlias

from a2a.types import (
    Artifact,
    Message,
    Part,
    TaskArtifactUpdateEvent,
    TaskStatusUpdateEvent,
)

from ..outbound.outbound_metadata import is_thought
from .walking import RewriteParts

__all__ = ["HeldTexts", "Stream", "Update", "holder_of"]

Update: TypeAlias = TaskStatusUpdateEvent | TaskArtifactUpdateEvent


class Stream(Protocol):
    """A text that comes in chunks."""

    def take(self, text: str, *, is_last: bool = False) -> str:
        """Take the next chunk, and give what can leave; at the end all of it."""
        ...


WalkAround: TypeAlias = Callable[[Update, RewriteParts], None]


class HeldTexts:
    """What is held back of one request.

    Attributes:
        speaker: Whose event of ADK is being sent.
        is_partial: Whether that event is a chunk.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.speaker = ""
        self.is_partial = False
        self._open: dict[str, _Open] = {}

    def take(
        self, key: str, chunk: Update, begin: Callable[[], Stream], walk: WalkAround
    ) -> Update:
        """Give a copy of a chunk with what can leave of its text by now.

        Args:
            key: Which text it goes on with.
            chunk: The chunk.
            begin: Makes the stream of a new text.
            walk: Redacts all of an event but the texts of its parts.
        """
        text = self._open.get(key)
        if text is None:
            self._open[key] = text = _Open(begin)
        return text.take(chunk, walk)

    def end(self, key: str) -> list[Update]:
        """Forget a text, and give what was held of it as one more chunk."""
        text = self._open.pop(key, None)
        return text.rest() if text else []

    def end_all(self) -> list[Update]:
        """Give what was held of all texts."""
        return [rest for key in list(self._open) for rest in self.end(key)]

    def end_repeated(self, key: str, artifact: Artifact) -> list[Update] | None:
        """End a text, if the artifact says its last chunk again.

        The legacy implementation makes an artifact of the last message. If that is
        a chunk, it may be the second half of a secret.

        Returns:
            What left as the last chunk, and what was held; None if it doesn't.
        """
        text = self._open.get(key)
        if text is None or not self.is_partial or not text.ends_with(artifact):
            return None
        return [text.sent, *self.end(key)]


class _Open:
    """A text that goes on."""

    def __init__(self, begin: Callable[[], Stream]) -> None:
        self._begin = begin
        self._stream = begin()
        self._last = Part()
        self._source: list[Part] = []
        self.sent: Update = TaskStatusUpdateEvent()

    def take(self, chunk: Update, walk: WalkAround) -> Update:
        self._source = list(holder_of(chunk).parts)
        self.sent = deepcopy(chunk)
        walk(self.sent, self._rewrite)
        return self.sent

    def ends_with(self, artifact: Artifact) -> bool:
        """Tell whether the artifact has the parts of the last chunk."""
        return self._source == list(artifact.parts)

    def rest(self) -> list[Update]:
        """Give what is held as a chunk of the same kind as the last one."""
        parts = self._held()
        if not parts:
            return []
        update = deepcopy(self.sent)
        holder = holder_of(update)
        del holder.parts[:]
        holder.parts.extend(parts)
        if isinstance(update, TaskArtifactUpdateEvent):
            update.append = True
        else:
            update.status.message.message_id += "-rest"
        return [update]

    def _rewrite(self, parts: MutableSequence[Part]) -> None:
        given: list[Part] = []
        for part in parts:
            is_text = part.WhichOneof("content") == "text"
            # A thought and an answer are two texts; so is what stands around data.
            if not is_text or is_thought(part.metadata) != is_thought(
                self._last.metadata
            ):
                given += self._held()
            if is_text:
                self._last = deepcopy(part)
                part.text = self._stream.take(part.text)
            given.append(part)
        copies = deepcopy(given)
        del parts[:]
        parts.extend(copies)

    def _held(self) -> list[Part]:
        """End the stream, and give what it held as a part."""
        rest = self._stream.take("", is_last=True)
        self._stream = self._begin()
        part = deepcopy(self._last)
        part.text = rest
        return [part] if rest else []


def holder_of(update: Update) -> Artifact | Message:
    """Give what the parts of an update stand in."""
    if isinstance(update, TaskArtifactUpdateEvent):
        return update.artifact
    return update.status.message
