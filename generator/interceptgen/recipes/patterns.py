"""What can be told of a regular expression without running it."""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Final

__all__ = ["example_of", "repeats_nest"]

# Python's own reading of a pattern; it has no types.
_parser: Final[Any] = import_module("re._parser")
_UNBOUNDED: Final = 100
"""A repeat that may go this far multiplies with one around it."""
_REPEATS: Final = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_ONCE_OR_NOT: Final = (0, 1)


def repeats_nest(pattern: str) -> bool:
    """Tell whether a repeat without an end stands in another one, as in `(a+)+`.

    Args:
        pattern: A regular expression.
    """
    return _nests(list(_parser.parse(pattern)), inside=False)


def _nests(node: Any, *, inside: bool) -> bool:  # noqa: ANN401 - a tree of any kind
    if isinstance(node, (list, _parser.SubPattern)):
        return any(_nests(item, inside=inside) for item in node)
    if not _has_parts(node):
        return False
    head, *rest = node
    if str(head) not in _REPEATS:
        return any(_nests(item, inside=inside) for item in rest)
    least, most, body = rest[0]
    endless = bool(most >= _UNBOUNDED)
    repeats = inside or (least, most) != _ONCE_OR_NOT
    return (inside and endless) or _nests(body, inside=repeats)


def _has_parts(node: object) -> bool:
    return isinstance(node, tuple)


def example_of(pattern: str) -> str | None:
    """Give a text that the pattern is found in.

    Args:
        pattern: A regular expression.

    Returns:
        The text; None if none was found in the simplest way.
    """
    text = _of_all(_parser.parse(pattern))
    return text if text.isprintable() and re.search(pattern, text) else None


def _of_all(nodes: Any) -> str:  # noqa: ANN401 - the parser's own sequence
    return "".join(_of(str(head), value) for head, value in nodes)


def _of(head: str, value: Any) -> str:  # noqa: ANN401 - each node has its own
    made = _MADE.get(head)
    return made(value) if made else ""


def _of_set(items: Any) -> str:  # noqa: ANN401 - as above
    head, value = items[0]
    if str(head) == "NEGATE":
        return "~"
    return chr(value[0]) if str(head) == "RANGE" else _of(str(head), value)


def _of_category(value: Any) -> str:  # noqa: ANN401 - as above
    return {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a"}.get(
        str(value), "~"
    )


_MADE: Final[Mapping[str, Callable[[Any], str]]] = {
    "LITERAL": chr,
    "NOT_LITERAL": lambda value: "b" if value == ord("a") else "a",
    "ANY": lambda _: "a",
    "IN": _of_set,
    "CATEGORY": _of_category,
    "BRANCH": lambda value: _of_all(value[1][0]),
    "SUBPATTERN": lambda value: _of_all(value[-1]),
    "ATOMIC_GROUP": _of_all,
    "MAX_REPEAT": lambda value: _of_all(value[2]) * int(value[0]),
    "MIN_REPEAT": lambda value: _of_all(value[2]) * int(value[0]),
    "POSSESSIVE_REPEAT": lambda value: _of_all(value[2]) * int(value[0]),
}
