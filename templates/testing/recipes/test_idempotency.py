"""A message that is sent again runs the agent once, and gets the same task."""

import asyncio
import time

import pytest
from google.adk.a2a.utils.agent_to_a2a import to_a2a

from .harness import WIRES, Caller, Reply, Wire, running, values
from .scripted import ScriptedAgent
from .subject import PATH, build_executor

NAME = "idempotency"
WINDOW_S = 600.0
REMEMBERED = 10_000

MOST_TO_SEND = 50

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(WINDOW_S < 5, reason="too short for a busy machine"),
]
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
again_on = pytest.mark.parametrize("again", WIRES, ids=lambda wire: f"again-{wire}")


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


async def repeat_first(
    caller: Caller, text: str = "hello", wire: Wire = WIRES[0], *, wait: bool = True
) -> Reply:
    """Send a message that has the id of the caller's first one; none waits for ever."""
    async with asyncio.timeout(20):
        return await Caller(caller.http, PATH).send(text, wire, wait=wait)


def tasks(reply: Reply) -> set[object]:
    """Give the ids of the tasks that a reply names."""
    assert reply.error is None
    return set(values(reply.answers, "taskId"))


def begun_task(reply: Reply) -> object:
    """Give the id of the task in an answer that didn't wait for its end."""
    (task,) = values(reply.answers, "task")
    return next(values(task, "id"))


def pass_time(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let so much time go by, without waiting for it."""
    clock = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: clock() + seconds)


@again_on
@each_wire
async def test_a_repeat_gets_the_same_task(
    caller: Caller, agent: ScriptedAgent, wire: Wire, again: Wire
) -> None:
    """On whatever wire it comes."""
    first = await caller.send("hello", wire)

    repeat = await repeat_first(caller, wire=again)

    assert agent.runs == 1
    assert tasks(repeat) == tasks(first)
    assert repeat.state == first.state == "completed"
    assert set(repeat.artifact_texts) == set(first.artifact_texts)


async def test_of_twenty_at_once_one_runs(caller: Caller, agent: ScriptedAgent) -> None:
    """All of them get the result."""
    sent = [repeat_first(caller, wire=WIRES[number % 4]) for number in range(20)]

    replies = await asyncio.gather(*sent)

    assert agent.runs == 1
    assert {reply.state for reply in replies} == {"completed"}
    assert len(set[object]().union(*map(tasks, replies))) == 1


@each_wire
async def test_another_message_with_the_same_id_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The first one keeps its task."""
    first = await caller.send("hello")

    reply = await repeat_first(caller, "something else", wire)

    assert reply.error is not None
    assert reply.error["code"] == -32600
    assert reply.error_data["reason"] == "duplicate_message"
    assert reply.error_data["policy"] == NAME
    assert tasks(await repeat_first(caller, wire=wire)) == tasks(first)
    assert agent.runs == 1


@each_wire
async def test_a_repeat_of_a_failure_gets_the_failure(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The agent has run."""
    agent.raises = "it broke"
    first = await caller.send("hello")
    agent.raises = ""

    repeat = await repeat_first(caller, wire=wire)

    assert agent.runs == 1
    assert repeat.state == "failed"
    assert tasks(repeat) == tasks(first)


@each_wire
async def test_a_repeat_of_what_waits_for_input_gets_the_question(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """Nobody is asked twice."""
    agent.pauses = True
    first = await caller.send("hello")

    repeat = await repeat_first(caller, wire=wire)

    assert agent.runs == 1
    assert repeat.state == "input-required"
    assert tasks(repeat) == tasks(first)


@each_wire
async def test_a_repeat_hears_of_a_cancel(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """It waits for what becomes of the first one."""
    agent.waits = True
    begun = await caller.send("hello", wait=False)
    waiting = asyncio.create_task(repeat_first(caller, wire=wire))
    await asyncio.sleep(0.05)
    has_waited = not waiting.done()
    await caller.call("CancelTask", {"id": str(begun_task(begun))})

    repeat = await waiting

    assert has_waited
    assert agent.runs == 1
    assert repeat.state == "canceled"


async def test_a_repeat_that_does_not_wait_is_answered_while_the_first_runs(
    caller: Caller, agent: ScriptedAgent
) -> None:
    """Its task is known as soon as the first one's is."""
    agent.waits = True
    begun = await caller.send("hello", wait=False)

    repeat = await repeat_first(caller, wait=False)

    assert begun_task(repeat) == begun_task(begun)
    assert repeat.state in ("submitted", "working")
    assert agent.runs <= 1


@each_wire
async def test_what_was_refused_may_be_sent_again(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """Nothing has run."""
    refused = await caller.send("hello", wire, task_id="of nobody")

    reply = await repeat_first(caller, wire=wire)

    assert refused.error is not None
    assert reply.state == "completed"
    assert agent.runs == 1


@each_wire
async def test_after_the_window_it_runs_again(
    caller: Caller, agent: ScriptedAgent, monkeypatch: pytest.MonkeyPatch, wire: Wire
) -> None:
    """The window begins when the message is done with."""
    first = await caller.send("hello", wire)
    pass_time(WINDOW_S / 2, monkeypatch)
    repeat = await repeat_first(caller, wire=wire)
    pass_time(WINDOW_S / 2, monkeypatch)

    after = await repeat_first(caller, wire=wire)

    assert agent.runs == 2
    assert tasks(repeat) == tasks(first)
    assert tasks(after) != tasks(first)


@pytest.mark.skipif(REMEMBERED > MOST_TO_SEND, reason="too many for a test")
async def test_who_ended_first_is_forgotten_first(
    caller: Caller, agent: ScriptedAgent
) -> None:
    """So many are remembered as the spec says."""
    for _ in range(REMEMBERED):
        await caller.send("hello")
    await repeat_first(caller)
    kept = agent.runs == REMEMBERED
    await caller.send("hello")

    await repeat_first(caller)

    assert kept
    assert agent.runs == REMEMBERED + 2


async def test_adks_own_application_runs_nothing(agent: ScriptedAgent) -> None:
    """There nothing sees a message before its task is made."""
    app = to_a2a(agent, agent_executor_factory=build_executor)

    async with running(app) as caller:
        reply = await caller.send("hello")

    assert reply.error_data["reason"] == "idempotency_unavailable"
    assert agent.runs == 0
