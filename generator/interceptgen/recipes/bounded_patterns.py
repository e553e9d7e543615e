"""Patterns that the engine of `redact` takes, and the longest text that one matches."""

import re
from importlib import import_module
from typing import Annotated, Any, Final, TypeAlias

from interceptgen.recipes.settings import bad_value
from interceptgen.recipes.values import Pattern
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Problem, shown

__all__ = ["BoundedPattern", "width_of"]

# Python's own reading of a pattern; it has no types.
_parser: Final[Any] = import_module("re._parser")
_MOST: Final = 1000
# What RE2 has as well, in the words of Python's parser.
_COMMON: Final = frozenset(
    {
        "LITERAL",
        "NOT_LITERAL",
        "ANY",
        "IN",
        "BRANCH",
        "SUBPATTERN",
        "MAX_REPEAT",
        "MIN_REPEAT",
        "AT_BOUNDARY",
        "AT_NON_BOUNDARY",
    }
)
_NAMES: Final = {
    "AT_BEGINNING": "an anchor",
    "AT_BEGINNING_STRING": "an anchor",
    "AT_END": "an anchor",
    "AT_END_STRING": "an anchor",
    "ASSERT": "a look-around",
    "ASSERT_NOT": "a look-around",
    "GROUPREF": "a reference",
    "GROUPREF_EXISTS": "a condition",
    "ATOMIC_GROUP": "an atomic group",
    "POSSESSIVE_REPEAT": "a possessive repeat",
}
# Written so in Python alone: comments, flags, characters by number or name; and
# a repeat that RE2 takes for text.
_PYTHONS_OWN: Final = re.compile(r"\(\?#|\(\?[a-zA-Z]*[auLx]|\\[uUN]|\{,")
_ATOM: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)


def width_of(pattern: str) -> int:
    """Give the most characters that a pattern matches."""
    _, most = _parser.parse(pattern).getwidth()
    return int(most)


def _bounded_problem(text: str) -> Problem | None:
    foreign = _foreign(list(_parser.parse(text))) or _own_writing(text)
    if foreign:
        message = f"{shown(text)} has {foreign}"
        return bad_value(message, "write it with what RE2 has; of anchors only \\b")
    if not _parser.parse(text).getwidth()[0]:
        message = f"{shown(text)} matches nothing at all"
        return bad_value(message, "let it match one character or more")
    if width_of(text) > _MOST:
        message = f"{shown(text)} has no longest match, so a stream can't wait for it"
        return bad_value(message, "write {1,40} for +, {0,40} for *")
    return None


def _own_writing(text: str) -> str:
    outside = _ATOM.sub(lambda atom: atom[0] if atom[0][0] == "\\" else "x", text)
    inside = any(re.search(r"\\[uUN]", atom) for atom in _ATOM.findall(text))
    found = _PYTHONS_OWN.search(outside)
    if found is None and not inside:
        return ""
    return f"{shown(found[0])}, which is Python's" if found else "a code of Python's"


def _foreign(nodes: list[Any]) -> str:
    """Name what RE2 has not, if there is such a thing."""
    for head, value in nodes:
        name = str(value) if str(head) == "AT" else str(head)
        if name not in _COMMON:
            return _NAMES.get(name, name.lower())
        for inner in _inside(str(head), value):
            if found := _foreign(list(inner)):
                return found
    return ""


def _inside(head: str, value: Any) -> list[Any]:  # noqa: ANN401 - each node has its own
    if head == "BRANCH":
        return list(value[1])
    if head == "SUBPATTERN":
        return [value[-1]]
    return [value[2]] if head.endswith("_REPEAT") else []


BoundedPattern: TypeAlias = Annotated[Pattern, rule(_bounded_problem)]
"""A regular expression of RE2 that has a longest match."""
