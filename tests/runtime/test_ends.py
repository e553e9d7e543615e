"""When a run is over, and what it ends with."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator

import pytest
from a2a.types import TaskArtifactUpdateEvent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.runners import InMemoryRunner, Runner
from google.adk.workflow import START, Workflow
from tests.runtime.serving import CELLS, Cell, Exits, Script, Setup, served

from runtime.boundary.policy import EmptyResult, Policy
from runtime.seams.protocols import OnSend, Outgoing
from testing.harness import Reply
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
# Where a test takes its time, one wire stands for all: time passes for all alike.
each_pin = pytest.mark.parametrize("cell", CELLS[:4], ids=str)


async def talks_on(_: InvocationContext) -> AsyncGenerator[Event, None]:
    for _number in range(20):
        yield adk_event("on and on")
        await asyncio.sleep(0.02)


async def falls_silent(_: InvocationContext) -> AsyncGenerator[Event, None]:
    for _number in range(5):
        yield adk_event("on and on")
        await asyncio.sleep(0.02)
    await asyncio.sleep(3600)


async def ignores_its_end(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("begun")
    for _number in range(40):
        try:
            await asyncio.sleep(0.05)
        except asyncio.CancelledError:
            continue
    yield adk_event("too late")


async def is_silent(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield Event(author="scripted", actions=EventActions(state_delta={"a": 1}))


async def gives_output(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield Event(author="scripted", output="first")
    yield Event(author="scripted", output={"orders": [7, 8], "late": None})


async def says_nothing(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("")


async def ask(cell: Cell, setup: Setup) -> Reply:
    setup.pin = cell.pin
    async with served(setup) as caller:
        sent = caller.send("hi", cell.wire, extension=cell.extension)
        return await asyncio.wait_for(sent, 10)


@each_cell
async def test_a_run_has_a_deadline(cell: Cell) -> None:
    policy = Policy(deadline_s=0.1)
    reply = await ask(cell, Setup(script=talks_on, policy=policy))
    assert reply.state == "failed"
    assert reply.metadata("error_code") == ["deadline_exceeded"]
    assert reply.text.count("on and on") < 20


@each_pin
async def test_an_idle_deadline_counts_from_the_last_event(cell: Cell) -> None:
    patient = Policy(idle_deadline_s=0.3)
    talked = await ask(cell, Setup(script=talks_on, policy=patient))
    silent = await ask(cell, Setup(script=falls_silent, policy=patient))
    assert talked.state == "completed"
    assert silent.state == "failed"
    assert silent.metadata("error_code") == ["deadline_exceeded"]


@each_pin
async def test_an_agent_that_ignores_its_end_is_left(
    cell: Cell, caplog: pytest.LogCaptureFixture
) -> None:
    exits = Exits()
    setup = Setup(
        script=ignores_its_end, hooks={"x": exits}, policy=Policy(deadline_s=0.05)
    )
    reply = await ask(cell, setup)
    assert reply.state == "failed"
    assert "too late" not in reply.text
    assert exits.kinds == ["timed_out"]
    assert "it is left behind" in caplog.text


async def test_an_agent_that_ignores_a_cancel_is_left() -> None:
    exits = Exits()
    setup = Setup(script=ignores_its_end, hooks={"x": exits})
    async with served(setup) as caller:
        begun = await caller.send("hi", wait=False)
        task_id = str(begun.metadata("id")[0])
        canceled = caller.call("CancelTask", {"id": task_id})
        reply = await asyncio.wait_for(canceled, 10)
        assert exits.kinds == ["canceled"]
    assert reply.state == "canceled"


@each_cell
@pytest.mark.parametrize("script", [is_silent, says_nothing])
@pytest.mark.parametrize(
    ("empty_result", "state", "texts"),
    [
        ("complete", "completed", set[str]()),
        ("text", "completed", {"Nothing to report."}),
        ("last_output", "completed", set[str]()),
        ("fail", "failed", set[str]()),
    ],
)
async def test_a_run_that_produced_nothing(
    cell: Cell,
    script: Script,
    empty_result: EmptyResult,
    state: str,
    texts: set[str],
) -> None:
    policy = Policy(empty_result=empty_result, empty_text="Nothing to report.")
    reply = await ask(cell, Setup(script=script, policy=policy))
    assert reply.state == state
    assert set(reply.artifact_texts) - {""} == texts
    codes = ["empty_result"] if empty_result == "fail" else []
    assert reply.metadata("error_code") == codes


class NoStandIn(OnSend):
    """Breaks at the artifact that stands in for a result."""

    def on_send(self, event: Outgoing) -> Outgoing:
        if isinstance(event, TaskArtifactUpdateEvent):
            raise ConnectionError("redis://:s3cret@cache")
        return event


@each_cell
async def test_a_stand_in_that_cannot_be_sent_fails_the_task(cell: Cell) -> None:
    """The request is settled, and the caller reads no detail."""
    exits = Exits()
    policy = Policy(empty_result="text", empty_text="Nothing to report.")
    hooks = {"x": exits, "breaks": NoStandIn()}
    reply = await ask(cell, Setup(script=is_silent, policy=policy, hooks=hooks))
    assert reply.state == "failed"
    assert reply.metadata("error_code") == ["internal_error"]
    assert "s3cret" not in str(reply.answers)
    assert exits.kinds == ["failed"]


@each_cell
async def test_the_last_output_is_serialised(cell: Cell) -> None:
    policy = Policy(empty_result="last_output")
    reply = await ask(cell, Setup(script=gives_output, policy=policy))
    (text,) = reply.artifact_texts
    assert reply.state == "completed"
    assert json.loads(text) == {"orders": [7, 8], "late": None}


def count(node_input: str) -> dict[str, object]:
    """Return what the next step would be handed, if there were one."""
    return {"orders": [7, 8], "asked": node_input}


@each_cell
async def test_the_output_of_a_silent_workflow_is_the_answer(cell: Cell) -> None:
    """D1-12: its one step returns a dict and says nothing, and nobody waits."""

    def runner() -> Runner:
        root = Workflow(name="counting", edges=[(START, count)])
        return InMemoryRunner(node=root, app_name="counting")

    policy = Policy(empty_result="last_output")
    setup = Setup(script=is_silent, policy=policy, factory=runner, pin=cell.pin)
    async with served(setup) as caller:
        began = time.monotonic()
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
        took = time.monotonic() - began
        stored = await caller.call("GetTask", {"id": reply.task_id})
    assert took < 2
    for told in (reply, stored):
        assert told.state == "completed"
        (text,) = told.artifact_texts
        assert json.loads(text) == {"orders": [7, 8], "asked": "hi"}


@each_cell
@pytest.mark.parametrize("empty_result", ["text", "last_output", "fail"])
async def test_a_run_with_an_answer_is_not_empty(
    cell: Cell, empty_result: EmptyResult
) -> None:
    async def script(_: InvocationContext) -> AsyncGenerator[Event, None]:
        yield Event(author="scripted", output="not this")
        yield adk_event("an answer")

    policy = Policy(empty_result=empty_result, empty_text="nor this")
    reply = await ask(cell, Setup(script=script, policy=policy))
    assert reply.state == "completed"
    assert set(reply.artifact_texts) == {"an answer"}
