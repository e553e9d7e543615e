"""Whatever fails, the caller reads no detail of it, and learns what to ask with."""

import pytest

from .harness import WIRES, Caller, Wire
from .scripted import ScriptedAgent

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)

PLANTED = "s3cret"
DETAIL = f"postgresql://orders:{PLANTED}@db.internal is down"


@each_wire
async def test_what_an_agent_raises_stays_in_the_log(
    caller: Caller, agent: ScriptedAgent, caplog: pytest.LogCaptureFixture, wire: Wire
) -> None:
    """Neither the answer nor the stored task has it, and the log has no password."""
    agent.raises = DETAIL

    reply = await caller.send("hello", wire)
    listed = await caller.call("ListTasks", {"includeArtifacts": True})

    assert reply.state == "failed"
    assert "db.internal" not in str(reply.answers)
    assert "db.internal" not in str(listed.answers)
    assert "ConnectionError: postgresql://***@db.internal is down" in caplog.text
    assert PLANTED not in caplog.text


@each_wire
async def test_the_caller_learns_what_to_ask_with(
    caller: Caller, agent: ScriptedAgent, caplog: pytest.LogCaptureFixture, wire: Wire
) -> None:
    """The correlation id finds the line in the log."""
    agent.raises = DETAIL

    reply = await caller.send("hello", wire)

    assert reply.metadata("error_code") == ["internal_error"]
    (correlation_id,) = reply.metadata("correlation_id")
    assert f"request {correlation_id} failed: ConnectionError" in caplog.text


@each_wire
async def test_an_error_that_the_agent_reports_is_hidden_too(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """A model's error is an event of the agent's, not an exception."""
    agent.reports = DETAIL

    reply = await caller.send("hello", wire)

    assert reply.state == "failed"
    assert "db.internal" not in str(reply.answers)
    assert reply.metadata("error_code") == ["agent_error"]
