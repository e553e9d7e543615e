"""The recipe `redact`: no secret leaves, whatever it stands in."""

from collections.abc import Sequence
from copy import deepcopy

from a2a.types import Part, Task, TaskArtifactUpdateEvent, TaskState

from ...seams.exchange import current
from ...seams.interceptor import (
    A2AEvent,
    AdkEvent,
    AfterEvent,
    EventResult,
    ExecutorContext,
)
from ...seams.protocols import OnSend, Outgoing
from .bounded_pattern import bounded
from .entities import ENTITIES, EntityName, Form
from .file_texts import FileRule, file_rewriter
from .held_texts import HeldTexts, Stream, Update, holder_of
from .masks import Mask, MaskKind
from .quick_look import QuickLook
from .scanning import Finder, Scanner
from .text_stream import TextStream
from .walking import RewriteParts, Walker
from .whole_text import WholeText

__all__ = ["Redact"]

_NAME = "redact"


class Redact(AfterEvent, OnSend):
    """Masks secrets in all that the executor sends, so also in what is stored.

    In texts, data and its keys, names, addresses, metadata and files that are text.
    The agent, its tools and its session keep the originals: what leaves is a copy.
    Of a text that comes in chunks, what may be a part of a secret is held back.
    """

    def __init__(
        self,
        *,
        entities: tuple[EntityName, ...] = ("email", "card", "iban", "phone", "secret"),
        patterns: tuple[str, ...] = (),
        mask: MaskKind = "fixed",
        text: str = "[{entity}]",
        keep: int = 4,
        hash_key: str | None = None,
        files: FileRule = "drop",
        hold_back: int = 160,
    ) -> None:
        """Look for these, and mask them so.

        Args:
            entities: The built-in entities to look for.
            patterns: Further patterns, in the syntax of RE2.
            mask: What stands in the place of a secret.
            text: The fixed text; `{entity}` in it is what was found.
            keep: How many characters `keep_last` keeps.
            hash_key: The key of `hash`.
            files: What becomes of files that aren't text.
            hold_back: The most characters to hold back of a text in chunks.

        Raises:
            ValueError: If there is nothing to look for, a pattern can't be used,
                something is longer than what may be held back, or the mask lacks
                what it needs.
        """
        forms: list[tuple[str, Form]]
        forms = [(name, form) for name in entities for form in ENTITIES[name]]
        own = [Form(pattern=p, width=bounded(p), stands_alone=False) for p in patterns]
        forms += [("redacted", form) for form in own]
        if not forms:
            raise ValueError("redact looks for nothing")
        self._mask = Mask(kind=mask, text=text, keep=keep, key=hash_key or "")
        self._scanner = Scanner(forms)
        if self._scanner.width > hold_back:
            raise ValueError(f"hold_back is {self._scanner.width} or more with these")
        self._whole = WholeText(self._finder(self._scanner), self._mask)
        redact = self._whole.redact
        self._walker = Walker(redact, file_rewriter(redact, files))
        self._quick = QuickLook([form.pattern for _, form in forms])

    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        """Note whose text comes, and whether in chunks: a status doesn't tell."""
        del context
        held = _held()
        held.speaker = f"{adk_event.author} {adk_event.branch}"
        held.is_partial = bool(adk_event.partial)
        return event

    def on_send(self, event: Outgoing) -> Outgoing | list[Outgoing]:
        """Give a redacted copy, after what was held back if a text ends here.

        Raises:
            Unreadable: If something can't be searched; the run fails then.
        """
        if isinstance(event, Task):
            return self._redacted(event)
        held = _held()
        if isinstance(event, TaskArtifactUpdateEvent):
            return self._artifact(held, event)
        if event.status.state != TaskState.TASK_STATE_WORKING:
            return [*held.end_all(), self._redacted(event)]
        key = _status_key(held)
        if held.is_partial and event.status.HasField("message"):
            return self._chunk(held, key, event)
        return [*held.end(key), self._redacted(event)]

    def _artifact(
        self, held: HeldTexts, event: TaskArtifactUpdateEvent
    ) -> Outgoing | list[Outgoing]:
        key = f"artifact {event.artifact.artifact_id}"
        if event.append or not event.last_chunk:
            before = [] if event.append else held.end(key)
            sent = self._chunk(held, key, event)
            if event.last_chunk:
                _add(sent, held.end(key))
            return [*before, sent]
        repeated = held.end_repeated(_status_key(held), event.artifact)
        if repeated is None:
            return [*held.end(key), self._redacted(event)]
        last, *rest = repeated
        sent = deepcopy(event)
        self._walker.walk(sent, lambda parts: parts.clear())
        _add(sent, [last, *rest])
        return [*rest, sent]

    def _chunk(self, held: HeldTexts, key: str, event: Update) -> Update:
        walk = _text_only if self._clears(event) else self._walker.walk
        return held.take(key, event, self._begin, walk)

    # These three differ with an engine that can't do without whole texts.

    def _finder(self, scanner: Scanner) -> Finder:
        return scanner

    def _begin(self) -> Stream:
        return TextStream(self._scanner, self._mask)

    def _clears(self, event: Update) -> bool:
        return self._quick.clears(event)

    def _redacted(self, event: Outgoing) -> Outgoing:
        if not isinstance(event, Task) and self._clears(event):
            return event
        sent = deepcopy(event)
        self._walker.walk(sent, self._whole.redact_parts)
        return sent


def _text_only(update: Update, rewrite_parts: RewriteParts) -> None:
    rewrite_parts(holder_of(update).parts)


def _held() -> HeldTexts:
    return current().state(_NAME, HeldTexts, HeldTexts)


def _status_key(held: HeldTexts) -> str:
    return f"status {held.speaker}"


def _add(update: Update, rests: Sequence[Update]) -> None:
    """Add the parts of the others, texts to the last text."""
    parts = holder_of(update).parts
    for part in (part for rest in rests for part in holder_of(rest).parts):
        last = parts[-1] if parts else Part()
        if last.WhichOneof("content") == part.WhichOneof("content") == "text":
            last.text += part.text
        else:
            parts.append(part)
