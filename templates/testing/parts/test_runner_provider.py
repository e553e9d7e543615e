"""One runner for all, however its factory is written."""

import re

import pytest
from google.adk.runners import Runner

from runtime.boundary.runner_provider import RunnerFactory, RunnerProvider

from .scripted import Factory

pytestmark = pytest.mark.anyio


async def test_no_runner_is_given_after_the_close(factory: Factory) -> None:
    """A request that comes too late doesn't open anything."""
    provider = RunnerProvider(factory)
    runner = await provider()
    assert await provider() is runner

    await provider.close()
    await provider.close()

    with pytest.raises(RuntimeError, match=r"^the service is shutting down$"):
        await provider()
    assert [each.closed for each in factory.built] == [1]


async def test_a_factory_may_be_a_plain_function(factory: Factory) -> None:
    """It is called once, as any other."""
    made = await factory()

    def plain() -> Runner:
        return made

    assert await RunnerProvider(plain)() is made


async def no_runner() -> None:
    """Give none, as a function does that forgets to."""


class NoRunners:
    """Gives none either."""

    def __call__(self) -> str:
        """Give its name."""
        return "runner"


@pytest.mark.parametrize(
    ("made", "name", "kind"),
    [(no_runner, "no_runner", "NoneType"), (NoRunners(), "NoRunners", "str")],
)
async def test_what_is_no_runner_is_told_with_its_factory(
    made: RunnerFactory, name: str, kind: str
) -> None:
    """Each time, since nothing is kept."""
    told = f"runner factory {__name__}:{name} gave {kind}, not an ADK Runner"
    provider = RunnerProvider(made)

    for _ in range(2):
        with pytest.raises(TypeError, match=f"^{re.escape(told)}$"):
            await provider()
