"""Fixtures of the generated tests: the service with stand-ins for its hooks."""

from collections.abc import AsyncGenerator, Callable, Iterator

import pytest
import uvicorn
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from starlette.applications import Starlette

from .harness import Caller, running
from .recorder import Recorder
from .scripted import Factory, ScriptedAgent
from .subject import (
    CONVERTERS,
    ENVIRONMENT,
    INTERCEPTORS,
    PATH,
    Interceptor,
    app,
    create_app,
    executor,
    whole_chain,
)


@pytest.fixture
def anyio_backend() -> str:
    """ADK and the SDK run on asyncio."""
    return "asyncio"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the interceptors need from the environment, with values of no meaning."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def recipe() -> str | None:
    """Which recipe stands in the chain: none, unless its own tests name it."""
    return None


@pytest.fixture(autouse=True)
def _chain(monkeypatch: pytest.MonkeyPatch, recipe: str | None) -> None:
    """The chain without the other recipes: each is tested by itself."""

    def build_interceptors() -> list[Interceptor]:
        standing = {*INTERCEPTORS, recipe}
        return [each for each in whole_chain() if each.name in standing]

    for module in (app, executor):
        monkeypatch.setattr(module, "build_interceptors", build_interceptors)


@pytest.fixture(autouse=True)
def recorder() -> Iterator[Recorder]:
    """Stand-ins for the hooks: what is tested here is everything around them."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield Recorder(monkeypatch, INTERCEPTORS)


@pytest.fixture(autouse=True)
def converted(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Which converters of the spec ran; ADK's own stand in for what they do."""
    ran: set[str] = set()
    defaults = A2aAgentExecutorConfig()

    def recording(name: str) -> Callable[..., object]:
        converter: Callable[..., object] = getattr(defaults, name)

        def convert(*arguments: object) -> object:
            ran.add(name)
            return converter(*arguments)

        return convert

    for name in CONVERTERS:
        monkeypatch.setattr(executor, name, recording(name))
    return ran


@pytest.fixture
def agent() -> ScriptedAgent:
    """An agent that says one line and needs no model."""
    return ScriptedAgent(name="scripted", description="Says its lines.")


@pytest.fixture
def factory(agent: ScriptedAgent) -> Factory:
    """Gives runners of the scripted agent, and counts them."""
    return Factory(agent)


@pytest.fixture
async def caller(
    agent: ScriptedAgent, factory: Factory
) -> AsyncGenerator[Caller, None]:
    """A caller of the running service."""
    async with running(create_app(agent=agent, runner_factory=factory), PATH) as caller:
        yield caller


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Where uvicorn was asked to listen; it isn't started."""
    found: list[tuple[str, int]] = []

    def run(app: object, *, host: str, port: int, **more: object) -> None:
        assert isinstance(app, Starlette)
        # Else a caller could say in a header from where it calls.
        assert more["proxy_headers"] is False
        found.append((host, port))

    monkeypatch.setattr(uvicorn, "run", run)
    return found
