"""What is printed of recipes: their place in the chain, and their tests."""

import ast

import libcst as cst

from interceptgen.files import Owner, SourceFile
from interceptgen.render.samples import sample_text
from interceptgen.render.syntax import call, expression, string
from interceptgen.resources import recipe_test_source
from interceptgen.service import Argument, RecipeUse, Service

__all__ = ["recipe_imports", "render_recipe", "render_recipe_tests"]


def recipe_imports(service: Service) -> list[str]:
    """Print the imports of the recipes' classes, each once."""
    lines = {f"from .{use.module} import {use.class_name}\n" for use in service.recipes}
    return sorted(lines)


def render_recipe(use: RecipeUse) -> cst.BaseExpression:
    """Print a recipe in the chain, with what differs from its defaults."""
    given = [(each.name, _value(each)) for each in use.arguments if each.is_given]
    return expression(
        "guarded({name}, {made})",
        name=string(use.name),
        made=call(use.class_name, given),
    )


def _value(argument: Argument) -> cst.BaseExpression:
    if argument.variable is None:
        return expression(argument.value)
    return expression(f"settings.{argument.variable.field}.get_secret_value()")


def render_recipe_tests(service: Service) -> list[SourceFile]:
    """Emit one test module for each recipe of the chain.

    It is the recipe's own one of `templates/testing/recipes`, where the constants
    that are called as its parameters have the values of the spec.
    """
    return [
        SourceFile(
            path=f"tests/generated/test_recipe_{use.name}.py",
            text=_with_constants(recipe_test_source(use.recipe), _constants(use)),
            owner=Owner.TOOL,
            item=f"interceptors.{use.name}",
        )
        for use in service.recipes
    ]


def _constants(use: RecipeUse) -> dict[str, str]:
    values = {each.name.upper(): _value_in_test(each) for each in use.arguments}
    return {"NAME": repr(use.name), **values, **dict(use.samples)}


def _value_in_test(argument: Argument) -> str:
    if argument.variable is None:
        return argument.value
    # Tests find it in the environment.
    return repr(sample_text(argument.variable))


def _with_constants(source: str, values: dict[str, str]) -> str:
    """Give the constants at the top of a module other values, and keep all else."""
    lines = source.splitlines(keepends=True)
    # From the last to the first, so that the places before stay right.
    for node in reversed(ast.parse(source).body):
        name = _assigned(node)
        if name in values:
            first, last = node.lineno - 1, node.end_lineno or node.lineno
            head = "".join(lines[first:last]).partition("=")[0]
            lines[first:last] = [f"{head}= {values[name]}\n"]
    return "".join(lines)


def _assigned(node: ast.stmt) -> str:
    """Give the name that a statement gives a value to; nothing for another one."""
    target: ast.expr | None = None
    if isinstance(node, ast.AnnAssign):
        target = node.target
    elif isinstance(node, ast.Assign):
        target = node.targets[0]
    return target.id if isinstance(target, ast.Name) else ""
