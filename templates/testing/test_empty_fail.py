"""A run that produces nothing fails."""

import pytest

from .harness import WIRES, Caller, Wire
from .scripted import ScriptedAgent

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_an_agent_that_says_nothing_fails(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The error code tells that from other failures."""
    agent.lines = ()

    reply = await caller.send("hello", wire)

    assert reply.state == "failed"
    assert reply.metadata("error_code") == ["empty_result"]
