"""What an edit of the chain means: names, order, hooks, settings."""

from collections.abc import Iterator, Mapping, Sequence

from interceptgen.service import ConfigField, Interceptor, StateField

__all__ = ["describe_interceptors"]


def describe_interceptors(
    old: Sequence[Interceptor], new: Sequence[Interceptor]
) -> Iterator[str]:
    """Tell what differs between two chains, a sentence for each difference."""
    names = _old_names(old, new)
    kept = {name for name in names.values() if name}
    before = {each.name: each for each in old}
    for gone in old:
        if gone.name not in kept:
            yield f"interceptor {gone.name} removed: {_hooks(gone.hooks)}"
    for place, each in enumerate(new, 1):
        earlier = before.get(names[each.name])
        if earlier is None:
            where = f"{place} of {len(new)}"
            yield f"interceptor {each.name} added, {where}: {_hooks(each.hooks)}"
        else:
            yield from _one(earlier, each)
    yield from _order(old, new, names)


def _old_names(
    old: Sequence[Interceptor], new: Sequence[Interceptor]
) -> Mapping[str, str]:
    """Map each new name to its old one; to nothing for one that is new."""
    before, after = [each.name for each in old], {each.name for each in new}
    # The latest earlier name that is there to be taken over.
    earlier = {
        each.name: next((name for name in reversed(each.was) if name in before), "")
        for each in new
    }
    return {
        name: name if name in before else taken if taken not in after else ""
        for name, taken in earlier.items()
    }


def _one(old: Interceptor, new: Interceptor) -> Iterator[str]:
    if old.name != new.name:
        yield f"interceptor {old.name} renamed to {new.name}; its code moves along"
    for hook in new.hooks:
        if hook not in old.hooks:
            yield f"{new.name}: hook {hook} added"
    for hook in old.hooks:
        if hook not in new.hooks:
            yield f"{new.name}: hook {hook} removed"
    if old.description != new.description:
        yield f"{new.name}: description: {old.description!r} -> {new.description!r}"
    yield from (f"{new.name}: {told}" for told in _config(old.config, new.config))
    yield from (f"{new.name}: {told}" for told in _state(old.state, new.state))


def _config(old: Sequence[ConfigField], new: Sequence[ConfigField]) -> Iterator[str]:
    before = {field.name: field for field in old}
    after = {field.name: field for field in new}
    for name in before:
        if name not in after:
            yield f"setting {name} removed"
    for name, field in after.items():
        earlier = before.get(name)
        if earlier is None:
            yield f"setting {name} added: {field.annotation}, {_value(field)}"
            continue
        if earlier.annotation != field.annotation:
            yield f"setting {name}: type {earlier.annotation} -> {field.annotation}"
        if _value(earlier) != _value(field):
            yield f"setting {name}: {_value(earlier)} -> {_value(field)}"
        if earlier.description != field.description:
            yield f"setting {name}: another description"


def _state(
    old: Sequence[StateField] | None, new: Sequence[StateField] | None
) -> Iterator[str]:
    if old is None and new is not None:
        yield "state added: each hook takes it as one more argument"
    elif old is not None and new is None:
        yield "state removed: each hook takes one argument less"
    before = {field.name: field for field in old or ()}
    after = {field.name: field for field in new or ()}
    yield from (f"state {name} removed" for name in before if name not in after)
    for name, field in after.items():
        earlier = before.get(name)
        told = f"{field.annotation}, begins as {field.default}"
        if earlier is None:
            yield f"state {name} added: {told}"
            continue
        if (earlier.annotation, earlier.default) != (field.annotation, field.default):
            was = f"{earlier.annotation}, begins as {earlier.default}"
            yield f"state {name}: {was} -> {told}"
        if earlier.description != field.description:
            yield f"state {name}: another description"


def _value(field: ConfigField) -> str:
    if field.variable is not None:
        return f"from the environment variable {field.variable.name}"
    return f"default {field.default}"


def _order(
    old: Sequence[Interceptor], new: Sequence[Interceptor], names: Mapping[str, str]
) -> Iterator[str]:
    """Tell the chain's order where those that stay changed places."""
    current = {earlier: name for name, earlier in names.items() if earlier}
    before = [current[each.name] for each in old if each.name in current]
    after = [each.name for each in new if names[each.name]]
    if before != after:
        yield (
            f"chain order: {', '.join(before)} -> {', '.join(after)}; before_agent and "
            "after_event run in this order, after_agent and on_exit in the reverse one"
        )


def _hooks(hooks: Sequence[str]) -> str:
    return ", ".join(hooks)
