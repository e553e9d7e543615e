"""Finds secrets in text, all that are looked for at once."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from .bounded_pattern import Compiled, compiled, relaxed
from .entities import Form
from .folding import fold
from .form_scanning import FormScanner, Match

__all__ = ["Finder", "Scan", "Scanner", "Span", "merged"]


class Span(NamedTuple):
    """Where a secret stands in a text.

    Attributes:
        start: Its first character.
        end: The first character after it.
        name: What it is.
    """

    start: int
    end: int
    name: str


class Finder(Protocol):
    """Finds secrets in whole texts."""

    def spans(self, text: str) -> Iterator[Span]:
        """Find all secrets of a text; those that overlap are one."""
        ...


class Scanner:
    """Looks for all entities at once.

    Attributes:
        width: The most characters of a secret, its tail not counted.
    """

    def __init__(self, forms: Sequence[tuple[str, Form]]) -> None:
        """Look for these forms of entities, each with the entity's name."""
        self.width = max(form.width for _, form in forms)
        patterns = [relaxed(form.pattern) for _, form in forms]
        self._any = compiled("|".join(f"(?:{pattern})" for pattern in patterns))
        self._forms = [FormScanner(name, form) for name, form in forms]

    def scan(self, data: bytes) -> "Scan":
        """Begin to read a folded text."""
        return Scan(self._any, self._forms, data)

    def spans(self, text: str) -> Iterator[Span]:
        """Find all secrets of a text; those that overlap are one."""
        folded = fold(text)
        scan, size, position = self.scan(folded.data), len(folded.data), 0
        while found := scan.first(position, size):
            end, inside = found.end, found.start + 1
            while inner := scan.first(inside, end):
                end, inside = max(end, inner.end), inner.start + 1
            position = folded.up(end)
            yield Span(folded.origin(found.start), folded.origin(position), found.name)


class Scan:
    """A text that is being read, from its beginning to its end."""

    def __init__(
        self, any_form: Compiled, forms: Sequence[FormScanner], data: bytes
    ) -> None:
        """Begin at the beginning."""
        self._any = any_form
        self._forms = forms
        self._data = data
        # What each form finds next: most find nothing, and aren't asked again.
        self._next: list[Match | None] = []
        self._is_clean = False

    def first(self, position: int, limit: int) -> Match | None:
        """Find the first secret that starts at `position` or later, before `limit`.

        What starts before the limit is found as in any longer text, if so many
        characters as the scanner is wide come after the limit. Of two that start
        together the longer one is found. Positions may only grow.
        """
        if self._is_clean:
            return None
        if not self._next:
            found = self._any.search(self._data, position)
            if found is None:
                self._is_clean = True
                return None
            start = found.start()
            self._next = [form.first(self._data, start) for form in self._forms]
        best: Match | None = None
        for index, form in enumerate(self._forms):
            match = self._next[index]
            if match is not None and match.start < position:
                self._next[index] = match = form.first(self._data, position, match)
            if match is not None and (best is None or _goes_before(match, best)):
                best = match
        return best if best is not None and best.start < limit else None


def _goes_before(one: Match, other: Match) -> bool:
    return (one.start, -one.end) < (other.start, -other.end)


def merged(spans: Sequence[Span]) -> Iterator[Span]:
    """Give spans that don't overlap: two that do are one, with the first one's name."""
    open_span: Span | None = None
    for span in sorted(spans):
        if open_span is None or span.start >= open_span.end:
            if open_span is not None:
                yield open_span
            open_span = span
        else:
            open_span = open_span._replace(end=max(open_span.end, span.end))
    if open_span is not None:
        yield open_span
