"""What a caller reads of a failure, and what nobody but the log does."""

from collections.abc import AsyncGenerator
from pkgutil import resolve_name

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from .harness import WIRES, Caller, Wire
from .scripted import ScriptedAgent

NAME = "safe_errors"
MESSAGE = "The request failed; name the correlation id when you ask about it."
PASS_THROUGH: tuple[str, ...] = ()

DETAIL = "the database at 10.0.0.7 knows no such user"

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


class FailingAgent(ScriptedAgent):
    """Fails with an exception of a class, which carries the detail."""

    kind: str = "builtins:RuntimeError"

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        async for event in super()._run_async_impl(ctx):
            yield event
        kind = resolve_name(self.kind)
        # Whatever it wants to be made of, its text is this.
        raise kind.__new__(kind, DETAIL)


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> FailingAgent:
    """An agent that fails after its lines."""
    return FailingAgent(name="scripted", description="Fails.")


@each_wire
async def test_a_failure_is_read_as_the_public_message(
    caller: Caller, wire: Wire
) -> None:
    """The detail stands neither in the answer nor in what is stored."""
    reply = await caller.send("hello", wire)
    stored = await caller.call("GetTask", {"id": reply.task_id})

    assert reply.state == "failed"
    assert MESSAGE in reply.text
    assert reply.metadata("error_code") == ["internal_error"]
    assert len(reply.metadata("correlation_id")) == 1
    assert DETAIL not in str(reply.answers)
    assert DETAIL not in str(stored.answers)


@pytest.mark.parametrize("kind", PASS_THROUGH)
@each_wire
async def test_a_class_that_passes_keeps_its_text(
    caller: Caller, agent: FailingAgent, wire: Wire, kind: str
) -> None:
    """What the service says on purpose is read."""
    agent.kind = kind

    reply = await caller.send("hello", wire)

    assert reply.state == "failed"
    assert DETAIL in reply.text
