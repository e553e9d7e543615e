"""What stands in the place of an event goes down the list, and leaves in order."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from a2a.types import Part, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.boundary.policy import Policy
from runtime.seams.protocols import OnSend, OnSendOffLoop, Outgoing
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)


async def says(_: InvocationContext) -> AsyncGenerator[Event, None]:
    """Say something."""
    yield adk_event("said")


class Doubles(OnSend):
    """Sends each artifact twice."""

    def on_send(self, event: Outgoing) -> list[Outgoing]:
        if not isinstance(event, TaskArtifactUpdateEvent):
            return [event]
        second = TaskArtifactUpdateEvent()
        second.CopyFrom(event)
        second.artifact.artifact_id = "second"
        return [event, second]


class Counts(OnSend):
    """Numbers the artifacts that it sees."""

    def __init__(self) -> None:
        self.artifacts = 0

    def on_send(self, event: Outgoing) -> Outgoing:
        if isinstance(event, TaskArtifactUpdateEvent):
            self.artifacts += 1
            event.artifact.parts.append(Part(text=f"number {self.artifacts}"))
        return event


class CountsSlowly(Counts, OnSendOffLoop):
    """Numbers them, and lets others run first."""

    async def on_send_off_loop(self, event: Outgoing) -> Outgoing:
        await asyncio.sleep(0.01)
        return self.on_send(event)


@each_cell
async def test_what_takes_long_keeps_its_place(cell: Cell) -> None:
    slow, quick = CountsSlowly(), Counts()
    slow.artifacts = 10
    hooks: dict[str, object] = {"doubles": Doubles(), "slow": slow, "quick": quick}
    async with served(Setup(script=says, hooks=hooks, pin=cell.pin)) as caller:
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
        stored = await caller.call("GetTask", {"id": reply.task_id})
    texts = ["said", "number 11", "number 1", "said", "number 12", "number 2"]
    assert stored.artifact_texts == texts
    assert stored.state == reply.state == "completed"


@each_cell
async def test_each_of_a_list_goes_on_down_the_list(cell: Cell) -> None:
    counts = Counts()
    hooks: dict[str, object] = {"doubles": Doubles(), "counts": counts}
    async with served(Setup(script=says, hooks=hooks, pin=cell.pin)) as caller:
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
        stored = await caller.call("GetTask", {"id": reply.task_id})
    assert counts.artifacts == 2
    assert stored.artifact_texts == ["said", "number 1", "said", "number 2"]
    assert stored.state == reply.state == "completed"


class Silences(OnSend):
    """Sends only the task and its states."""

    def on_send(self, event: Outgoing) -> list[Outgoing]:
        if isinstance(event, Task):
            return [event]
        if isinstance(event, TaskStatusUpdateEvent):
            event.status.ClearField("message")
            return [event]
        return []


@each_cell
async def test_of_an_empty_list_nothing_leaves(cell: Cell) -> None:
    setup = Setup(
        script=says,
        hooks={"silences": Silences()},
        pin=cell.pin,
        policy=Policy(empty_result="fail"),
    )
    async with served(setup) as caller:
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
    assert "said" not in str(reply.answers)
    assert reply.metadata("error_code") == ["empty_result"]
