"""Rules about the interceptors of a spec, one by one and as a list."""

from collections.abc import Collection, Iterator

from interceptgen.recipes import RECIPES
from interceptgen.spec.names import class_name
from interceptgen.spec.problem import Finding, Loc, Problem, listed, nearest, shown
from interceptgen.spec.tree import Tree

__all__ = ["check_interceptors"]


def check_interceptors(
    tree: Tree,
    recipes: Collection[str] = frozenset(RECIPES),
) -> Iterator[Finding]:
    """Report interceptors that are incomplete, contradictory or alike."""
    entries: Loc = ("interceptors",)
    for at, entry in enumerate(tree.items(entries)):
        if isinstance(entry, dict):
            yield from _check_source(tree, (*entries, at), recipes)
            yield from _check_hooks(tree, (*entries, at, "hooks"))
    yield from _check_names(tree)
    yield from _check_old_names(tree)


def _check_source(
    tree: Tree,
    loc: Loc,
    recipes: Collection[str],
) -> Iterator[Finding]:
    # `use:` left empty is no recipe, as the model has it.
    given = {key for key, value in tree.mapping(loc).items() if value is not None}
    if "use" in given:
        yield from _check_recipe(tree, loc, given, recipes)
        return
    if "with" in given:
        hint = "add use: <recipe>, or write config: for hooks of your own"
        problem = Problem(code="E045", message="'with' needs a recipe", hint=hint)
        yield Finding(loc=(*loc, "with"), problem=problem, at_key=True)
    elif not tree.mapping(loc).keys() & {"hooks"}:
        message = "the interceptor has neither 'hooks' nor 'use'"
        hint = "add hooks: [after_event], or one of the other hooks"
        yield Finding(
            loc=(*loc, "hooks"),
            problem=Problem(code="E042", message=message, hint=hint),
        )
    if "description" not in given and "hooks" in given:
        message = f"'description' is missing in {_label(tree, loc)}"
        hint = "say in one sentence what it does"
        yield Finding(
            loc=(*loc, "description"),
            problem=Problem(code="E004", message=message, hint=hint),
        )


def _check_recipe(
    tree: Tree,
    loc: Loc,
    given: Collection[str],
    recipes: Collection[str],
) -> Iterator[Finding]:
    for key in ("hooks", "config", "state"):
        if key in given:
            message = f"'use' and {key!r} stand in one interceptor"
            hint = "a recipe brings its own hooks and takes its settings in with:"
            problem = Problem(code="E043", message=message, hint=hint)
            yield Finding(loc=(*loc, key), problem=problem, at_key=True)
    recipe = tree.at((*loc, "use"))
    if isinstance(recipe, str) and recipe not in recipes:
        problem = Problem(
            code="E044",
            message=f"unknown recipe {shown(recipe)}",
            hint=nearest(recipe, sorted(recipes))
            or f"recipes are {listed(sorted(recipes))}",
        )
        yield Finding(loc=(*loc, "use"), problem=problem)


def _check_hooks(tree: Tree, loc: Loc) -> Iterator[Finding]:
    if tree.at(loc) == ():
        hint = "list at least one, such as [after_event]"
        problem = Problem(code="E041", message="'hooks' is empty", hint=hint)
        yield Finding(loc=loc, problem=problem)
    seen: set[str] = set()
    for at, hook in enumerate(tree.items(loc)):
        if isinstance(hook, str) and hook in seen:
            message = f"hook {shown(hook)} is listed twice"
            problem = Problem(code="E040", message=message, hint="keep one of the two")
            yield Finding(loc=(*loc, at), problem=problem)
        elif isinstance(hook, str):
            seen.add(hook)


def _check_names(tree: Tree) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for loc, name in _names(tree):
        made = class_name(name)
        other = seen.get(made)
        if other == name:
            message = f"interceptor {shown(name)} stands twice in the list"
            problem = Problem(code="E036", message=message, hint="rename one")
            yield Finding(loc=loc, problem=problem)
        elif other is not None:
            message = f"{shown(name)} and {shown(other)} would both be class {made}"
            problem = Problem(code="E037", message=message, hint="rename one")
            yield Finding(loc=loc, problem=problem)
        else:
            seen[made] = name


def _check_old_names(tree: Tree) -> Iterator[Finding]:
    present = {name for _, name in _names(tree)}
    taken: set[str] = set()
    for loc, old in _old_names(tree):
        if old in present:
            message = f"'was' says {shown(old)}, which an interceptor is called today"
            hint = "an old name must be free; rename in two runs to swap two names"
            problem = Problem(code="E038", message=message, hint=hint)
            yield Finding(loc=loc, problem=problem)
        if old in taken:
            message = f"the old name {shown(old)} is given twice"
            hint = "one interceptor alone can take its code"
            problem = Problem(code="E039", message=message, hint=hint)
            yield Finding(loc=loc, problem=problem)
        taken.add(old)


def _names(tree: Tree) -> Iterator[tuple[Loc, str]]:
    for at in range(len(tree.items(("interceptors",)))):
        loc: Loc = ("interceptors", at, "name")
        name = tree.at(loc)
        if isinstance(name, str):
            yield loc, name


def _old_names(tree: Tree) -> Iterator[tuple[Loc, str]]:
    for at in range(len(tree.items(("interceptors",)))):
        loc: Loc = ("interceptors", at, "was")
        old = tree.at(loc)
        if isinstance(old, str):
            yield loc, old
        for index, one in enumerate(tree.items(loc)):
            if isinstance(one, str):
                yield (*loc, index), one


def _label(tree: Tree, loc: Loc) -> str:
    name = tree.at((*loc, "name"))
    return shown(name) if isinstance(name, str) else "the interceptor"
