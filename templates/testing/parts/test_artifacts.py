"""What an agent saved leaves once, behind what it said, or a note in its place."""

import pytest
from a2a.types import (
    Message,
    Part,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.adk.artifacts import InMemoryArtifactService
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types
from google.protobuf.json_format import MessageToDict

from runtime.recipes.outbound import artifacts as module
from runtime.recipes.outbound.artifacts import Artifacts
from runtime.seams.exchange import Exchange, exchange_of
from runtime.seams.interceptor import A2AEvent
from runtime.seams.rejection import Rejected

from .scripted import (
    ScriptedAgent,
    adk_event,
    executor_context,
    request_context,
    status_update,
)

pytestmark = pytest.mark.anyio

BARE = TaskStatusUpdateEvent(status=TaskStatus(state=TaskState.TASK_STATE_WORKING))


class Broken(InMemoryArtifactService):
    """Fails when something is loaded."""

    async def load_artifact(
        self,
        *,
        app_name: str,
        user_id: str,
        filename: str,
        session_id: str | None = None,
        version: int | None = None,
    ) -> types.Part | None:
        """Fail, and tell a secret."""
        del app_name, user_id, filename, session_id, version
        message = "password=hunter2222 is wrong"
        raise ConnectionError(message)


class Run:
    """One request, in which files are saved.

    Attributes:
        exchange: What is kept of it.
    """

    def __init__(self, recipe: Artifacts, *files: str, broken: bool = False) -> None:
        """Save files with these names, each as large as its name is long."""
        self._recipe = recipe
        self._context = executor_context(ScriptedAgent(name="scripted"))
        if broken:
            self._context.runner.artifact_service = Broken()
        self._files = files
        self.exchange: Exchange = exchange_of(request_context())

    async def save(self) -> None:
        """Save them."""
        service = self._context.runner.artifact_service
        assert service is not None
        for name in self._files:
            await service.save_artifact(
                app_name=self._context.app_name,
                user_id=self._context.user_id,
                session_id=self._context.session_id,
                filename=name,
                artifact=types.Part(
                    inline_data=types.Blob(data=name.encode(), mime_type="image/png")
                ),
            )

    async def left(self, *names: str, beside: A2AEvent = BARE) -> list[A2AEvent]:
        """Give what leaves for an event that says that files were saved."""
        await self.save()
        with self.exchange.entered():
            given = await self._recipe.after_event(
                self._context, beside, saying(*names or self._files)
            )
        assert isinstance(given, list)
        return given


def saying(*names: str) -> Event:
    """Make an event that says that files were saved."""
    event = adk_event()
    event.actions = EventActions(artifact_delta=dict.fromkeys(names, 0))
    return event


def contents(*events: A2AEvent) -> list[object]:
    """Give the files that leave, and what notes say."""
    found: list[object] = []
    for event in events:
        assert isinstance(event, TaskArtifactUpdateEvent)
        (part,) = event.artifact.parts
        is_note = part.WhichOneof("content") == "data"
        found.append(MessageToDict(part.data) if is_note else part.raw.decode())
    return found


@pytest.mark.parametrize(
    ("beside", "stays"),
    [
        (BARE, False),
        (status_update(), True),
        (TaskStatusUpdateEvent(), True),
        (
            TaskStatusUpdateEvent(
                status=TaskStatus(state=TaskState.TASK_STATE_COMPLETED)
            ),
            True,
        ),
        (TaskArtifactUpdateEvent(), True),
    ],
    ids=range(5),
)
async def test_it_comes_behind_what_was_said(beside: A2AEvent, *, stays: bool) -> None:
    """What only stands in for a silent event goes."""
    first, *rest = await Run(Artifacts(), "a", "bc").left(beside=beside)

    if stays:
        assert first is beside
    else:
        rest = [first, *rest]
    assert contents(*rest) == ["a", "bc"]


async def test_another_event_is_left_alone() -> None:
    """A bare message belongs to no task."""
    message = Message(parts=[Part(text="a")])
    context = executor_context(ScriptedAgent(name="scripted"))

    assert await Artifacts().after_event(context, message, saying("a")) is message


async def test_each_leaves_once_in_a_request() -> None:
    """Each chunk of a text says it again."""
    run = Run(Artifacts(), "a", "b")

    assert contents(*await run.left("a")) == ["a"]
    assert contents(*await run.left("a", "b")) == ["b"]
    assert await run.left("a") == []


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("*",), ["a", "b?", "[c]", "user:d"]),
        (("a", "user:*"), ["a", "user:d"]),
        (("b?",), ["b?"]),
        (("[c]",), ["[c]"]),
        (("?", "[a-z]", "A"), []),
    ],
)
async def test_only_those_that_are_named_leave(
    names: tuple[str, ...], expected: list[str]
) -> None:
    """A star stands for any text, and nothing else is special."""
    recipe, files = Artifacts(names=names), ("a", "b?", "[c]", "user:d")

    assert contents(*await Run(recipe, *files).left()) == expected
    assert recipe.wants(saying(*files)) is bool(expected)
    assert not recipe.wants(saying())


async def test_what_is_too_large_has_a_note_in_its_place() -> None:
    """With its size and its kind."""
    recipe = Artifacts(max_bytes=3)

    whole, note = contents(*await Run(recipe, "abc", "abcd").left())

    assert whole == "abc"
    assert note == {
        "not_delivered": "too_large",
        "name": "abcd",
        "version": 0,
        "bytes": 4,
        "media_type": "image/png",
    }


async def test_what_is_too_large_may_fail_the_task() -> None:
    """If it is said so."""
    run = Run(Artifacts(max_bytes=3, over_cap="fail"), "abc", "abcd")

    assert contents(*await run.left("abc")) == ["abc"]
    with pytest.raises(Rejected) as refused:
        await run.left("abcd")
    assert refused.value.reason == "artifact_too_large"
    assert str(refused.value) == "a file of the answer has more than 3 bytes"


@pytest.mark.parametrize(
    ("broken", "reason", "problem"),
    [
        (False, "missing", "isn't there any more"),
        (True, "unavailable", "can't be loaded: ConnectionError: "),
    ],
)
async def test_what_cannot_be_loaded_has_a_note_and_is_logged(
    caplog: pytest.LogCaptureFixture, reason: str, problem: str, *, broken: bool
) -> None:
    """Without what is secret in it."""
    run = Run(Artifacts(), broken=broken)

    (note,) = contents(*await run.left("a"))

    assert note == {"not_delivered": reason, "name": "a", "version": 0}
    request = run.exchange.facts.correlation_id
    (told,) = [
        text for name, _, text in caplog.record_tuples if name == module.__name__
    ]
    assert told.startswith(f"request {request}: artifact 'a', version 0, {problem}")
    assert "hunter2222" not in told


def test_a_recipe_that_delivers_nothing_is_refused() -> None:
    """When the service starts."""
    told = "^max_bytes must be above zero, and names not empty$"
    for max_bytes, names in ((0, ("*",)), (1, ())):
        with pytest.raises(ValueError, match=told):
            Artifacts(max_bytes=max_bytes, names=names)
    Artifacts(max_bytes=1)


async def test_a_million_bytes_leave_if_nothing_else_is_said() -> None:
    """And no byte more."""
    whole, note = contents(
        *await Run(Artifacts(), "a" * 10**6, "b" * (10**6 + 1)).left()
    )

    assert whole == "a" * 10**6
    assert isinstance(note, dict)
