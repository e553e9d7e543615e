"""What an agent saves reaches its caller: in each cell, whole or as a note."""

import asyncio
import json
import logging
from base64 import b64decode, b64encode
from collections.abc import AsyncGenerator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from a2a.types import TaskArtifactUpdateEvent
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents.invocation_context import InvocationContext
from google.adk.artifacts import BaseArtifactService, FileArtifactService
from google.adk.events.event import Event
from google.adk.runners import InMemoryRunner, Runner
from google.genai import types
from tests.runtime.saving import PNG, Service, Stored, blob, found, saving, told
from tests.runtime.serving import CELLS, Cell, Exits, Script, Scripted, Setup, served

from runtime.boundary.executor import BoundaryExecutor
from runtime.boundary.policy import Policy
from runtime.recipes.auditing.audit import Audit
from runtime.recipes.outbound.artifacts import Artifacts
from runtime.recipes.outbound.outbound_allowlist import OutboundAllowlist
from runtime.recipes.redaction.redact import Redact
from runtime.seams.chain import guarded
from runtime.seams.interceptor import (
    A2AEvent,
    AdkEvent,
    AfterEvent,
    EventResult,
    ExecutorContext,
)
from testing.harness import Reply, running, values
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
each_pin = pytest.mark.parametrize("pin", ["legacy", "new"])

MAIL = "ann.smith@example.com"
NOTE = types.Part(text="a note of marzipan")
LINK = types.Part(
    file_data=types.FileData(
        file_uri="https://files.example/big.pdf", mime_type="application/pdf"
    )
)
ODD = "user:über/a b'\"\\#?%2e/報告.png"


def base64(data: bytes) -> str:
    return b64encode(data).decode()


