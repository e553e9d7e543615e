"""Patterns from the spec, kept from taking exponential time on a caller's text."""

import re
from collections.abc import Iterable
from importlib import import_module
from typing import TypeGuard

__all__ = ["linear"]


def linear(pattern: str) -> re.Pattern[str]:
    """Compile a pattern, if no repeated part of it repeats something without end.

    This catches `(a+)+`, the common way to a pattern that never ends. It doesn't
    catch alternatives that overlap, as in `(a|a)*`; so cap the text as well. The
    generator tells the same of a pattern in the spec, with its place.

    Args:
        pattern: In Python's syntax.

    Raises:
        ValueError: If it has nested quantifiers, or is no pattern at all.
    """
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no pattern: {error}") from error
    if _nests(_parser.parse(pattern), inside=False):
        raise ValueError(f"{pattern!r} has nested quantifiers")
    return compiled


# Python's own reading of a pattern; it has no types.
_parser = import_module("re._parser")
_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}
_ONCE_OR_NOT = (0, 1)
# A repeat that may go this far multiplies with one around it.
_UNBOUNDED = 100


def _nests(node: object, *, inside: bool) -> bool:
    if not _has_parts(node):
        return False
    parts = list(node)
    match parts:
        case [kind, repeat] if str(kind) in _REPEATS and _has_parts(repeat):
            least, most, body = repeat
            endless = isinstance(most, int) and most >= _UNBOUNDED
            repeats = inside or (least, most) != _ONCE_OR_NOT
            return (inside and endless) or _nests(body, inside=repeats)
        case _:
            return any(_nests(part, inside=inside) for part in parts)


def _has_parts(node: object) -> TypeGuard[Iterable[object]]:
    return isinstance(node, (list, tuple, _parser.SubPattern))
