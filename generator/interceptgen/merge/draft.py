"""A class being edited: whole lines go in, out, or are replaced.

Each step keeps the places of the statements up to date, so that no step needs
another parse. `remove` takes back exactly what an insertion put in.
"""

from collections.abc import Sequence

from interceptgen.merge.layout import Span
from interceptgen.merge.locate import PLACEHOLDER, ClassBody, Member
from interceptgen.merge.source import Line, joined

__all__ = ["Draft"]


class Draft:
    """The lines of a file and the members of its one class, both mutable.

    Attributes:
        members: The statements of the class, where they stand now.
    """

    def __init__(self, body: ClassBody) -> None:
        source = body.tree.source
        self.members = list(body.members)
        self._lines = list(source.lines)
        self._indent = body.indent.encode()
        self._encoding = source.encoding
        self._newline = source.newline

    @property
    def data(self) -> bytes:
        """The file as it is now."""
        return joined(self._lines)

    def named(self, name: str) -> list[Member]:
        """Give every member that binds a name or is a statement so called."""
        return [part for part in self.members if name in part.binds | {part.name}]

    def text(self, member: Member) -> str:
        """Give a member's own lines, without what stands around it."""
        lines = self._lines[member.span.start : member.span.end + 1]
        return b"\n".join(line.content for line in lines).decode(self._encoding)

    def replace(self, member: Member, name: str, contents: Sequence[bytes]) -> None:
        """Put another method, or the same in other words, in a member's place."""
        start, end = member.span.start, member.span.end
        self._lines[start : end + 1] = self._ended(
            contents, self._lines[start].end, self._lines[end].end
        )
        where = self.members.index(member)
        self.members[where] = _new(name, start, len(contents))
        self._move(where + 1, len(contents) - (end + 1 - start))

    def insert_after(
        self, member: Member, name: str, contents: Sequence[bytes]
    ) -> None:
        """Put a new method below a member, and below comments that end it."""
        above = member.span.end
        if member != self.members[-1]:
            below = above + 1
            while self._is_own_comment(below):
                below += 1
            # Comments that lead on to the next statement are that one's.
            above = below - 1 if self._is_blank(below) else above
        self._insert(above, name, contents)

    def insert_before(
        self, member: Member, name: str, contents: Sequence[bytes]
    ) -> None:
        """Put a new method above a member and its comments."""
        above = member.span.start - 1
        while self._is_own_comment(above):
            above -= 1
        while self._is_blank(above):
            above -= 1
        self._insert(above, name, contents)

    def remove(self, member: Member) -> None:
        """Take a member out, with the blank line that set it off."""
        start, end = member.span.start, member.span.end
        if not self._lines[start - 1].content:
            start -= 1
        elif self._opens_class(start - 1) and not self._lines[end + 1].content:
            end += 1
        if not self._lines[end].end:
            last = self._lines[start - 1]
            self._lines[start - 1] = Line(content=last.content, end=b"")
        del self._lines[start : end + 1]
        where = self.members.index(member)
        del self.members[where]
        self._move(where, start - (end + 1))

    def empty(self, member: Member) -> str:
        """Put the placeholder in the place of the only member.

        Returns:
            The placeholder's text.
        """
        line = self._indent + PLACEHOLDER.encode()
        self.replace(member, PLACEHOLDER, [line])
        return line.decode()

    def _insert(self, above: int, name: str, contents: Sequence[bytes]) -> None:
        """Put a method below a line, set off as its neighbours are."""
        gap = 1
        put = [b"", *contents]
        if self._opens_class(above) and not self._is_blank(above + 1):
            gap, put = 0, [*contents, b""]
        elif any(part.span.start == above + 1 for part in self.members):
            gap, put = 0, [*contents]
        line = self._lines[above]
        head, *rest = self._ended([line.content, *put], line.end, line.end)
        self._lines[above : above + 1] = [head, *rest]
        where = sum(part.span.start <= above for part in self.members)
        self._move(where, len(put))
        self.members.insert(where, _new(name, above + 1 + gap, len(contents)))

    def _ended(self, contents: Sequence[bytes], end: bytes, last: bytes) -> list[Line]:
        """Give lines their ends: the place's own, for the last one as it was."""
        *most, final = contents
        own = end or self._newline
        return [
            *(Line(content=content, end=own) for content in most),
            Line(content=final, end=last),
        ]

    def _move(self, where: int, lines: int) -> None:
        self.members[where:] = [part.moved(lines) for part in self.members[where:]]

    def _opens_class(self, number: int) -> bool:
        """Tell whether a line above the first statement is the class's own."""
        return number < self.members[0].span.start and not self._is_comment(number)

    def _is_blank(self, number: int) -> bool:
        return not self._lines[number].content.strip()

    def _is_comment(self, number: int) -> bool:
        return self._lines[number].content.lstrip().startswith(b"#")

    def _is_own_comment(self, number: int) -> bool:
        # A text of several lines may have one that looks like a comment.
        inside = any(
            part.span.start <= number <= part.span.end for part in self.members
        )
        comment = self._lines[number].content.startswith(self._indent + b"#")
        return comment and not inside


def _new(name: str, start: int, lines: int) -> Member:
    span = Span(start=start, head=start, end=start + lines - 1)
    return Member(name=name, span=span, binds=frozenset({name}))
