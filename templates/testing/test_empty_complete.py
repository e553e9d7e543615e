"""A run that produces nothing completes all the same."""

import pytest

from .harness import WIRES, Caller, Wire
from .scripted import ScriptedAgent

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_an_agent_that_says_nothing_completes(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """No caller waits for ever."""
    agent.lines = ()

    reply = await caller.send("hello", wire)

    assert reply.state == "completed"
    assert reply.artifact_texts == []
