"""What an edit of the spec means, in words for a pull request."""

from collections.abc import Callable, Iterator, Mapping

from interceptgen.report.interceptor_changes import describe_interceptors
from interceptgen.report.recipe_changes import describe_recipes
from interceptgen.service import Reference, Service

__all__ = ["describe_changes"]


def describe_changes(old: Service | None, new: Service) -> tuple[str, ...]:
    """Tell what differs between two states of a service.

    Args:
        old: The service before; None if there was none.
        new: The service after.

    Returns:
        A sentence for each difference; none if both mean the same.
    """
    if old is None:
        first = f"new service {new.package}: {new.description}"
        chain = describe_interceptors((), new.interceptors)
        return (first, *chain, *describe_recipes(None, new))
    return (
        *_facts(old, new),
        *describe_interceptors(old.interceptors, new.interceptors),
        *describe_recipes(old, new),
        *_converters(old, new),
    )


def _facts(old: Service, new: Service) -> Iterator[str]:
    for label, value in _FACTS.items():
        before, after = value(old), value(new)
        if before != after:
            meaning = _MEANINGS.get((label, after), "")
            yield f"{label}: {before} -> {after}" + (f"; {meaning}" if meaning else "")


def _name(reference: Reference | None) -> str:
    if reference is None:
        return "none"
    return f"{reference.module}:{reference.attribute}"


def _seconds(value: str | None) -> str:
    return f"{value} s" if value else "none"


_FACTS: Mapping[str, Callable[[Service], str]] = {
    "package": lambda service: service.package,
    "description on the agent card": lambda service: repr(service.description),
    "agent": lambda service: _name(service.agent),
    "runner factory": lambda service: _name(service.runner_factory),
    "runner": lambda service: "eager" if service.eager else "lazy",
    "deadline of a run": lambda service: _seconds(service.run.deadline),
    "deadline without an event": lambda service: _seconds(service.run.idle_deadline),
    "empty result": lambda service: service.run.empty_result or "complete",
    "text of an empty result": lambda service: repr(service.run.empty_text or ""),
    "implementation": lambda service: service.implementation,
    "host": lambda service: service.host,
    "port": lambda service: str(service.port),
    "path": lambda service: service.path or "/",
    "public address": lambda service: service.public_url or "host and port",
    "lifespan": lambda service: _name(service.lifespan),
}

_MEANINGS = {
    ("runner", "eager"): "it is built at start-up, so a failure stops the start",
    ("runner", "lazy"): "it is built by the first request, which waits for it",
    ("empty result", "fail"): "a run that produced nothing fails its task",
    ("implementation", "new"): "every caller gets ADK's new executor, "
    "whatever its extension header asks for",
    ("implementation", "legacy"): "every caller gets ADK's legacy executor, "
    "whatever its extension header asks for",
    ("implementation", "client"): "the extension header of each caller decides, "
    "so hooks run under both executors",
    ("host", "0.0.0.0"): "it listens on every network of the machine",  # noqa: S104
}


def _converters(old: Service, new: Service) -> Iterator[str]:
    before = {each.argument: _name(each.reference) for each in old.converters}
    after = {each.argument: _name(each.reference) for each in new.converters}
    for argument in dict.fromkeys([*before, *after]):
        left, right = before.get(argument, "ADK's"), after.get(argument, "ADK's")
        if left != right:
            yield f"converter {argument}: {left} -> {right}"
