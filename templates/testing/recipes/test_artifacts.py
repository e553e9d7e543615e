"""What artifacts delivers of what the agent saves, and what stands for the rest."""

from base64 import b64encode
from collections.abc import AsyncGenerator
from typing import Literal

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types

from .harness import WIRES, Caller, Json, Reply, Wire, values
from .scripted import ScriptedAgent, adk_event

NAME = "artifacts"
MAX_BYTES = 1_000_000
OVER_CAP: Literal["reference", "fail"] = "reference"
NAMES: tuple[str, ...] = ("*",)
LISTED: tuple[str, ...] = ("a",)
"""A name for each of these."""
UNLISTED: tuple[str, ...] = ()
"""Names that none of these is for."""

FILE = b"\x89PNG\xff"[: min(MAX_BYTES, 5)]
TOO_LARGE = b"\xff" * (min(MAX_BYTES, 10_000_000) + 1)

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
each_name = pytest.mark.parametrize("name", LISTED)
can_be_made = pytest.mark.skipif(
    len(TOO_LARGE) <= MAX_BYTES, reason="what is too large is too large for a test"
)


class SavingAgent(ScriptedAgent):
    """Saves its files, each with an event of its own, after its lines.

    Attributes:
        files: What it saves, by name.
        text: What it says with each; events without content if it's empty.
        loses: Whether what it saved is gone before it says so.
    """

    files: tuple[tuple[str, types.Part], ...] = ()
    text: str = ""
    loses: bool = False

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        async for event in super()._run_async_impl(ctx):
            yield event
        for name, file in self.files:
            version = await self._saved(ctx, name, file)
            event = adk_event(self.text) if self.text else Event(author=self.name)
            event.invocation_id = ctx.invocation_id
            event.actions = EventActions(artifact_delta={name: version})
            yield event

    async def _saved(self, ctx: InvocationContext, name: str, file: types.Part) -> int:
        service = ctx.artifact_service
        assert service is not None
        version = await service.save_artifact(
            app_name=ctx.app_name,
            user_id=ctx.user_id,
            session_id=ctx.session.id,
            filename=name,
            artifact=file,
        )
        if self.loses:
            await service.delete_artifact(
                app_name=ctx.app_name,
                user_id=ctx.user_id,
                session_id=ctx.session.id,
                filename=name,
            )
        return version


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> SavingAgent:
    """An agent that saves a file."""
    files = ((LISTED[0], blob(FILE)),)
    return SavingAgent(name="scripted", description="Saves files.", files=files)


def blob(content: bytes) -> types.Part:
    """Make a file that isn't text."""
    return types.Part(inline_data=types.Blob(data=content, mime_type="image/png"))


async def everything(caller: Caller, wire: Wire) -> list[Reply]:
    """Give what the caller gets, and what is stored."""
    reply = await caller.send("hello", wire)
    return [reply, await caller.call("GetTask", {"id": reply.task_id})]


def artifacts(reply: Reply) -> list[dict[str, Json]]:
    """Give the artifacts that have a name, as those that were saved do."""
    found = list(values(reply.answers, "artifact"))
    for listed in values(reply.answers, "artifacts"):
        found += listed if isinstance(listed, list) else []
    return [each for each in found if isinstance(each, dict) and each.get("name")]


def held(artifact: dict[str, Json]) -> list[Json]:
    """Give what an artifact holds: a file, a text or a note."""
    keys = ("raw", "bytes", "text", "not_delivered")
    return [value for key in keys for value in values(artifact, key)][:1]


def base64(content: bytes) -> str:
    """Give what a file is on the wire."""
    return b64encode(content).decode()


@pytest.mark.parametrize("text", ["", "here it is"], ids=["silent", "spoken"])
@each_name
@each_wire
async def test_a_file_arrives(
    caller: Caller, agent: SavingAgent, wire: Wire, name: str, text: str
) -> None:
    """It has its name, its type and its bytes, and what was said is there, too."""
    agent.files, agent.text = ((name, blob(FILE)),), text

    for reply in await everything(caller, wire):
        (artifact,) = artifacts(reply)
        assert reply.state == "completed"
        assert artifact["name"] == name
        assert held(artifact) == [base64(FILE)]
        assert "image/png" in [
            *values(artifact, "mediaType"),
            *values(artifact, "mimeType"),
        ]
        assert (text or "one") in reply.artifact_texts


@each_wire
async def test_a_text_arrives_as_a_text(
    caller: Caller, agent: SavingAgent, wire: Wire
) -> None:
    """Nobody has to decode it."""
    agent.files = ((LISTED[0], types.Part(text="x")),)

    for reply in await everything(caller, wire):
        assert [held(each) for each in artifacts(reply)] == [["x"]]


@each_wire
async def test_versions_are_told_apart(
    caller: Caller, agent: SavingAgent, wire: Wire
) -> None:
    """What was saved later doesn't take the place of what was saved first."""
    agent.files = ((LISTED[0], blob(b"1")), (LISTED[0], blob(b"2")))

    for reply in await everything(caller, wire):
        found = artifacts(reply)
        assert [held(each) for each in found] == [[base64(b"1")], [base64(b"2")]]
        assert [str(each["artifactId"])[-2:] for each in found] == ["_0", "_1"]


@can_be_made
@each_wire
async def test_what_is_too_large_stays_here(
    caller: Caller, agent: SavingAgent, wire: Wire
) -> None:
    """The spec says whether a note leaves in its place or the task fails."""
    agent.files = ((LISTED[0], blob(TOO_LARGE)),)

    for reply in await everything(caller, wire):
        assert base64(TOO_LARGE) not in str(reply.answers)
        if OVER_CAP == "fail":
            assert reply.state == "failed"
            assert reply.metadata("error_code") == ["artifact_too_large"]
        else:
            assert reply.state == "completed"
            assert reply.metadata("not_delivered") == ["too_large"]
            assert reply.metadata("bytes") == [len(TOO_LARGE)]


@can_be_made
@each_wire
async def test_what_is_just_small_enough_arrives(
    caller: Caller, agent: SavingAgent, wire: Wire
) -> None:
    """The spec's number is the largest one that does."""
    agent.files = ((LISTED[0], blob(TOO_LARGE[:MAX_BYTES])),)

    for reply in await everything(caller, wire):
        assert [held(each) for each in artifacts(reply)] == [
            [base64(TOO_LARGE[:MAX_BYTES])]
        ]


@each_wire
async def test_a_note_stands_for_what_is_gone(
    caller: Caller, agent: SavingAgent, wire: Wire
) -> None:
    """The rest of the answer is there."""
    agent.loses = True

    for reply in await everything(caller, wire):
        assert [held(each) for each in artifacts(reply)] == [["missing"]]
        assert reply.state == "completed"
        assert "one" in reply.artifact_texts


@pytest.mark.parametrize("name", UNLISTED)
@each_wire
async def test_what_is_not_listed_stays_here(
    caller: Caller, agent: SavingAgent, wire: Wire, name: str
) -> None:
    """The agent may save what is for itself alone."""
    agent.files = ((name, blob(FILE)),)

    for reply in await everything(caller, wire):
        assert artifacts(reply) == []
        assert "one" in reply.artifact_texts
