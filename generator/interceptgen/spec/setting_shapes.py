"""pydantic's errors about a recipe's `with:`, retold in the words of the spec."""

import re
from collections.abc import Mapping
from typing import Final

from pydantic_core import ErrorDetails

from interceptgen.recipes import Recipe
from interceptgen.spec.fields import RULE_ERROR
from interceptgen.spec.problem import Finding, Loc, Problem, listed, nearest, shown
from interceptgen.spec.tree import Tree
from interceptgen.spec.wording import (
    A_LIST,
    A_MAPPING,
    A_NUMBER,
    A_WHOLE_NUMBER,
    TEXT,
    TRUE_OR_FALSE,
    label_of,
    not_finite,
    wrong_type,
)

__all__ = ["retell_setting"]

_WANTED: Final[Mapping[str, str]] = {
    "string_type": TEXT,
    "int_type": A_WHOLE_NUMBER,
    "float_type": A_NUMBER,
    "bool_type": TRUE_OR_FALSE,
    "tuple_type": A_LIST,
    "dict_type": A_MAPPING,
    "mapping_type": A_MAPPING,
}
_LIMITS: Final[Mapping[str, tuple[str, str]]] = {
    "greater_than": ("more than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}
_FROM_OUTSIDE: Final = "a secret stands in the environment, not in the spec"
_TAGS: Final = frozenset({"<env>", "<literal>"})
_KEY: Final = "[key]"


def retell_setting(
    error: ErrorDetails, tree: Tree, recipe: Recipe, settings: Loc
) -> Finding:
    """Turn one of pydantic's errors into a finding.

    Args:
        error: An error of validating a `with:` as the recipe's settings.
        tree: The file.
        recipe: The recipe.
        settings: The place of the `with:`.

    Returns:
        The same problem, placed in the file and put in plain words.
    """
    inside = tuple(part for part in error["loc"] if part not in _TAGS)
    at_key = inside[-1:] == (_KEY,)
    loc: Loc = (*settings, *(inside[:-1] if at_key else inside))
    match error["type"]:
        case "extra_forbidden":
            known = recipe.settings.model_fields if len(inside) == 1 else ["env"]
            problem = _unknown(recipe, str(inside[-1]), list(known))
            return Finding(loc=loc, problem=problem, at_key=True)
        case "missing":
            problem = _missing(recipe, inside)
            # The key `with:` may be missing as well.
            return Finding(loc=loc, problem=problem)
        case kind if kind == RULE_ERROR:
            problem = Problem(**error.get("ctx", {}))
        case _:
            problem = _bad_value(error, tree, loc)
    return Finding(loc=loc, problem=problem, at_key=at_key)


def _unknown(recipe: Recipe, key: str, known: list[str]) -> Problem:
    allowed = f"{recipe.name} takes {listed(known)}" if known else "leave it out"
    message = f"unknown key {shown(key)}"
    return Problem(code="E002", message=message, hint=nearest(key, known) or allowed)


def _missing(recipe: Recipe, inside: Loc) -> Problem:
    if len(inside) > 1:
        message = f"'env' is missing in {label_of(inside[:-1])}"
        return Problem(code="E004", message=message, hint="write {env: NAME}")
    (name,) = map(str, inside)
    meaning = recipe.settings.model_fields[name].description or ""
    return Problem(
        code="E004",
        message=f"{shown(name)} is missing in the 'with' of {recipe.name}",
        hint=f"add {name}: <{meaning[:1].lower()}{meaning[1:].removesuffix('.')}>",
    )


def _bad_value(error: ErrorDetails, tree: Tree, loc: Loc) -> Problem:
    kind, value = error["type"], tree.at(loc)
    if kind in _LIMITS:
        words, key = _LIMITS[kind]
        limit: float = error.get("ctx", {})[key]
        limit = int(limit) if limit == int(limit) else limit
        message = f"{label_of(loc)} must be {words} {limit}, not {value}"
        return Problem(code="E007", message=message)
    if kind == "finite_number":
        return not_finite(loc)
    if kind == "literal_error":
        return _unknown_word(error, tree, loc)
    if kind == "model_type":
        # The only model among the kinds of values is that of the environment.
        return _in_the_spec(loc)
    if kind in _WANTED:
        problem = wrong_type(tree, loc, _WANTED[kind])
        hint = problem.hint
        if kind == "tuple_type" and isinstance(value, str) and value:
            hint = f"write {loc[-1]}: [{shown(value)[1:-1]}]"
        return Problem(code=problem.code, message=problem.message, hint=hint)
    return Problem(code="E056", message=f"{label_of(loc)} can't be used as it is")


def _in_the_spec(loc: Loc) -> Problem:
    # Not repeated: it may be a secret, and this line ends up in a log of CI.
    message = f"{label_of(loc)} must be {{env: NAME}}, and not the value itself"
    return Problem(code="E005", message=message, hint=_FROM_OUTSIDE)


def _unknown_word(error: ErrorDetails, tree: Tree, loc: Loc) -> Problem:
    words = re.findall(r"'([^']*)'", str(error.get("ctx", {})["expected"]))
    value = tree.at(loc)
    if not isinstance(value, str):
        return wrong_type(tree, loc, f"one of {listed(words)}")
    key = loc[-1]
    if isinstance(key, int):
        key = f"item of {loc[-2]}"
    return Problem(
        code="E006",
        message=f"unknown {key} {shown(value)}",
        hint=nearest(value, words) or f"write one of {listed(words)}",
    )
