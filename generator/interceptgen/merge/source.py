"""A file as lines of bytes, with a second view of the same lines for parsing.

The bytes are what is edited: a line that no edit names is written back
untouched. The view is only for finding places, by line number, so it may differ
where the parser is not exact: it has LF line ends, no byte order mark, and no
blanks or form feeds that mean nothing.
"""

import re
import tokenize
import warnings
from codecs import BOM_UTF8
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO

from interceptgen.merge.outcome import Unseen

__all__ = ["Line", "Source", "compiles", "indents", "joined", "read", "stays_valid"]

_LINE = re.compile(rb"([^\r\n]*)(\r\n|\r|\n|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One physical line.

    Attributes:
        content: Its bytes without the line end.
        end: The line end; empty for a last line without one.
    """

    content: bytes
    end: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One readable file.

    Attributes:
        lines: The file's own lines.
        encoding: What text is encoded in that is put into the file.
        view: The same lines as the parser gets them.
    """

    lines: tuple[Line, ...]
    encoding: str
    view: tuple[str, ...]

    @property
    def newline(self) -> bytes:
        """The file's first line end; a line feed where it has none."""
        return next((line.end for line in self.lines if line.end), b"\n")

    def bytes_of(self, text: str) -> bytes:
        """Encode a piece of the view."""
        return text.encode(self.encoding)

    def encoded(self, texts: Iterable[str]) -> list[bytes] | None:
        """Encode lines for this file; None if its encoding lacks a character."""
        try:
            return [self.bytes_of(text) for text in texts]
        except UnicodeError:
            return None


def read(data: bytes) -> Source | Unseen:
    """Split and decode a file the way Python itself does.

    Args:
        data: The file.

    Returns:
        The lines and their view, or why there is none.
    """
    lines = _split(data)
    try:
        encoding, _ = tokenize.detect_encoding(
            BytesIO(b"\n".join(line.content for line in lines)).readline
        )
        # The mark is one line's own business, not each encoded piece's.
        encoding = encoding.removesuffix("-sig")
        texts = [line.content.removeprefix(BOM_UTF8).decode(encoding) for line in lines]
        for text in texts:
            # Some codecs give halves of characters, which no parser takes.
            text.encode()
    except (SyntaxError, UnicodeError, LookupError) as error:
        return Unseen(reason=f"the text cannot be decoded ({error})")
    if any("\n" in text or "\r" in text for text in texts):
        return Unseen(reason=f"{encoding} hides line ends")
    return Source(
        lines=lines, encoding=encoding, view=tuple(_viewed(text) for text in texts)
    )


def joined(lines: Iterable[Line]) -> bytes:
    """Put lines together again."""
    return b"".join(line.content + line.end for line in lines)


def compiles(data: bytes) -> bool:
    """Tell whether this interpreter accepts a file."""
    return _refusal(data) is None


def stays_valid(before: bytes, after: bytes) -> bool:
    """Tell whether this interpreter accepts a file as much as before an edit."""
    # Syntax newer than this interpreter is the user's right: then only libcst
    # has a say.
    return compiles(after) or not compiles(before)


def indents(data: bytes) -> bool:
    """Tell whether this interpreter accepts a file's indentation."""
    return not isinstance(_refusal(data), IndentationError)


def _refusal(data: bytes) -> Exception | None:
    with warnings.catch_warnings():
        # What Python thinks of the user's style is not our business.
        warnings.simplefilter("ignore")
        try:
            compile(data, "<hooks>", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return error
    return None


def _split(data: bytes) -> tuple[Line, ...]:
    return tuple(
        Line(content=match[1], end=match[2])
        for match in _LINE.finditer(data)
        if match[0]
    )


def _viewed(text: str) -> str:
    """Drop what the parser loses and Python ignores."""
    if not text.strip(" \t\f"):
        return ""
    lead = len(text) - len(text.lstrip(" \t\f"))
    # A form feed sets the column back to zero.
    return text[text.rfind("\f", 0, lead) + 1 :]
