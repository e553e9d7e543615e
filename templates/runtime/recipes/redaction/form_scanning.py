"""Finds the secrets of one form in folded text."""

from collections.abc import Iterator
from dataclasses import dataclass

from .bounded_pattern import Compiled, compiled, relaxed
from .entities import Form

__all__ = ["FormScanner", "Match", "Tail"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Match:
    """A secret that was found.

    Attributes:
        start: Its first byte.
        end: The first byte after it.
        name: What it is.
        tail: What it may go on with, past the end of the text.
    """

    start: int
    end: int
    name: str
    tail: "Tail | None"


class Tail:
    """What a token may go on with, without end."""

    def __init__(self, pattern: str, gap: int) -> None:
        """Compile the pattern; `gap` as in `Form`."""
        self._pattern = compiled(pattern)
        self._gap = gap

    def end(self, data: bytes, position: int) -> int:
        """Give where it ends that goes on at `position`."""
        found = self._pattern.match(data, position)
        return found.end() if found else position

    def may_go_on(self, data: bytes, end: int) -> bool:
        """Tell whether what comes after the text may belong to it."""
        return end + self._gap >= len(data)


class FormScanner:
    """Looks for one form of an entity."""

    def __init__(self, name: str, form: Form) -> None:
        """Compile the form of the entity that is called so."""
        self._name = name
        self._form = form
        self._pattern: Compiled = compiled(form.pattern)
        # Quicker at telling that there is none.
        self._relaxed: Compiled = compiled(relaxed(form.pattern))
        self._tail = Tail(form.tail, form.gap) if form.tail else None
        self._pivot = form.pivot.encode()

    def first(
        self, data: bytes, position: int, last: Match | None = None
    ) -> Match | None:
        """Find the first one that starts at `position` or later.

        Args:
            data: The folded text.
            position: Where to begin.
            last: The one before, which began earlier.
        """
        if last is not None:
            position = max(position, self._after(data, last.start))
        if self._relaxed.search(data, position) is None:
            return None
        while found := self._pattern.search(data, position):
            start = found.start()
            if self._form.stands_alone and _is_word(data, start - 1):
                # Nothing stands alone in the rest of a word.
                position = max(start + 1, _end_of_word(data, start))
                continue
            end = self._valid_end(data, start, found.end())
            if end is not None:
                if last is not None and end <= last.end:
                    # Within a tail begins no other one: both go on as far.
                    end = max(end, last.end if self._tail else 0)
                elif self._tail is not None:
                    end = self._tail.end(data, end)
                return Match(start=start, end=end, name=self._name, tail=self._tail)
            position = self._after(data, start)
        return None

    def _after(self, data: bytes, start: int) -> int:
        """Give where another one may start that isn't a part of the one here."""
        return data.find(self._pivot, start) + 1 if self._pivot else start + 1

    def _valid_end(self, data: bytes, start: int, longest: int) -> int | None:
        for end in self._ends(data, start, longest):
            if self._form.is_valid is None or self._form.is_valid(
                data[start:end].decode()
            ):
                return end
        return None

    def _ends(self, data: bytes, start: int, longest: int) -> Iterator[int]:
        """Give where it may end, the longest first."""
        if self._tail is not None or not self._form.stands_alone:
            yield longest
            return
        if not _is_word(data, longest):
            yield longest
        # What follows may look as if it belonged to it: "..., 12 of them".
        for end in range(longest - 1, start, -1):
            if (
                _is_word(data, end - 1)
                and not _is_word(data, end)
                and self._pattern.fullmatch(data, start, end)
            ):
                yield end


_WORD = compiled("[0-9A-Za-z]*")


def _end_of_word(data: bytes, position: int) -> int:
    found = _WORD.match(data, position)
    return found.end() if found else position


def _is_word(data: bytes, position: int) -> bool:
    """Tell whether a letter or digit of ASCII stands there."""
    return 0 <= position < len(data) and data[position : position + 1].isalnum()
