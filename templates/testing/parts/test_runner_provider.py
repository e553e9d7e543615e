"""One runner for all, however its factory is written."""

import pytest
from google.adk.runners import Runner

from runtime.boundary.runner_provider import RunnerProvider

from .scripted import Factory

pytestmark = pytest.mark.anyio


async def test_no_runner_is_given_after_the_close(factory: Factory) -> None:
    """A request that comes too late doesn't open anything."""
    provider = RunnerProvider(factory)
    runner = await provider()
    assert await provider() is runner

    await provider.close()
    await provider.close()

    with pytest.raises(RuntimeError, match="shutting down"):
        await provider()
    assert [each.closed for each in factory.built] == [1]


async def test_a_factory_may_be_a_plain_function(factory: Factory) -> None:
    """It is called once, as any other."""
    made = await factory()

    def plain() -> Runner:
        return made

    assert await RunnerProvider(plain)() is made
