"""The modules that a service receives as they are, chosen by what the spec uses."""

import re
from collections.abc import Iterator
from posixpath import basename

from interceptgen.files import Owner, SourceFile
from interceptgen.render.needed import needed_modules
from interceptgen.resources import (
    part_test_source,
    runtime_source,
    schema_text,
    testing_source,
)
from interceptgen.service import Service

__all__ = ["render_verbatim"]

# What emitted modules import; what these import comes along.
_RUNTIME = (
    "__init__.py",
    "boundary/executor.py",
    "boundary/runner_provider.py",
    "seams/chain.py",
    "seams/interceptor.py",
    "serving/application.py",
    "serving/card.py",
    "serving/environment.py",
    "serving/in_memory.py",
    "serving/server.py",
)

_STATE = ("seams/stateful.py", "seams/stateful_chain.py")

_TESTING = (
    "__init__.py",
    "around.py",
    "conftest.py",
    "harness.py",
    "recorder.py",
    "scripted.py",
    "test_app.py",
    "test_failures.py",
    "test_logs.py",
    "test_round_trip.py",
    "test_runner.py",
)


def render_verbatim(service: Service) -> list[SourceFile]:
    """Give the runtime, the test modules and the spec's JSON Schema."""
    runtime = f"src/{service.package}/service"
    return [
        *(
            _tool(f"{runtime}/{name}", runtime_source(name))
            for name in _modules(service)
        ),
        *(
            _tool(f"tests/generated/{name}", _placed(service, testing_source(name)))
            for name in _testing(service)
        ),
        *_part_tests(service),
        _tool("interceptors.schema.json", schema_text()),
    ]


def _modules(service: Service) -> list[str]:
    state = _STATE if _has_state(service) else ()
    recipes = (f"{use.module.replace('.', '/')}.py" for use in service.recipes)
    return needed_modules([*_RUNTIME, *state, *recipes])


def _has_deadline(service: Service) -> bool:
    return bool(service.run.deadline or service.run.idle_deadline)


def _has_state(service: Service) -> bool:
    return any(each.state is not None for each in service.interceptors)


def _has_perimeter(service: Service) -> bool:
    return any("perimeter" in use.seams for use in service.recipes)


def _pushes(service: Service) -> bool:
    return any("push" in use.seams for use in service.recipes)


def _uses(service: Service, recipe: str) -> bool:
    return any(use.recipe == recipe for use in service.recipes)


def _testing(service: Service) -> list[str]:
    hooks = {hook for each in service.interceptors for hook in each.hooks}
    return [
        *_TESTING,
        *(f"test_{hook}.py" for hook in sorted(hooks)),
        *(["ends.py"] if "on_exit" in hooks else []),
        *(["test_on_exit_refused.py"] if {"before_agent", "on_exit"} <= hooks else []),
        f"test_pin_{service.implementation}.py",
        f"test_runner_{'eager' if service.eager else 'lazy'}.py",
        f"test_empty_{service.run.empty_result or 'complete'}.py",
        *(["test_deadline.py"] if _has_deadline(service) else []),
        *(["test_converters.py"] if service.converters else []),
        *(["test_state.py"] if _has_state(service) else []),
        *(["test_environment.py"] if service.variables else []),
        *(["callers.py"] if _has_perimeter(service) else []),
        *(["signing.py"] if _uses(service, "bearer_jwt") else []),
        *(["telling.py"] if _uses(service, "redact") else []),
        *(["webhooks.py"] if _pushes(service) else []),
    ]


def _placed(service: Service, test: str) -> str:
    """Let a test import the modules from where the service has them."""
    package = f"from {service.package}.service"
    return re.sub(r"^from runtime\b", package, test, flags=re.MULTILINE)


def _part_tests(service: Service) -> Iterator[SourceFile]:
    """Give the tests of the copied modules that have some of their own."""
    for name in map(basename, _modules(service)):
        text = part_test_source(name)
        if text is not None:
            yield _tool(f"tests/generated/test_part_{name}", _placed(service, text))


def _tool(path: str, text: str) -> SourceFile:
    return SourceFile(path=path, text=text, owner=Owner.TOOL, item="service")
