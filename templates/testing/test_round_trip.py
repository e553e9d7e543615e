"""Every caller gets an answer: A2A 1.0 and 0.3, at once and streamed."""

import pytest

from .harness import WIRES, Caller, Wire, values

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_an_answer_comes_back(caller: Caller, wire: Wire) -> None:
    """The agent's text arrives and the task is completed."""
    reply = await caller.send("hello", wire)

    assert reply.error is None
    assert reply.state == "completed"
    assert reply.artifact_texts == ["one"]


async def test_a_task_can_be_read_after_it_ended(caller: Caller) -> None:
    """A poller finds the answer in the task."""
    sent = await caller.send("hello")

    read = await caller.call("GetTask", {"id": sent.task_id})

    assert read.state == "completed"
    assert read.artifact_texts == ["one"]


async def test_a_task_can_be_found_by_its_conversation(caller: Caller) -> None:
    """And no task of another one is there."""
    sent, other = await caller.send("hello"), await caller.send("hello")
    (context_id, *_) = values(sent.answers, "contextId")

    found = await caller.call("ListTasks", {"contextId": context_id})

    assert sent.task_id in values(found.answers, "id")
    assert other.task_id not in values(found.answers, "id")
