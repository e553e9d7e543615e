"""Rules about the config and state fields of all interceptors."""

import math
from collections.abc import Iterator
from typing import Final

from interceptgen.spec.problem import Finding, Loc, Problem, shown
from interceptgen.spec.tree import Tree
from interceptgen.spec.vocabulary import CONFIG_TYPES
from interceptgen.spec.wording import (
    A_LIST,
    A_NUMBER,
    A_WHOLE_NUMBER,
    TEXT,
    TRUE_OR_FALSE,
    label_of,
    not_finite,
    wrong_type,
)

__all__ = ["check_configs"]

_WANTED: Final = {
    "str": TEXT,
    "int": A_WHOLE_NUMBER,
    "float": A_NUMBER,
    "bool": TRUE_OR_FALSE,
}
_ELEMENT: Final = {"list[str]": "str", "list[int]": "int", "list[float]": "float"}
_OWN_SETTINGS: Final = ("HOST", "PORT", "PUBLIC_URL")


def check_configs(tree: Tree) -> Iterator[Finding]:
    """Report defaults that don't fit, and environment names that clash."""
    fields = tuple(_fields(tree, "config"))
    for loc, declared in (*fields, *_fields(tree, "state")):
        yield from _check_default(tree, (*loc, "default"), declared)
    yield from _check_env_names(tree, fields)
    yield from _check_state(tree)


def _fields(tree: Tree, key: str) -> Iterator[tuple[Loc, str]]:
    for loc in _field_places(tree, key):
        declared = tree.at((*loc, "type"))
        # A type that is none has its own message.
        if isinstance(declared, str) and declared in CONFIG_TYPES:
            yield loc, declared


def _field_places(tree: Tree, key: str) -> Iterator[Loc]:
    for at in range(len(tree.items(("interceptors",)))):
        fields: Loc = ("interceptors", at, key)
        for name in tree.mapping(fields):
            yield (*fields, name)


def _check_state(tree: Tree) -> Iterator[Finding]:
    """Report what a request can't begin with: only the spec says that."""
    for field in _field_places(tree, "state"):
        loc = (*field, "default")
        if isinstance(tree.at(loc), dict):
            message = "'default' must be a value, not a mapping"
            hint = "what the environment gives belongs in 'config'"
            problem = Problem(code="E055", message=message, hint=hint)
            yield Finding(loc=loc, problem=problem)


def _check_default(tree: Tree, loc: Loc, declared: str) -> Iterator[Finding]:
    value = tree.at(loc)
    is_missing = value is None and tree.positions.scalar(loc) is None
    if is_missing or isinstance(value, dict):
        return
    element = _ELEMENT.get(declared)
    if element is None:
        yield from _check_scalar(tree, loc, declared)
    elif not isinstance(value, tuple):
        yield Finding(loc=loc, problem=wrong_type(tree, loc, A_LIST, code="E050"))
    else:
        for at in range(len(tree.items(loc))):
            yield from _check_scalar(tree, (*loc, at), element)


def _check_scalar(tree: Tree, loc: Loc, declared: str) -> Iterator[Finding]:
    value = tree.at(loc)
    if value is None:
        hint = "write a value"
        if loc[2] == "config":
            hint += ", or {env: NAME} for one that the environment gives"
        problem = Problem(code="E050", message=f"{label_of(loc)} is empty", hint=hint)
        yield Finding(loc=loc, problem=problem)
    elif not _fits(value, declared):
        problem = wrong_type(tree, loc, _WANTED[declared], code="E050")
        yield Finding(loc=loc, problem=problem)
    elif isinstance(value, float) and not math.isfinite(value):
        yield Finding(loc=loc, problem=not_finite(loc))


def _fits(value: object, declared: str) -> bool:
    if declared == "str":
        return isinstance(value, str)
    if declared == "bool" or isinstance(value, bool):
        return declared == "bool" and isinstance(value, bool)
    return isinstance(value, int if declared == "int" else (int, float))


def _check_env_names(
    tree: Tree,
    fields: tuple[tuple[Loc, str], ...],
) -> Iterator[Finding]:
    package = tree.at(("service", "package"))
    own = {f"{package}_{name}".upper() for name in _OWN_SETTINGS}
    first: dict[str, tuple[Loc, str]] = {}
    for field, declared in (*fields, *_settings(tree)):
        loc = (*field, *(["default"] if field[2] == "config" else []), "env")
        name = tree.at(loc)
        if not isinstance(name, str):
            continue
        if name in own:
            message = f"{shown(name)} is a setting of the service itself"
            hint = "choose another name"
            problem = Problem(code="E054", message=message, hint=hint)
            yield Finding(loc=loc, problem=problem)
        elsewhere, other = first.setdefault(name, (field, declared))
        if other != declared:
            message = (
                f"{shown(name)} is read as {declared} here,"
                f" and as {other} by {_field_label(tree, elsewhere)}"
            )
            hint = "use one type, or two names"
            problem = Problem(code="E053", message=message, hint=hint)
            yield Finding(loc=loc, problem=problem)


def _settings(tree: Tree) -> Iterator[tuple[Loc, str]]:
    """Give the parameters of recipes that the environment gives."""
    for loc in _field_places(tree, "with"):
        if isinstance(tree.at(loc), dict):
            yield loc, "str"


def _field_label(tree: Tree, loc: Loc) -> str:
    interceptor = tree.at((*loc[:2], "name"))
    return shown(f"{interceptor}.{loc[-1]}")
