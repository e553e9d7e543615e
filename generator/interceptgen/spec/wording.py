"""Words for a value of the wrong type, the same wherever it stands."""

import re
from typing import Final

from interceptgen.spec.positions import Scalar
from interceptgen.spec.problem import Loc, Problem, shown
from interceptgen.spec.tree import Odd, Tree

__all__ = [
    "A_LIST",
    "A_MAPPING",
    "A_NUMBER",
    "A_WHOLE_NUMBER",
    "TEXT",
    "TRUE_OR_FALSE",
    "label_of",
    "not_finite",
    "wrong_type",
]

TEXT: Final = "text"
A_WHOLE_NUMBER: Final = "a whole number"
A_NUMBER: Final = "a number"
TRUE_OR_FALSE: Final = "true or false"
A_LIST: Final = "a list"
A_MAPPING: Final = "a mapping of keys to values"

_NUMBERS: Final = (A_WHOLE_NUMBER, A_NUMBER)
_SHORT: Final = 40
_FLOAT: Final = re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+\Z")
_INT: Final = re.compile(r"[-+]?[0-9]+\Z")
_BOOL: Final = re.compile(r"(true|false)\Z", re.IGNORECASE)


def label_of(loc: Loc) -> str:
    """Name a place for a message: `'port'`, or `item 2 of 'hooks'`."""
    last = loc[-1]
    if isinstance(last, str):
        return shown(last)
    return f"item {last + 1} of {label_of(loc[:-1])}"


def not_finite(loc: Loc) -> Problem:
    """Say that a number is infinite, or none at all."""
    message = f"{label_of(loc)} is not a finite number"
    hint = "write the largest number that makes sense"
    return Problem(code="E051", message=message, hint=hint)


def wrong_type(tree: Tree, loc: Loc, wanted: str, code: str = "E005") -> Problem:
    """Say that a value has the wrong type, and how to write the right one.

    Args:
        tree: The file.
        loc: The value's place.
        wanted: One of this module's constants.
        code: The code to report it under.

    Returns:
        The problem, in words that need no knowledge of YAML.
    """
    value, scalar = tree.at(loc), tree.positions.scalar(loc)
    got = _got(value, scalar)
    message = f"{label_of(loc)} must be {wanted}, not {got}"
    return Problem(code=code, message=message, hint=_hint(value, scalar, wanted))


def _got(value: object, scalar: Scalar | None) -> str:
    if scalar is None:
        return A_LIST if isinstance(value, tuple) else "a mapping"
    if value is None:
        return "empty"
    text = shown(scalar.text)
    if isinstance(value, bool):
        reading = "true" if value else "false"
        plain = scalar.text.lower() == reading
        return reading if plain else f"{text}, which YAML reads as {reading}"
    if isinstance(value, Odd):
        return f"{text}, which YAML reads as {value.reading}"
    return f"the text {text}" if isinstance(value, str) else f"the number {value}"


def _hint(value: object, scalar: Scalar | None, wanted: str) -> str:
    if scalar is None:
        return ""
    if value is None:
        return "write a value, or leave the key out"
    if wanted == TEXT and len(scalar.text) <= _SHORT:
        return f'quote it: "{scalar.text}"'
    if wanted in _NUMBERS and isinstance(value, Odd) and "number" in value.reading:
        return "write it as a decimal number"
    return _hint_for_text(scalar, wanted) if isinstance(value, str) else ""


def _hint_for_text(scalar: Scalar, wanted: str) -> str:
    pattern = {A_WHOLE_NUMBER: _INT, A_NUMBER: _INT, TRUE_OR_FALSE: _BOOL}.get(wanted)
    if scalar.quoted and pattern and pattern.match(scalar.text):
        return "leave out the quotes"
    if wanted == A_NUMBER and _FLOAT.match(scalar.text):
        return "YAML wants a dot and a signed exponent, such as 1.0e+3"
    return ""
