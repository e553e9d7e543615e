"""Rules about the recipes of a spec: their settings, and how they stand together."""

from collections.abc import Iterator, Mapping

from pydantic import ValidationError

from interceptgen.recipes import RECIPES, Chain, Recipe, Settings, Use
from interceptgen.spec.names import class_name
from interceptgen.spec.problem import Finding, Loc, Problem, shown
from interceptgen.spec.setting_shapes import retell_setting
from interceptgen.spec.tree import Tree

__all__ = ["check_recipes"]


def check_recipes(
    tree: Tree, recipes: Mapping[str, Recipe] = RECIPES
) -> Iterator[Finding]:
    """Report settings that don't fit, and recipes that can't stand together.

    Args:
        tree: The file.
        recipes: The recipes that there are.
    """
    entries: list[Use] = []
    for at in range(len(tree.items(("interceptors",)))):
        loc: Loc = ("interceptors", at)
        recipe = _recipe(tree, loc, recipes)
        settings = None
        if recipe is not None:
            settings, findings = _settings(tree, loc, recipe)
            yield from findings
        entries.append(_use(tree, loc, recipe, settings))
    stated = tree.mapping(()).get("implementation", "new")
    chain = Chain(
        implementation=stated if isinstance(stated, str) else "",
        entries=tuple(entries),
    )
    used = {entry.recipe for entry in entries}
    for recipe in (each for name, each in recipes.items() if name in used):
        yield from _check_repeated(chain, recipe)
        yield from _check_class(chain, recipe)
        for relation in recipe.relations:
            yield from relation(chain)


def _recipe(tree: Tree, loc: Loc, recipes: Mapping[str, Recipe]) -> Recipe | None:
    named = tree.at((*loc, "use"))
    return recipes.get(named) if isinstance(named, str) else None


def _use(tree: Tree, loc: Loc, recipe: Recipe | None, settings: Settings | None) -> Use:
    name = tree.at((*loc, "name"))
    return Use(
        loc=loc,
        name=name if isinstance(name, str) else "",
        recipe=recipe.name if recipe else "",
        settings=settings,
    )


def _settings(
    tree: Tree, loc: Loc, recipe: Recipe
) -> tuple[Settings | None, tuple[Finding, ...]]:
    given = tree.mapping(loc).get("with", {})
    if not isinstance(given, dict):
        # That it is no mapping has its own message.
        return None, ()
    try:
        return recipe.settings.model_validate(given), ()
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        place = (*loc, "with")
        told = (retell_setting(one, tree, recipe, place) for one in errors)
        return None, tuple(told)


def _check_repeated(chain: Chain, recipe: Recipe) -> Iterator[Finding]:
    first, *others = chain.uses(recipe.name)
    for use in others if not recipe.repeatable else ():
        problem = Problem(
            code="E046",
            message=f"the recipe {recipe.name} is used by {shown(first.name)} already",
            hint="give one of the two all settings, and remove the other",
        )
        yield Finding(loc=(*use.loc, "use"), problem=problem)


def _check_class(chain: Chain, recipe: Recipe) -> Iterator[Finding]:
    """Report hooks whose class is called as the recipe's, which stands beside it."""
    classes = {recipe.class_name, *(each.class_name for each in recipe.variants)}
    for entry in chain.entries:
        made = class_name(entry.name)
        if not entry.recipe and made in classes:
            message = (
                f"{shown(entry.name)} and the recipe {recipe.name}"
                f" would both be class {made}"
            )
            problem = Problem(code="E037", message=message, hint="rename it")
            yield Finding(loc=(*entry.loc, "name"), problem=problem)