async def saves_with_a_text(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    yield await saving(ctx, {ODD: blob(PNG), "note": NOTE, "link": LINK}, "the answer")


async def saves_in_silence(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("the answer")
    yield await saving(ctx, {ODD: blob(PNG), "note": NOTE, "link": LINK})


async def saves_and_says_nothing(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    yield await saving(ctx, {ODD: blob(PNG), "note": NOTE, "link": LINK})


def with_recipe(script: Script, recipe: Artifacts | None = None) -> Setup:
    return Setup(script=script, hooks={"artifacts": recipe or Artifacts()})


@pytest.mark.parametrize(
    "script", [saves_with_a_text, saves_in_silence, saves_and_says_nothing]
)
@each_cell
async def test_what_is_saved_arrives_and_is_stored(cell: Cell, script: Script) -> None:
    answer, stored = await told(with_recipe(script), cell)
    png, note, link = found(answer)
    assert (png.name, png.kind, b64decode(png.content)) == (ODD, "raw", PNG)
    assert (png.filename, png.media_type) == ("報告.png", "image/png")
    assert (note.name, note.kind, note.content) == ("note", "text", NOTE.text)
    assert (link.kind, link.content) == ("url", "https://files.example/big.pdf")
    assert (link.filename, link.media_type) == ("link", "application/pdf")
    assert found(stored) == found(answer)
    assert answer.state == stored.state == "completed"
    assert ("the answer" in answer.artifact_texts) is (
        script is not saves_and_says_nothing
    )


@each_cell
async def test_without_it_nothing_arrives(cell: Cell) -> None:
    """What the test above looks for doesn't come by itself, so it can fail."""
    for reply in await told(Setup(script=saves_with_a_text), cell):
        assert found(reply) == []
        assert base64(PNG) not in str(reply.answers)


@each_cell
async def test_each_is_whole_and_the_last_of_its_chunks(cell: Cell) -> None:
    if not cell.wire.streaming:
        pytest.skip("an answer has no chunks")
    answer, _ = await told(with_recipe(saves_in_silence), cell)
    updates = [
        update
        for key in ("artifactUpdate", "result")
        for update in values(answer.answers, key)
        if isinstance(update, dict) and "artifact" in update
    ]
    for update in updates:
        assert not update.get("append")
        assert update["lastChunk"] is True
    assert len(updates) == 4


@each_cell
async def test_a_run_that_only_saves_is_not_empty(cell: Cell) -> None:
    policy = Policy(empty_result="fail")
    setup = replace(with_recipe(saves_and_says_nothing), policy=policy)
    answer, _ = await told(setup, cell)
    assert answer.state == "completed"
    assert len(found(answer)) == 3


@each_cell
async def test_no_update_stands_in_for_a_silent_event(cell: Cell) -> None:
    """What is sent but for the artifacts is what is sent without the recipe."""

    def others(reply: Reply) -> int:
        named = {each.id for each in found(reply)}
        updates = [
            update
            for update in reply.answers
            if not any(n in str(update) for n in named)
        ]
        return len(updates)

    answer, _ = await told(with_recipe(saves_in_silence), cell)
    without, _ = await told(Setup(script=saves_in_silence), cell)
    if cell.wire.streaming:
        assert others(answer) == len(without.answers)


@each_cell
async def test_versions_are_told_apart_and_belong_together(cell: Cell) -> None:
    async def script(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        for text in ("first", "second"):
            yield await saving(ctx, {"a_1": types.Part(text=text)}, text)
        yield await saving(ctx, {"a": types.Part(text="other")})

    for reply in await told(with_recipe(script), cell):
        first, second, other = found(reply)
        assert (first.content, second.content) == ("first", "second")
        assert first.id.removesuffix("_0") == second.id.removesuffix("_1")
        assert not other.id.startswith(first.id.removesuffix("_0"))
        assert len({first.id, second.id, other.id}) == 3


@each_cell
async def test_what_chunks_say_again_is_delivered_once(cell: Cell) -> None:
    """A model's answer has what was saved before it in each of its chunks."""

    async def script(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        saved = await saving(ctx, {"note": NOTE}, "the ")
        for text, partial in (("the ", True), ("answer", True), ("the answer", False)):
            event = adk_event(text)
            event.actions, event.partial = saved.actions.model_copy(deep=True), partial
            yield event

    stored = Stored(setup=with_recipe(script))
    for reply in await told(stored.setup, cell):
        assert [each.name for each in found(reply)] == ["note"]
    assert stored.artifacts.loads == 1


BIG = b"\xff" * 5000


async def saves_too_much(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    text = types.Part(text="ü" * 2500)
    yield await saving(ctx, {"big": blob(BIG), "small": NOTE, "text": text})
    yield adk_event("the answer")


@each_cell
async def test_a_note_stands_for_what_is_too_large(cell: Cell) -> None:
    stored = Stored(setup=with_recipe(saves_too_much, Artifacts(max_bytes=4999)))
    for reply in await told(stored.setup, cell):
        big, small, text = found(reply)
        assert (big.name, big.kind) == ("big", "data")
        assert big.content == {
            "not_delivered": "too_large",
            "name": "big",
            "version": 0,
            "bytes": 5000,
            "media_type": "image/png",
        }
        assert (text.content["bytes"], text.content["media_type"]) == (
            5000,
            "text/plain",
        )
        assert small.content == NOTE.text
        assert base64(BIG) not in str(reply.answers)
        assert "üü" not in str(reply.answers)
        assert (reply.state, "the answer" in reply.artifact_texts) == (
            "completed",
            True,
        )
    assert stored.artifacts.loads == 3


@each_cell
async def test_what_is_just_small_enough_arrives(cell: Cell) -> None:
    for reply in await told(
        with_recipe(saves_too_much, Artifacts(max_bytes=5000)), cell
    ):
        assert [each.kind for each in found(reply)] == ["raw", "text", "text"]


@each_cell
async def test_what_is_too_large_fails_the_task_if_it_is_to(cell: Cell) -> None:
    exits = Exits()
    setup = with_recipe(saves_too_much, Artifacts(max_bytes=4999, over_cap="fail"))
    setup = replace(setup, hooks={**setup.hooks, "exits": exits})
    for reply in await told(setup, cell):
        assert reply.state == "failed"
        assert reply.metadata("error_code") == ["artifact_too_large"]
        assert base64(BIG) not in str(reply.answers)
        assert "a file of the answer has more than 4999 bytes" in reply.text
    assert exits.kinds == ["rejected"]


@pytest.mark.parametrize(
    ("service", "reason"),
    [
        (Service(raises=f"no bucket of {MAIL} at /srv"), "unavailable"),
        (Service(forgets=True), "missing"),
        (None, "missing"),
    ],
)
@each_cell
async def test_a_note_stands_for_what_cannot_be_loaded(
    cell: Cell,
    service: Service | None,
    reason: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The answer is there all the same, and no text of an exception."""
    stored = Stored(setup=with_recipe(saves_in_silence))
    if service is not None:
        stored.artifacts = service

    def without_service() -> InMemoryRunner:
        runner = InMemoryRunner(
            agent=Scripted(name="scripted", description="", script=says_it_saved),
            app_name="scripted",
        )
        runner.artifact_service = None
        return runner

    setup = stored.setup
    if service is None:
        setup = replace(setup, factory=without_service)
    with caplog.at_level(logging.WARNING, "runtime.recipes.outbound.artifacts"):
        replies = await told(setup, cell)
    for reply in replies:
        assert reply.state == "completed"
        assert "the answer" in reply.artifact_texts
        assert "bucket" not in str(reply.answers)
        assert [each.content["not_delivered"] for each in found(reply)] == [reason] * 3
        assert found(reply)[0].content["name"] == ODD
    warned = [
        each
        for each in caplog.records
        if each.name == "runtime.recipes.outbound.artifacts"
    ]
    assert len(warned) == 3


async def says_it_saved(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("the answer")
    event = Event(author="scripted")
    event.actions.artifact_delta = {ODD: 0, "note": 0, "link": 0}
    yield event


async def saves_secrets(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    text = f"written by {MAIL} of marzipan"
    files = {
        f"{MAIL}.txt": types.Part(text=text),
        f"user:cv/{MAIL}.md": blob(text.encode(), "text/markdown"),
        f"{MAIL}.png": blob(text.encode(), "image/png", f"{MAIL}.png"),
        f"{MAIL}.big": blob(text.encode() * 100, "text/plain"),
    }
    yield await saving(ctx, files)
    yield await saving(
        ctx, {f"{MAIL}.csv": blob(text.encode(), "text/csv")}, "marzipan"
    )


@pytest.mark.parametrize("files", ["drop", "pass"])
@pytest.mark.parametrize("above", ["redact", "artifacts"])
@each_cell
async def test_no_secret_leaves_wherever_redact_stands(
    cell: Cell, above: str, files: Literal["drop", "pass"]
) -> None:
    hooks: dict[str, object] = {
        "artifacts": Artifacts(max_bytes=1000),
        "redact": Redact(files=files),
    }
    if above == "redact":
        hooks = dict(reversed(hooks.items()))
    setup = Setup(script=saves_secrets, hooks=hooks)
    for reply in await told(setup, cell):
        text, markdown, image, big, csv = found(reply)
        redacted = "written by [email] of marzipan"
        assert text.content == redacted
        assert b64decode(markdown.content).decode() == redacted
        assert b64decode(csv.content).decode() == redacted
        assert markdown.name == "user:cv/[email]"
        assert big.content["not_delivered"] == "too_large"
        assert image.kind == ("raw" if files == "pass" else "text")
        everything = str(reply.answers).replace(str(image.content), "")
        assert MAIL not in everything
        assert "ann.smith" not in everything
        assert base64(MAIL.encode())[:20] not in everything


@pytest.mark.parametrize("above", ["allowlist", "artifacts"])
@each_cell
async def test_the_allowlist_lets_files_out_wherever_it_stands(
    cell: Cell, above: str
) -> None:
    hooks: dict[str, object] = {
        "artifacts": Artifacts(max_bytes=len(PNG) - 1),
        "allowlist": OutboundAllowlist(),
    }
    if above == "allowlist":
        hooks = dict(reversed(hooks.items()))
    for reply in await told(Setup(script=saves_in_silence, hooks=hooks), cell):
        png, note, link = found(reply)
        assert png.content["not_delivered"] == "too_large"
        assert (note.content, link.kind) == (NOTE.text, "url")
        assert "artifactDelta" not in str(reply.answers)
        assert reply.metadata("adk_user_id") == []


@pytest.mark.parametrize("above", ["audit", "artifacts"])
@each_pin
async def test_audit_measures_files_wherever_it_stands(
    pin: str, above: str, tmp_path: Path
) -> None:
    async def script(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        yield await saving(ctx, {"big": blob(b"\xff" * 50_000)})

    file = tmp_path / "audit.jsonl"
    hooks: dict[str, object] = {
        "artifacts": Artifacts(),
        "audit": Audit(path=str(file)),
    }
    if above == "audit":
        hooks = dict(reversed(hooks.items()))
    await told(Setup(script=script, hooks=hooks), Cell(CELLS[0].wire, pin))
    (row,) = file.read_text().splitlines()
    assert 50_000 < json.loads(row)["event_bytes"] < 60_000


@pytest.mark.parametrize(
    ("names", "delivered"),
    [
        (("*",), ["report.pdf", "user:report.pdf", "scratch[1]?.txt"]),
        (("*.pdf",), ["report.pdf", "user:report.pdf"]),
        (("report.pdf",), ["report.pdf"]),
        (("user:*",), ["user:report.pdf"]),
        (("*[1]*",), ["scratch[1]?.txt"]),
        (("*?.txt",), ["scratch[1]?.txt"]),
        (("repor?.pdf", "[rs]*", "REPORT.pdf", ""), []),
    ],
)
@each_pin
async def test_only_what_is_named_is_delivered(
    pin: str, names: tuple[str, ...], delivered: list[str]
) -> None:
    async def script(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        files = ("report.pdf", "user:report.pdf", "scratch[1]?.txt")
        yield await saving(ctx, dict.fromkeys(files, NOTE))
        yield adk_event("the answer")

    stored = Stored(setup=with_recipe(script, Artifacts(names=names)))
    for reply in await told(stored.setup, Cell(CELLS[0].wire, pin)):
        assert [each.name for each in found(reply)] == delivered
        assert "the answer" in reply.artifact_texts
    assert stored.artifacts.loads == len(delivered)


@each_pin
async def test_the_session_still_knows_what_was_saved(pin: str) -> None:
    """ADK's interceptor clears it, and on the legacy implementation in the session."""
    stored = Stored(setup=with_recipe(saves_with_a_text))
    await told(stored.setup, Cell(CELLS[0].wire, pin))
    (runner,) = stored.runners
    listed = await runner.session_service.list_sessions(app_name="scripted")
    (session,) = listed.sessions
    kept = await runner.session_service.get_session(
        app_name="scripted", user_id=session.user_id, session_id=session.id
    )
    assert kept is not None
    assert kept.events[-1].actions.artifact_delta == {ODD: 0, "note": 0, "link": 0}


@each_cell
async def test_what_was_saved_before_a_failure_arrives(cell: Cell) -> None:
    async def script(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        yield await saving(ctx, {"note": NOTE})
        raise ConnectionError(MAIL)

    for reply in await told(with_recipe(script), cell):
        assert reply.state == "failed"
        assert [each.content for each in found(reply)] == [NOTE.text]
        assert MAIL not in str(reply.answers)


@each_cell
async def test_what_is_saved_with_an_error_arrives(cell: Cell) -> None:
    async def script(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        event = await saving(ctx, {"note": NOTE}, "so far")
        event.error_code, event.error_message = "500", MAIL
        yield event

    for reply in await told(with_recipe(script), cell):
        assert reply.state == "failed"
        assert [each.content for each in found(reply)] == [NOTE.text]
        assert MAIL not in str(reply.answers)


@each_cell
async def test_a_converter_that_makes_nothing_hides_no_file(cell: Cell) -> None:
    """A spec may name converters that drop what callers aren't to see."""

    def nothing(*_: object) -> list[Any]:
        return []

    config = A2aAgentExecutorConfig(
        event_converter=nothing, adk_event_converter=nothing
    )
    for reply in await told(
        replace(with_recipe(saves_with_a_text), config=config), cell
    ):
        assert len(found(reply)) == 3
        assert "the answer" not in reply.text
        assert reply.state == "completed"


class Copies(AfterEvent):
    """Gives copies, and drops what it is told to."""

    def __init__(self, drops: str = "nothing") -> None:
        self.drops = drops

    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        silent = not adk_event.content
        if self.drops == "silent" and silent:
            return None
        if self.drops == "files" and isinstance(event, TaskArtifactUpdateEvent):
            return None if event.artifact.name else event
        return [deepcopy(event)]


@pytest.mark.parametrize("above", ["copies", "artifacts"])
@each_cell
async def test_hooks_around_it_may_copy(cell: Cell, above: str) -> None:
    hooks: dict[str, object] = {"artifacts": Artifacts(), "copies": Copies()}
    if above == "copies":
        hooks = dict(reversed(hooks.items()))
    for reply in await told(Setup(script=saves_in_silence, hooks=hooks), cell):
        assert len(found(reply)) == 3
        assert "the answer" in reply.artifact_texts


@each_cell
async def test_a_hook_above_that_drops_an_update_drops_its_files(cell: Cell) -> None:
    hooks = {"copies": Copies("silent"), "artifacts": Artifacts()}
    for reply in await told(Setup(script=saves_in_silence, hooks=hooks), cell):
        assert found(reply) == []
        assert "the answer" in reply.artifact_texts


@each_cell
async def test_a_hook_below_sees_each_file(cell: Cell) -> None:
    hooks = {"artifacts": Artifacts(), "copies": Copies("files")}
    for reply in await told(Setup(script=saves_in_silence, hooks=hooks), cell):
        assert found(reply) == []
        assert "the answer" in reply.artifact_texts


@each_pin
async def test_requests_at_once_get_their_own_files(pin: str) -> None:
    async def script(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        await asyncio.sleep(0.01)
        yield await saving(ctx, {"note": types.Part(text=ctx.session.id)})

    async with served(replace(with_recipe(script), pin=pin)) as caller:
        replies = await asyncio.gather(*(caller.send("hi") for _ in range(20)))
    contents = [each.content for reply in replies for each in found(reply)]
    contexts = [next(values(reply.answers, "contextId")) for reply in replies]
    assert contents == contexts
    assert len(set(contents)) == 20
    # By the ids of one task nobody learns the names of another.
    assert len({each.id for reply in replies for each in found(reply)}) == 20


@each_pin
async def test_files_of_a_service_on_disk_arrive(pin: str, tmp_path: Path) -> None:
    setup = with_recipe(saves_on_disk)
    service: BaseArtifactService = FileArtifactService(tmp_path)

    def factory() -> InMemoryRunner:
        agent = Scripted(name="scripted", description="", script=saves_on_disk)
        runner = InMemoryRunner(agent=agent, app_name="scripted")
        runner.artifact_service = service
        return runner

    setup = replace(setup, factory=factory)
    for reply in await told(setup, Cell(CELLS[0].wire, pin)):
        note, png = found(reply)
        assert (note.kind, note.content) == ("text", NOTE.text)
        assert (png.name, b64decode(png.content)) == ("user:ü/a b.png", PNG)


async def saves_on_disk(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    yield await saving(ctx, {"note": NOTE, "user:ü/a b.png": blob(PNG)}, "the answer")


async def test_it_works_in_an_application_of_adk() -> None:
    """There the chain stands in ADK's own application."""
    setup = with_recipe(saves_in_silence)
    agent = Scripted(name="scripted", description="", script=saves_in_silence)

    def factory(_: Runner) -> BoundaryExecutor:
        runner = InMemoryRunner(agent=agent, app_name="scripted")
        chain = [guarded(name, hooks) for name, hooks in setup.hooks.items()]
        return setup.executor(runner, chain)

    app = to_a2a(agent, agent_executor_factory=factory)
    async with running(app) as caller:
        reply = await caller.send("hi")
    assert len(found(reply)) == 3


def test_what_could_deliver_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="max_bytes"):
        Artifacts(max_bytes=0)
    with pytest.raises(ValueError, match="names"):
        Artifacts(names=())
