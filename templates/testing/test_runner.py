"""The runner: one for all requests, built when needed, closed once."""

import anyio
import pytest

from .harness import WIRES, Reply, running
from .scripted import Factory, ScriptedAgent
from .subject import PATH, create_app

pytestmark = pytest.mark.anyio


async def test_concurrent_first_requests_share_one_runner(
    agent: ScriptedAgent, factory: Factory
) -> None:
    """Whichever implementation asks first, the factory is called once."""
    replies: list[Reply] = []

    async def send(number: int) -> None:
        reply = await caller.send("hello", WIRES[number % 4], extension=number % 3 == 0)
        replies.append(reply)

    app = create_app(agent=agent, runner_factory=factory)
    async with running(app, PATH) as caller, anyio.create_task_group() as group:
        for number in range(12):
            group.start_soon(send, number)

    assert len(factory.built) == 1
    assert [reply.state for reply in replies] == ["completed"] * 12


async def test_the_runner_is_closed_once_at_shutdown(
    agent: ScriptedAgent, factory: Factory
) -> None:
    """What was built is closed, when the application stops."""
    async with running(create_app(agent=agent, runner_factory=factory), PATH) as caller:
        await caller.send("hello")
        assert factory.built[0].closed == 0

    assert factory.built[0].closed == 1
