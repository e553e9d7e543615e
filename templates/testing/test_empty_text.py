"""A run that produces nothing answers with the text of interceptors.yaml."""

import pytest

from .harness import WIRES, Caller, Wire
from .scripted import ScriptedAgent
from .subject import POLICY

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


@each_wire
async def test_an_agent_that_says_nothing_answers_with_the_text(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The caller reads something."""
    agent.lines = ()

    reply = await caller.send("hello", wire)

    assert reply.state == "completed"
    assert reply.artifact_texts == [POLICY["empty_text"]]


@each_wire
async def test_an_answer_stays_alone(caller: Caller, wire: Wire) -> None:
    """The text stands in for a result; it isn't added to one."""
    reply = await caller.send("hello", wire)

    assert reply.artifact_texts == ["one"]
