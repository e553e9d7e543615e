"""What an edit of the chain's recipes means: which, where, with what."""

from collections.abc import Iterator

from interceptgen.service import Argument, RecipeUse, Service

__all__ = ["describe_recipes"]


def describe_recipes(old: Service | None, new: Service) -> Iterator[str]:
    """Tell what differs between the recipes of two states of a service.

    Args:
        old: The service before; None if there was none.
        new: The service after.
    """
    before = {use.name: use for use in old.recipes} if old else {}
    after = {use.name: use for use in new.recipes}
    for name, use in before.items():
        if name not in after:
            yield f"recipe {name} removed: {use.recipe}"
    chain = [each.name for each in new.chain]
    for name, use in after.items():
        earlier = before.get(name)
        if earlier is None:
            where = f"{chain.index(name) + 1} of {len(chain)}"
            yield f"recipe {name} added, {where}: {use.recipe}"
        else:
            yield from (f"{name}: {told}" for told in _one(earlier, use))
    if old:
        yield from _order(old, new)


def _one(old: RecipeUse, new: RecipeUse) -> Iterator[str]:
    if old.recipe != new.recipe:
        yield f"recipe {old.recipe} -> {new.recipe}"
        return
    if old.description != new.description:
        yield f"description: {old.description!r} -> {new.description!r}"
    before = {each.name: _value(each) for each in old.arguments}
    for argument in new.arguments:
        value = _value(argument)
        if before[argument.name] != value:
            yield f"{argument.name}: {before[argument.name]} -> {value}"


def _value(argument: Argument) -> str:
    if argument.variable is not None:
        return f"from the environment variable {argument.variable.name}"
    return argument.value


def _order(old: Service, new: Service) -> Iterator[str]:
    """Tell the order where a recipe changed places with something else."""
    hooks = _kept([each.name for each in old.interceptors], new)
    if hooks != [name for name in _names(new) if name in hooks]:
        # That of the hooks is told already.
        return
    before = _kept(_names(old), new)
    after = [name for name in _names(new) if name in before]
    if before != after:
        yield f"chain order: {', '.join(before)} -> {', '.join(after)}"


def _names(service: Service) -> list[str]:
    return [each.name for each in service.chain]


def _kept(names: list[str], service: Service) -> list[str]:
    return [name for name in names if name in _names(service)]
