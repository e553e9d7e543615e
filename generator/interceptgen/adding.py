"""Adds a recipe to a spec: by itself a pure edit, with the project a run."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from interceptgen.diagnostics import SpecError
from interceptgen.errors import UserError
from interceptgen.pipeline import generate, read_service
from interceptgen.project import SPEC_NAME
from interceptgen.recipes import RECIPES, Recipe
from interceptgen.snapshot import read_input
from interceptgen.spec.insertion import insert_recipe, value_text
from interceptgen.spec.problem import listed, nearest, shown
from interceptgen.spec.syntax import YamlFaultsError
from interceptgen.write import exclusive, replace_file

if TYPE_CHECKING:
    from interceptgen.plan import Plan

__all__ = ["AddingError", "add", "with_recipe"]


class AddingError(UserError):
    """The recipe can't be added like that; the message tells why."""


def add(
    root: Path, recipe: str, name: str | None, given: Mapping[str, str]
) -> "Plan | None":
    """Add a recipe to the project's spec, and bring the project in line with it.

    Args:
        root: The project's folder.
        recipe: The recipe.
        name: The interceptor's name; the recipe's by default.
        given: Values of parameters, in YAML or as plain text.

    Returns:
        What `generate` gives. The spec is changed also where a conflict stopped it.

    Raises:
        AddingError: If there is no such recipe or parameter, or the spec would
            have problems; nothing is written.
        SpecError: If the spec has problems already; nothing is written.
        InsertionError: If the spec can't be added to; nothing is written.
        UserError: Whatever keeps files from being read or written.
    """
    with exclusive(root):
        before = read_input(root / SPEC_NAME)
        after = with_recipe(before, recipe, name, given)
        replace_file(root, SPEC_NAME, before, after)
    return generate(root)


def with_recipe(
    data: bytes, recipe: str, name: str | None, given: Mapping[str, str]
) -> bytes:
    """Give a spec with one recipe more, at the end of its chain.

    Args:
        data: The spec.
        recipe: The recipe.
        name: The interceptor's name; the recipe's by default.
        given: Values of parameters, in YAML or as plain text.

    Raises:
        AddingError: If there is no such recipe or parameter, or the spec would
            have problems.
        SpecError: If the spec has problems already.
        InsertionError: If the spec can't be added to.
    """
    known = _known(recipe, given)
    chosen = name or recipe
    values = {**_start(known, chosen, given), **given}
    settings = {key: value_text(value) for key, value in values.items()}
    try:
        added = insert_recipe(data, name=chosen, recipe=recipe, settings=settings)
        read_service(SPEC_NAME, added)
    except (SpecError, YamlFaultsError) as error:
        # What is wrong already is told where it stands in the file as it is.
        read_service(SPEC_NAME, data)
        note = f"nothing was written; these are places in the spec with {chosen} added"
        raise AddingError(f"{error}\n{note}") from error
    return added


def _start(recipe: Recipe, name: str, given: Mapping[str, str]) -> Mapping[str, object]:
    for variant in recipe.variants:
        if variant.is_chosen_by(given.get(variant.parameter)):
            return variant.start
    return recipe.start(name)


def _known(recipe: str, given: Mapping[str, str]) -> Recipe:
    if recipe not in RECIPES:
        hint = nearest(recipe, RECIPES) or f"recipes are {listed(RECIPES)}"
        raise AddingError(f"unknown recipe {shown(recipe)}; {hint}")
    known = RECIPES[recipe]
    parameters = list(known.settings.model_fields)
    for key in given:
        if key not in parameters:
            hint = nearest(key, parameters) or f"it takes {listed(parameters)}"
            raise AddingError(f"{recipe} takes no {shown(key)}; {hint}")
    return known
