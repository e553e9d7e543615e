"""The runner provider, where a request can't reach."""

import asyncio
from collections.abc import Awaitable
from typing import cast

import pytest
from google.adk.agents import BaseAgent
from google.adk.runners import InMemoryRunner, Runner

from runtime.boundary.runner_provider import RunnerFactory, RunnerProvider

pytestmark = pytest.mark.service


class Counted(InMemoryRunner):
    """Counts how often it is closed."""

    closed = 0

    async def close(self) -> None:
        """Close, and count it."""
        self.closed += 1
        await super().close()


def counted() -> Counted:
    return Counted(agent=BaseAgent(name="agent"), app_name="orders")


def test_a_sync_factory_and_an_async_one_are_taken() -> None:
    async def later() -> Runner:
        await asyncio.sleep(0)
        return counted()

    async def both() -> None:
        for factory in (counted, later):
            assert isinstance(await RunnerProvider(factory)(), Counted)

    asyncio.run(both())


def test_a_second_close_does_nothing() -> None:
    async def close_twice() -> Runner:
        provider = RunnerProvider(counted)
        runner = await provider()
        await asyncio.gather(provider.close(), provider.close())
        await provider.close()
        return runner

    runner = asyncio.run(close_twice())
    assert isinstance(runner, Counted)
    assert runner.closed == 1


def test_a_closed_provider_builds_nothing() -> None:
    async def ask_after_close() -> None:
        provider = RunnerProvider(counted)
        await provider.close()
        await provider()

    with pytest.raises(RuntimeError, match="shutting down"):
        asyncio.run(ask_after_close())


def test_a_close_waits_for_a_build_and_closes_what_it_gave() -> None:
    built: list[Counted] = []

    async def slow() -> Runner:
        await asyncio.sleep(0.01)
        built.append(counted())
        return built[-1]

    async def close_meanwhile() -> None:
        provider = RunnerProvider(slow)
        asking = asyncio.ensure_future(provider())
        await asyncio.sleep(0)
        await provider.close()
        await asking

    asyncio.run(close_meanwhile())
    assert [runner.closed for runner in built] == [1]


class Factory:
    """A factory that is an object and gives what it was made with."""

    def __init__(self, given: object) -> None:
        self._given = given

    def __call__(self) -> Runner | Awaitable[Runner]:
        """Give it."""
        return cast("Runner", self._given)


@pytest.mark.parametrize("given", [None, "text", BaseAgent(name="agent"), Runner])
def test_what_is_no_runner_is_refused_by_the_factory_s_name(given: object) -> None:
    async def ask(factory: RunnerFactory) -> None:
        await RunnerProvider(factory)()

    with pytest.raises(TypeError) as raised:
        asyncio.run(ask(Factory(given)))
    expected = f":Factory gave {type(given).__name__}, not an ADK Runner"
    assert str(raised.value) == f"runner factory {__name__}{expected}"
