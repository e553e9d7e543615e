"""on_exit runs for a request that before_agent didn't let in, too."""

import pytest

from .ends import ON_EXIT, ends, everybody, outcomes
from .harness import WIRES, Caller, Wire
from .recorder import Recorder
from .scripted import ScriptedAgent
from .subject import Rejected, with_hook

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
each_gate = pytest.mark.parametrize("name", with_hook("before_agent"))


def refuse(_: object) -> object:
    """Refuse as a hook does."""
    raise Rejected("not_you")


def fail(_: object) -> object:
    """Fail as a hook does."""
    message = "out of order"
    raise RuntimeError(message)


@each_wire
@each_gate
async def test_it_runs_once_when_a_hook_refuses(
    caller: Caller, recorder: Recorder, name: str, wire: Wire
) -> None:
    """Whether its own before_agent refuses, or that of another interceptor."""
    recorder.answer(name, "before_agent", refuse)

    reply = await caller.send("hello", wire)

    assert reply.error is not None
    assert ends(recorder) == everybody("rejected")
    (outcome,) = outcomes(recorder, ON_EXIT[0])
    assert isinstance(outcome.error, Rejected)
    assert outcome.error_code == "not_you"


@each_wire
@each_gate
async def test_it_runs_once_when_a_hook_fails(
    caller: Caller, recorder: Recorder, name: str, wire: Wire
) -> None:
    """A request that no run began for is settled as well."""
    recorder.answer(name, "before_agent", fail)

    reply = await caller.send("hello", wire)

    assert reply.error is not None
    assert ends(recorder) == everybody("failed")


@each_gate
async def test_a_refused_reply_is_settled_and_the_task_stays_paused(
    caller: Caller, recorder: Recorder, agent: ScriptedAgent, name: str
) -> None:
    """The refused reply is a request of its own."""
    agent.pauses = True
    paused = await caller.send("hello")
    recorder.answer(name, "before_agent", refuse)

    await caller.send("yes", task_id=paused.task_id)
    task = await caller.call("GetTask", {"id": paused.task_id})

    assert ends(recorder) == everybody("paused", "rejected")
    assert task.state == "input-required"
