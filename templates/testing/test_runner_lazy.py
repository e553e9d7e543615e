"""The runner is built at the first request, and again if that failed."""

import pytest

from .harness import WIRES, Caller, Wire, running
from .scripted import Factory, ScriptedAgent
from .subject import create_app

pytestmark = pytest.mark.anyio


async def test_the_first_request_builds_the_runner(
    caller: Caller, factory: Factory
) -> None:
    """Start-up builds nothing; one runner serves all requests."""
    assert factory.built == []

    await caller.send("hello")
    await caller.send("hello again")

    assert len(factory.built) == 1


async def test_a_failed_build_is_tried_again(caller: Caller, factory: Factory) -> None:
    """The next request gets a runner."""
    factory.failures = 1

    failed = await caller.send("hello")
    served = await caller.send("hello")

    assert failed.state == "failed"
    assert "not yet" not in str(failed.answers)
    assert served.state == "completed"


@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_a_factory_that_gives_no_runner_is_named_in_the_log(
    caller: Caller,
    agent: ScriptedAgent,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    wire: Wire,
) -> None:
    """The log tells which factory to mend; the agent doesn't run."""

    async def give_text(_: Factory) -> str:
        return "no runner"

    monkeypatch.setattr(Factory, "__call__", give_text)

    reply = await caller.send("hello", wire)

    assert reply.state == "failed"
    assert "scripted:Factory gave str, not an ADK Runner" in caplog.text
    assert agent.runs == 0


async def test_without_a_request_nothing_is_closed(
    agent: ScriptedAgent, factory: Factory
) -> None:
    """A service that was never called shuts down cleanly."""
    async with running(create_app(agent=agent, runner_factory=factory)):
        pass

    assert factory.built == []
