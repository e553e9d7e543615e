"""The runner is built at start-up, and closed even if that fails half way."""

import pytest
from google.adk.apps.app import App

from .harness import Caller, running
from .scripted import Factory, ScriptedAgent
from .subject import create_app

pytestmark = pytest.mark.anyio


async def test_start_up_builds_the_runner(caller: Caller, factory: Factory) -> None:
    """The first request finds it."""
    assert len(factory.built) == 1

    await caller.send("hello")

    assert len(factory.built) == 1


async def test_a_factory_that_fails_stops_the_start(
    agent: ScriptedAgent, factory: Factory
) -> None:
    """A service without a runner doesn't come up."""
    factory.failures = 1

    with pytest.raises(ConnectionError):
        async with running(create_app(agent=agent, runner_factory=factory)):
            pass


async def test_the_runner_is_closed_when_the_start_fails_later(
    factory: Factory,
) -> None:
    """An application without an agent has no card; the runner is closed again."""
    empty = App.model_construct(name="empty", root_agent=None)

    with pytest.raises(TypeError):
        async with running(create_app(agent=empty, runner_factory=factory)):
            pass

    assert [runner.closed for runner in factory.built] == [1]
