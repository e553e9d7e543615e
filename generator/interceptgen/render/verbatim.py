"""The modules that a service receives as they are, chosen by what the spec uses."""

from interceptgen.files import Owner, SourceFile
from interceptgen.resources import runtime_source, schema_text, testing_source
from interceptgen.service import Service

__all__ = ["render_verbatim"]

_RUNTIME = (
    "__init__.py",
    "address.py",
    "application.py",
    "card.py",
    "chain.py",
    "environment.py",
    "gate.py",
    "health.py",
    "in_memory.py",
    "interceptor.py",
    "runner_provider.py",
    "server.py",
    "versions.py",
)

_TESTING = (
    "__init__.py",
    "conftest.py",
    "harness.py",
    "recorder.py",
    "scripted.py",
    "test_app.py",
    "test_round_trip.py",
    "test_runner.py",
)


def render_verbatim(service: Service) -> list[SourceFile]:
    """Give the runtime, the test modules and the spec's JSON Schema."""
    runtime = f"src/{service.package}/service"
    return [
        *(_tool(f"{runtime}/{name}", runtime_source(name)) for name in _RUNTIME),
        *(
            _tool(f"tests/generated/{name}", testing_source(name))
            for name in _testing(service)
        ),
        _tool("interceptors.schema.json", schema_text()),
    ]


def _testing(service: Service) -> list[str]:
    hooks = {hook for each in service.interceptors for hook in each.hooks}
    return [
        *_TESTING,
        *(f"test_{hook}.py" for hook in sorted(hooks)),
        f"test_pin_{service.implementation}.py",
        f"test_runner_{'eager' if service.eager else 'lazy'}.py",
        *(["test_converters.py"] if service.converters else []),
        *(["test_environment.py"] if service.variables else []),
    ]


def _tool(path: str, text: str) -> SourceFile:
    return SourceFile(path=path, text=text, owner=Owner.TOOL, item="service")
