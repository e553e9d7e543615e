"""Who may answer a paused task, how, when, and how often."""

import time

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.utils.errors import InvalidRequestError

from .harness import WIRES, Caller, Content, Json, Reply, Wire
from .scripted import ScriptedAgent
from .subject import Interceptor, app, whole_chain

NAME = "paused_task_guard"
ACCEPT_TEXT = False
EXPIRES_AFTER_S: float | None = None

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


def answer(call: str) -> Content:
    """Make the response of a function that an agent asks to be called."""
    response: dict[str, Json] = {"ok": True}
    data: dict[str, Json] = {"id": call, "name": "approve", "response": response}
    return Content(
        parts=[{"data": data, "metadata": {"adk_type": "function_response"}}]
    )


YES = answer("call")
"""What the scripted agent asks for."""


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


class Door:
    """Stands below the recipe in the chain, and refuses while it is closed."""

    is_closed = False

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Let the message in, or not."""
        if self.is_closed:
            raise InvalidRequestError(message="not now")
        return context


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    """Another interceptor, which is still asked when the recipe let something in."""
    door = Door()
    below = Interceptor(name="door", hooks=door, before_agent=door.before_agent)
    guard = [each for each in whole_chain() if each.name == NAME]
    monkeypatch.setattr(app, "build_interceptors", lambda: [*guard, below])
    return door


async def pause(caller: Caller, agent: ScriptedAgent) -> str:
    """Let a task wait for an answer, after which the agent goes on."""
    agent.pauses = True
    paused = await caller.send("hello")
    agent.pauses = False
    assert paused.state == "input-required"
    return paused.task_id


async def assert_refused(
    caller: Caller, task_id: str, reply: Reply, reason: str
) -> None:
    """The caller is told why, and the task still waits."""
    task = await caller.call("GetTask", {"id": task_id})

    assert reply.error_data["reason"] == reason
    assert reply.error_data["policy"] == NAME
    assert task.state == "input-required"


@each_wire
async def test_the_response_of_the_function_is_taken(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The task goes on, and ends."""
    task_id = await pause(caller, agent)

    reply = await caller.send(YES, wire, task_id=task_id)

    assert reply.error is None
    assert reply.state == "completed"
    assert agent.runs == 2


@each_wire
async def test_plain_text_is_taken_or_not_as_the_spec_says(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """A text is no function's response."""
    task_id = await pause(caller, agent)

    reply = await caller.send("yes", wire, task_id=task_id)

    if ACCEPT_TEXT:
        assert reply.error is None
    else:
        await assert_refused(caller, task_id, reply, "function_response_required")
        assert agent.runs == 1


@each_wire
async def test_an_answer_is_taken_once(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """A task that pauses again doesn't take the first answer for the second."""
    task_id = await pause(caller, agent)
    agent.pauses = True
    await caller.send(YES, task_id=task_id)

    reply = await caller.send(YES, wire, task_id=task_id)

    await assert_refused(caller, task_id, reply, "already_answered")
    assert agent.runs == 2


@each_wire
async def test_an_answer_to_nothing_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """What nobody asked isn't answered."""
    task_id = await pause(caller, agent)

    reply = await caller.send(answer("other"), wire, task_id=task_id)

    await assert_refused(caller, task_id, reply, "unknown_function_response")


@each_wire
async def test_a_pause_ends_when_the_spec_says(
    caller: Caller, agent: ScriptedAgent, monkeypatch: pytest.MonkeyPatch, wire: Wire
) -> None:
    """Late is refused; without a limit nothing is late."""
    task_id = await pause(caller, agent)
    later = time.time() + (EXPIRES_AFTER_S or 1_000_000) + 1
    monkeypatch.setattr(time, "time", lambda: later)

    reply = await caller.send(YES, wire, task_id=task_id)

    if EXPIRES_AFTER_S is None:
        assert reply.error is None
    else:
        await assert_refused(caller, task_id, reply, "pause_expired")


@each_wire
async def test_an_answer_that_another_refused_can_be_given_again(
    door: Door, caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """It reached no agent, so it wasn't taken."""
    task_id = await pause(caller, agent)
    door.is_closed = True
    refused = await caller.send(YES, wire, task_id=task_id)
    door.is_closed = False

    reply = await caller.send(YES, wire, task_id=task_id)

    assert refused.error is not None
    assert reply.error is None
    assert reply.state == "completed"
