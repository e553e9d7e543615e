"""Redacts a text that comes in chunks, and holds back no more than it has to."""

from dataclasses import dataclass, field

from .folding import fold
from .form_scanning import Match, Tail
from .masks import Covered, Mask
from .scanning import Scanner

__all__ = ["TextStream"]


class TextStream:
    """One text, chunk by chunk; joined, what it gives is the whole text redacted.

    Whether a secret begins at a character can be told once so many more came as the
    scanner is wide. So many are held back; what doesn't show isn't counted.
    """

    def __init__(self, scanner: Scanner, mask: Mask) -> None:
        """Begin with no text."""
        self._scanner = scanner
        self._mask = mask
        # What hasn't left, after one character that has, if it is of ASCII: what
        # touches a secret decides about it.
        self._text = ""
        self._context = 0
        self._unseen = 0
        self._cover: _Cover | None = None

    @property
    def held(self) -> str:
        """What came, but hasn't left."""
        return self._text[self._context :]

    def take(self, text: str, *, is_last: bool = False) -> str:
        """Take the next chunk, and give what can leave.

        Args:
            text: The chunk.
            is_last: Whether no more will come; then all that is held leaves.
        """
        text = self._text + text
        folded = fold(text, self._unseen)
        data, position, left = folded.data, self._context, self._context
        limit = len(data)
        if not is_last:
            limit = folded.down(folded.before_last(self._scanner.width))
            limit = max(limit, position)
        if self._cover is not None:
            self._cover.go_on(data, is_last=is_last)
        scan = self._scanner.scan(data)
        given: list[str] = []
        while position < limit:
            cover = self._cover
            found = scan.first(position, min(limit, cover.end) if cover else limit)
            if found is not None:
                position = found.start + 1
                if cover is None:
                    begin = max(left, folded.origin(found.start))
                    given.append(text[left:begin])
                    left = begin
                    self._cover = cover = _Cover(self._mask.cover(found.name))
                cover.add(found, data, is_last=is_last)
            elif cover is None or cover.end > limit or cover.is_open:
                position = limit
            else:
                position = folded.up(cover.end)
                end = folded.origin(position)
                given.append(self._mask_of(cover, text[left:end]))
                left = end
        end = len(text) if is_last else folded.origin(limit)
        if self._cover is None:
            given.append(text[left:end])
        elif is_last:
            given.append(self._mask_of(self._cover, text[left:end]))
        else:
            self._cover.covered.take(text[left:end])
        self._unseen = folded.unseen_before(limit)
        last = b"" if self._unseen else data[max(0, limit - 1) : limit]
        before = last.decode() if last.isascii() else ""
        self._text, self._context = before + text[end:], len(before)
        if self._cover is not None:
            self._cover.move(len(before) - limit)
        return "".join(given)

    def _mask_of(self, cover: "_Cover", rest: str) -> str:
        cover.covered.take(rest)
        self._cover = None
        return cover.covered.masked()


@dataclass(slots=True)
class _Cover:
    """A secret that is being read, with all that begin before it ends.

    Attributes:
        covered: What its mask is made of.
        end: Where it ends as far as can be told.
        tails: What it may go on with, and where.
    """

    covered: Covered
    end: int = 0
    tails: list[tuple[Tail, int]] = field(default_factory=list[tuple[Tail, int]])

    @property
    def is_open(self) -> bool:
        """Whether what comes next may belong to it."""
        return bool(self.tails)

    def add(self, found: Match, data: bytes, *, is_last: bool) -> None:
        """Let it go on as far as this one does."""
        self.end = max(self.end, found.end)
        if found.tail and not is_last and found.tail.may_go_on(data, found.end):
            self.tails.append((found.tail, found.end))

    def go_on(self, data: bytes, *, is_last: bool) -> None:
        """Let it go on with what has come."""
        tails = [(tail, tail.end(data, end)) for tail, end in self.tails]
        self.end = max(self.end, *(end for _, end in tails)) if tails else self.end
        self.tails = [
            (tail, end)
            for tail, end in tails
            if not is_last and tail.may_go_on(data, end)
        ]

    def move(self, by: int) -> None:
        """Count from another place on."""
        self.end += by
        self.tails = [(tail, end + by) for tail, end in self.tails]
