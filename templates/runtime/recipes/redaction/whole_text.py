"""Redacts texts that are there as a whole, in one piece or in several."""

from collections.abc import MutableSequence, Sequence
from itertools import accumulate, groupby

from a2a.types import Part

from ..outbound.outbound_metadata import is_thought
from .masks import Mask
from .scanning import Finder, Span, merged

__all__ = ["WholeText"]

# So many characters has a text that is remembered, and so many are, if nothing was
# found in them.
_SHORT = 64
_MOST_REMEMBERED = 1024


class WholeText:
    """Redacts whole texts."""

    def __init__(self, finder: Finder, mask: Mask) -> None:
        """Look for what is found so, and mask it."""
        self._finder = finder
        self._mask = mask
        # Keys and ids come again in each event of a request, or in all of them.
        self._clean: set[str] = set()

    def redact(self, text: str) -> str:
        """Redact a text."""
        if text in self._clean:
            return text
        given, position = "", 0
        for span in self._finder.spans(text):
            given += text[position : span.start] + self._masked(text, span)
            position = span.end
        if position == 0 and len(text) <= _SHORT:
            self._remember(text)
        return given + text[position:]

    def redact_parts(self, parts: MutableSequence[Part]) -> None:
        """Redact the texts of parts in place.

        A client joins texts that follow each other, so they are searched joined,
        and each by itself as well: what it begins with may touch another's end.
        """
        for _, group in groupby(parts, key=_kind):
            run = [part for part in group if part.WhichOneof("content") == "text"]
            redacted = self.redact_pieces([part.text for part in run])
            for part, text in zip(run, redacted, strict=True):
                part.text = text

    def redact_pieces(self, pieces: Sequence[str]) -> list[str]:
        """Redact the pieces of a text; a mask stands where the secret begins."""
        if len(pieces) == 1:
            return [self.redact(pieces[0])]
        text = "".join(pieces)
        starts = [0, *accumulate(map(len, pieces))]
        spans = list(self._finder.spans(text))
        for start, piece in zip(starts, pieces, strict=False):
            spans += (
                Span(start + span.start, start + span.end, span.name)
                for span in self._finder.spans(piece)
            )
        given = [""] * len(pieces)
        apart = list(merged(spans))
        for index, piece in enumerate(pieces):
            begin, end = starts[index], starts[index] + len(piece)
            position = begin
            for span in apart:
                if span.end <= begin or span.start >= end:
                    continue
                given[index] += text[position : max(begin, span.start)]
                if span.start >= begin:
                    given[index] += self._masked(text, span)
                position = min(end, span.end)
            given[index] += text[position:end]
        return given

    def _remember(self, text: str) -> None:
        if len(self._clean) >= _MOST_REMEMBERED:
            self._clean.clear()
        self._clean.add(text)

    def _masked(self, text: str, span: Span) -> str:
        covered = self._mask.cover(span.name)
        covered.take(text[span.start : span.end])
        return covered.masked()


def _kind(part: Part) -> str:
    """Tell what a text is: an answer, or a thought."""
    kind = part.WhichOneof("content") or ""
    return "thought" if kind == "text" and is_thought(part.metadata) else kind
