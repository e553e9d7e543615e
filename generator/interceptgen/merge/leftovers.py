"""What a rename leaves to the user: each line is told."""

import re
from collections.abc import Iterator

from interceptgen.merge.outcome import Note, NoteKind
from interceptgen.merge.source import Source

__all__ = ["left", "still_named"]


def left(line: int, text: str, reason: str) -> Note:
    """Make a note that is about no method.

    Args:
        line: One-based line.
        text: What stands there, or should.
        reason: Why it is left, in a few words.

    Returns:
        The note.
    """
    return Note(kind=NoteKind.UNSEEN, method="", line=line, text=text, reason=reason)


def still_named(source: Source, old: str, new: str) -> Iterator[Note]:
    """Tell each line of a renamed file that still has the old name of its class.

    Args:
        source: The file after the rename.
        old: The class's old name.
        new: Its new name; where it is the same, there is nothing to tell.

    Yields:
        A note for each line.
    """
    word = re.compile(rf"\b{re.escape(old)}\b")
    for number, line in enumerate(source.view, start=1):
        if old != new and word.search(line):
            yield left(number, line.strip(), f"still names {old}")
