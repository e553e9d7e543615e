"""What the rules of the spec give back: a problem without a place."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

__all__ = ["Finding", "Loc", "Problem", "listed", "nearest", "shown"]

Loc = tuple[str | int, ...]
"""Keys and indexes from the top of the file down to a value."""

_SHOWN = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem of one value.

    Attributes:
        code: A key of `diagnostics.CODES`.
        message: What is wrong, in one line.
        hint: The way out, or nothing.
    """

    code: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A problem and where it lies.

    Attributes:
        loc: The value's place in the spec.
        problem: What is wrong with it.
        at_key: The key itself is wrong, not the value behind it.
    """

    loc: Loc
    problem: Problem
    at_key: bool = False


def nearest(text: str, known: Iterable[str]) -> str:
    """Give `did you mean 'x'?` for the nearest known name, or nothing."""
    if len(text) > _SHOWN:
        return ""
    # A dash or a capital is no other name, only another spelling.
    folded = text.replace("-", "_").lower()
    found = get_close_matches(folded, list(known), n=1)
    return f"did you mean {found[0]!r}?" if found else ""


def listed(names: Iterable[str]) -> str:
    """Give `a, b or c` for the names that are allowed."""
    *rest, last = names
    return f"{', '.join(rest)} or {last}" if rest else last


def shown(text: str) -> str:
    """Quote a text of the file for a message: one line, escaped, not long."""
    if len(text) > _SHOWN:
        text = text[: _SHOWN - 3] + "..."
    return ascii(text) if not text.isprintable() else repr(text)
