"""Small whole templates with holes for code; nothing is built node by node."""

import re
import textwrap
import tokenize
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from io import StringIO

import libcst as cst

__all__ = ["call", "docstring", "expression", "fill", "listing", "string"]

_WIDTH = 88
_DEFAULT = cst.PartialParserConfig()
_QUOTES = '"""'


def fill(template: str, **holes: cst.BaseExpression) -> str:
    """Fill the `{holes}` of a whole module and print it.

    Raises:
        ValueError: If a hole is missing or stands where no expression can,
            such as inside a string.
    """
    names = frozenset(holes)
    _require_places(template, names)
    return _filled(template, names, {key: _code(hole) for key, hole in holes.items()})


def expression(template: str, **holes: cst.BaseExpression) -> cst.BaseExpression:
    """Fill the `{holes}` of an expression."""
    printed = {key: _code(hole) for key, hole in holes.items()}
    return cst.parse_expression(_filled(template, frozenset(holes), printed), _DEFAULT)


def string(value: str) -> cst.SimpleString:
    """Print a text as a literal; nothing in it can end the literal."""
    return cst.SimpleString(repr(value))


def listing(items: Iterable[cst.BaseExpression]) -> cst.List:
    """Print a list display."""
    return cst.List([cst.Element(item) for item in items])


def call(function: str, keywords: Iterable[tuple[str, cst.BaseExpression]]) -> cst.Call:
    """Print a call with keyword arguments only."""
    return cst.Call(
        cst.Name(function),
        [cst.Arg(keyword=cst.Name(key), value=value) for key, value in keywords],
    )


def docstring(text: str, *, summary: str, indent: int = 0) -> cst.SimpleString:
    """Print a text as a docstring.

    Args:
        text: The whole text, on one line.
        summary: What stands on the first line when the text is too long for it.
        indent: The column at which the docstring stands.
    """
    room = _WIDTH - indent - 2 * len(_QUOTES)
    prefix, escaped = _escaped(text)
    if len(prefix + escaped) <= room:
        return cst.SimpleString(f"{prefix}{_QUOTES}{escaped}{_QUOTES}")
    margin = " " * indent
    wrapped = textwrap.wrap(
        escaped, _WIDTH - indent, break_long_words=False, break_on_hyphens=False
    )
    lines = "\n".join(margin + line for line in wrapped)
    return cst.SimpleString(f"{prefix}{_QUOTES}{summary}\n\n{lines}\n{margin}{_QUOTES}")


@cache
def _require_places(template: str, names: frozenset[str]) -> None:
    """Refuse a hole that isn't there, or where a text would be no code."""
    marks = {name: f"hole_{name}" for name in names}
    source = _filled(template, names, marks)
    tokens = tokenize.generate_tokens(StringIO(source).readline)
    found = Counter(token.string for token in tokens if token.type == tokenize.NAME)
    for name, mark in marks.items():
        if not 0 < template.count(f"{{{name}}}") == found[mark]:
            message = f"no place for code: {{{name}}} in {template!r}"
            raise ValueError(message)


def _filled(template: str, names: frozenset[str], values: Mapping[str, str]) -> str:
    if not names:
        return template
    # In one go: a value that looks like a hole isn't filled in its turn.
    hole = r"\{(" + "|".join(sorted(names)) + r")\}"
    return re.sub(hole, lambda found: values[found[1]], template)


def _code(node: cst.BaseExpression) -> str:
    return cst.Module([]).code_for_node(node)


def _escaped(text: str) -> tuple[str, str]:
    """Give the prefix and the form in which no text can end the docstring."""
    safe = text.replace('"""', "'''")
    if safe.endswith('"'):
        safe = safe[:-1] + "'"
    if "\\" not in safe:
        return "", safe
    if safe.endswith("\\"):
        return "", safe.replace("\\", "\\\\")
    return "r", safe
