"""Patterns that run in linear time, and match no more than so many characters.

The engine is RE2, by `google-re2`. It takes no look-around and no references, and
its time doesn't depend on what a caller writes. It has no types, so they are here.
"""

import re
from importlib import import_module
from typing import Protocol

from ..linear_pattern import linear

__all__ = ["Compiled", "Found", "bounded", "compiled", "relaxed", "without_boundaries"]


class Found(Protocol):
    """Where a pattern was found, in bytes."""

    def start(self) -> int:
        """Give the first byte of it."""
        ...

    def end(self) -> int:
        """Give the first byte after it."""
        ...


class Compiled(Protocol):
    """A pattern of RE2, for text in UTF-8."""

    def search(self, text: bytes, pos: int = 0) -> Found | None:
        """Find the first place at or after `pos`."""
        ...

    def match(self, text: bytes, pos: int = 0) -> Found | None:
        """Tell whether it stands at `pos`."""
        ...

    def fullmatch(self, text: bytes, pos: int, endpos: int) -> Found | None:
        """Tell whether it is all that stands between the two."""
        ...


def compiled(pattern: str) -> Compiled:
    """Compile a pattern.

    Raises:
        ValueError: If RE2 refuses it.
    """
    engine = import_module("re2")
    options = engine.Options()
    options.log_errors = False
    try:
        made: Compiled = engine.compile(pattern.encode(), options)
    except engine.error as error:
        raise ValueError(f"{pattern!r} is no pattern of RE2: {error}") from error
    return made


def bounded(pattern: str) -> int:
    """Give the most characters that a pattern of the spec matches.

    Args:
        pattern: In the syntax that Python and RE2 have in common.

    Raises:
        ValueError: If it has nested quantifiers, no longest match, an empty
            match, or an anchor: in a stream no text begins or ends.
    """
    linear(pattern)
    compiled(pattern)
    outside = _ATOM.sub(_plain, pattern)
    if _ANCHOR.search(outside):
        raise ValueError(f"{pattern!r} has an anchor; \\b is the only one allowed")
    if "{," in outside:
        # Python begins at none, and RE2 takes it as it stands.
        raise ValueError(f"{pattern!r} has a repeat without a least number")
    # Python's own reading of a pattern; it has no types.
    width: tuple[int, int] = import_module("re._parser").parse(pattern).getwidth()
    least, most = width
    if least == 0:
        raise ValueError(f"{pattern!r} matches nothing at all")
    if most > _MOST:
        raise ValueError(f"{pattern!r} has no longest match; write {{1,40}} for +")
    return most


def without_boundaries(pattern: str) -> str:
    """Give the pattern without its boundaries; it matches all that it did."""
    return _ATOM.sub(lambda atom: "" if atom[0] in _BOUNDARIES else atom[0], pattern)


def relaxed(pattern: str) -> str:
    """Give the pattern with repeats that have no most; it is found wherever it was.

    RE2 keeps a state for each count that is reached in each place. Of several
    patterns at once these are so many that it makes new ones for each text.
    """
    return _REPEAT.sub(
        lambda found: f"{{{found[1]},}}" if found[1] else found[0], pattern
    )


_MOST = 1000
_BOUNDARIES = (r"\b", r"\B")
_ATOM = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_REPEAT = re.compile(rf"{_ATOM.pattern}|\{{(\d+),\d+\}}", re.DOTALL)
_ANCHOR = re.compile(r"[\^$]|\\[AZz]")


def _plain(atom: re.Match[str]) -> str:
    return atom[0] if _ANCHOR.fullmatch(atom[0]) else "x"
