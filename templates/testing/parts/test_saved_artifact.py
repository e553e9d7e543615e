"""What was saved is loaded as it was, under an id that gives no name away."""

from hashlib import blake2b

import pytest
from a2a.types import Artifact, TaskArtifactUpdateEvent, TaskStatusUpdateEvent
from google.adk.agents.base_agent import BaseAgent
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types
from google.protobuf.json_format import MessageToDict

from runtime.recipes.outbound.saved_artifact import SavedArtifact
from runtime.seams.interceptor import ExecutorContext

from .scripted import adk_event, executor_context, status_update

pytestmark = pytest.mark.anyio

NAME = "user:ann/report.png"
PNG = b"\x89PNG"
FILE = types.Part(inline_data=types.Blob(data=PNG, mime_type="image/png"))


def beside(task_id: str = "task") -> TaskStatusUpdateEvent:
    """Make the update that it comes after."""
    update = status_update()
    update.task_id = task_id
    update.metadata["own"] = 1
    return update


async def saved(
    context: ExecutorContext, part: types.Part = FILE, name: str = NAME
) -> SavedArtifact:
    """Save a file."""
    service = context.runner.artifact_service
    assert service is not None
    version = await service.save_artifact(
        app_name=context.app_name,
        user_id=context.user_id,
        session_id=context.session_id,
        filename=name,
        artifact=part,
    )
    return SavedArtifact(name, version)


async def loaded(
    agent: BaseAgent, part: types.Part = FILE, name: str = NAME, task_id: str = "task"
) -> Artifact:
    """Give a file that was saved, as it leaves."""
    context = executor_context(agent)
    update = await (await saved(context, part, name)).load(
        context, beside(task_id), adk_event()
    )
    assert update is not None
    assert update.task_id == task_id
    return update.artifact


def said(event: Event) -> dict[str, int]:
    """Give what an event says that was saved."""
    return event.actions.artifact_delta


async def test_it_is_loaded_by_its_name_and_version(agent: BaseAgent) -> None:
    """And no other one; what the event says that was saved stays in it."""
    context = executor_context(agent)
    await saved(context)
    second = await saved(context, types.Part(text="second"))
    event = adk_event()
    event.actions = EventActions(artifact_delta={NAME: 7, "other": 0})

    first = await SavedArtifact(NAME, 0).load(context, beside(), event)
    last = await second.load(context, beside(), event)

    assert first is not None
    assert last is not None
    assert (first.artifact.name, first.artifact.parts[0].raw) == (NAME, PNG)
    assert last.artifact.parts[0].text == "second"
    assert not last.artifact.parts[0].filename
    assert said(event) == {NAME: 7, "other": 0}
    assert first.artifact.artifact_id.rpartition("_")[::2] == (
        last.artifact.artifact_id.rpartition("_")[0],
        "0",
    )
    assert last.artifact.artifact_id.endswith("_1")


async def test_what_is_gone_is_not_there(agent: BaseAgent) -> None:
    """Nothing stands in its place yet."""
    context = executor_context(agent)

    assert await SavedArtifact(NAME, 3).load(context, beside(), adk_event()) is None


async def test_an_id_belongs_to_a_name_and_a_task(agent: BaseAgent) -> None:
    """Nobody can tell by another task's what a name was."""
    ids = [
        (await loaded(agent, name=name, task_id=task)).artifact_id
        for name, task in (("a", "t"), ("a", "t"), ("b", "t"), ("a", "u"))
    ]

    assert ids[0] == ids[1]
    assert len(set(ids)) == 3
    for each in ids:
        assert len(each) == len("_0") + 32
    for text in (b"a", b"t a"):
        assert blake2b(text, digest_size=16).hexdigest() not in ids[0]


@pytest.mark.parametrize(
    ("name", "filename"),
    [
        ("report.png", "report.png"),
        (NAME, "report.png"),
        ("user:report.png", "report.png"),
        ("a/b/c.png", "c.png"),
    ],
)
async def test_a_file_has_the_name_it_was_saved_by(
    agent: BaseAgent, name: str, filename: str
) -> None:
    """Without its folder, and without whose it is."""
    link = types.Part(
        file_data=types.FileData(file_uri="https://a.example/x", mime_type="text/plain")
    )

    assert (await loaded(agent, name=name)).parts[0].filename == filename
    assert (await loaded(agent, link, name)).parts[0].filename == filename


async def test_a_file_keeps_a_name_of_its_own(agent: BaseAgent) -> None:
    """It was given by who made it."""
    data = types.Blob(data=PNG, mime_type="image/png", display_name="own.png")

    (part,) = (await loaded(agent, types.Part(inline_data=data))).parts

    assert part.filename == "own.png"


def test_a_note_says_why_it_is_not_delivered() -> None:
    """In an update of its own, whole and the last."""
    update = beside()

    note = SavedArtifact(NAME, 2).note(update, "too_large", bytes=7)

    assert isinstance(note, TaskArtifactUpdateEvent)
    assert (note.task_id, note.context_id) == ("task", "context")
    assert (note.append, note.last_chunk) == (False, True)
    assert note.metadata == update.metadata
    assert note.artifact.name == NAME
    assert note.artifact.artifact_id.endswith("_2")
    (part,) = note.artifact.parts
    assert MessageToDict(part.data) == {
        "not_delivered": "too_large",
        "name": NAME,
        "version": 2,
        "bytes": 7,
    }
    assert not part.filename
    again = SavedArtifact(NAME, 2).note(update, "missing")
    assert again.artifact.artifact_id == note.artifact.artifact_id
    other = SavedArtifact(NAME, 2).note(beside("other"), "missing")
    assert other.artifact.artifact_id != note.artifact.artifact_id
