"""A text by its lines, as the marks of YAML count them."""

import re
from collections.abc import Sequence
from typing import Final, Protocol

import yaml

__all__ = ["Lines"]

# What YAML takes for the end of a line.
_LINE: Final = re.compile("[^\r\n\x85\u2028\u2029]*(\r\n|[\r\n\x85\u2028\u2029]|$)")


class _Mark(Protocol):
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class Lines:
    """The lines of a text, with their ends."""

    def __init__(self, text: str) -> None:
        """Take the text apart."""
        self._lines = [found[0] for found in _LINE.finditer(text) if found[0]]
        self.line_end = "\r\n" if "\r\n" in text else "\n"

    def append(self, new: Sequence[str]) -> str:
        """Give the text with new lines at its end."""
        return self.insert_below(len(self._lines) - 1, new)

    def insert_below(self, line: int, new: Sequence[str]) -> str:
        """Give the text with new lines below one of its own."""
        above, below = self._lines[: line + 1], self._lines[line + 1 :]
        if above and not above[-1].endswith(("\r", "\n", "\x85", "\u2028", "\u2029")):
            above[-1] += self.line_end
        return "".join([*above, *(each + self.line_end for each in new), *below])

    def rest(self, mark: _Mark) -> str:
        """Give what stands right of a mark on its line."""
        return self._lines[mark.line][mark.column :]

    def replaced(
        self, start: _Mark, end: _Mark, new: str, *, skip: int = 0, strip: bool = False
    ) -> str:
        """Give the text with something else between two marks.

        Args:
            start: Where it begins.
            end: Where it ends.
            new: What stands there then.
            skip: How many characters of it stay at the beginning.
            strip: Whether the spaces before it go as well.
        """
        before = "".join(self._lines[: start.line])
        head = self._lines[start.line][: start.column + skip]
        tail = self._lines[end.line][end.column + skip :]
        after = "".join(self._lines[end.line + 1 :])
        return before + (head.rstrip(" ") if strip else head) + new + tail + after

    def end_of(self, node: yaml.Node, *, deeper_than: int) -> int:
        """Give the last line of a value in block style, its own comments included.

        Args:
            node: The value.
            deeper_than: The column that a comment of its own stands right of.
        """
        last = _last_line(node)
        for line in self._lines[last + 1 :]:
            text = line.strip()
            if not text.startswith("#") or line.index("#") <= deeper_than:
                break
            last += 1
        return last


def _last_line(node: yaml.Node) -> int:
    """Find where the innermost last value ends; around it YAML counts blank lines."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _last_line(last[1] if isinstance(node, yaml.MappingNode) else last)
    mark = node.end_mark
    # A text in a block ends where the next line begins.
    return (
        mark.line - 1
        if mark.column == 0 and mark.line > node.start_mark.line
        else mark.line
    )
