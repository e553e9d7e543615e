"""A run that says nothing answers with the last output of its workflow."""

from collections.abc import AsyncGenerator

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from .harness import WIRES, Caller, Wire, running
from .scripted import Factory, ScriptedAgent
from .subject import PATH, create_app

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


class Silent(ScriptedAgent):
    """Gives outputs, as the nodes of a workflow do, and no content."""

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        for output in ("draft", {"total": 3}):
            yield Event(
                author=self.name, invocation_id=ctx.invocation_id, output=output
            )


@each_wire
async def test_the_last_output_is_the_answer(wire: Wire) -> None:
    """It is serialised, unless it is a text."""
    agent = Silent(name="scripted", description="Says nothing.")
    app = create_app(agent=agent, runner_factory=Factory(agent))

    async with running(app, PATH) as caller:
        reply = await caller.send("hello", wire)

    assert reply.state == "completed"
    assert reply.artifact_texts == ['{"total":3}']


@each_wire
async def test_without_an_output_the_run_completes(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """No caller waits for ever."""
    agent.lines = ()

    reply = await caller.send("hello", wire)

    assert reply.state == "completed"
    assert reply.artifact_texts == []
