"""No secret leaves, in one piece or in chunks; what holds none is left alone."""

import pytest
from a2a.types import (
    Artifact,
    Message,
    Part,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.adk.events.event import Event

from runtime.recipes.redaction.held_texts import holder_of
from runtime.recipes.redaction.masks import MaskKind
from runtime.recipes.redaction.redact import Redact
from runtime.seams.exchange import exchange_of
from runtime.seams.protocols import Outgoing

from .scripted import ScriptedAgent, executor_context, request_context

pytestmark = pytest.mark.anyio

MAIL = "ann@example.com"
WORKING = TaskState.TASK_STATE_WORKING
DONE = TaskState.TASK_STATE_COMPLETED


def status(*texts: str, state: TaskState = WORKING) -> TaskStatusUpdateEvent:
    """Make an update of the status."""
    message = Message(message_id="m", parts=[Part(text=text) for text in texts])
    return TaskStatusUpdateEvent(status=TaskStatus(state=state, message=message))


def artifact(
    *parts: Part | str, name: str = "", append: bool = False, last: bool = True
) -> TaskArtifactUpdateEvent:
    """Make an update of an artifact."""
    made = [Part(text=part) if isinstance(part, str) else part for part in parts]
    return TaskArtifactUpdateEvent(
        artifact=Artifact(artifact_id="a", name=name, parts=made),
        append=append,
        last_chunk=last,
    )


def texts(event: Outgoing) -> list[str]:
    """Give the texts of an update."""
    assert not isinstance(event, Task)
    return [part.text for part in holder_of(event).parts]


def flags(event: Outgoing) -> tuple[bool, bool]:
    """Tell whether it goes on with an artifact, and whether it ends it."""
    assert isinstance(event, TaskArtifactUpdateEvent)
    return event.append, event.last_chunk


def sent(*events: Outgoing, redact: Redact | None = None) -> list[Outgoing]:
    """Give what leaves in the place of the events of one request."""
    redact = redact or Redact()
    left: list[Outgoing] = []
    with exchange_of(request_context()).entered():
        for event in events:
            given = redact.on_send(event)
            left += given if isinstance(given, list) else [given]
    return left


def masked(text: str, redact: Redact) -> str:
    """Give a text as it leaves."""
    (left,) = sent(artifact(text), redact=redact)
    return texts(left)[0]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (MAIL, "email"),
        ("4111111111111111", "card"),
        ("DE89370400440532013000", "iban"),
        ("+49 170 1234567", "phone"),
        ("sk-abcdef123456", "secret"),
    ],
)
def test_these_are_looked_for_if_nothing_is_named(text: str, name: str) -> None:
    """In a whole artifact, and in a message."""
    assert masked(f"a {text}, b", Redact()) == f"a [{name}], b"
    assert [texts(left) for left in sent(status(text))] == [[f"[{name}]"]]
    assert masked(text, Redact(entities=("us_ssn",))) == text


@pytest.mark.parametrize(
    ("mask", "expected"),
    [("fixed", "[redacted]"), ("keep_last", "****6789"), ("hash", "[redacted:")],
)
def test_own_patterns_are_masked_as_asked(mask: MaskKind, expected: str) -> None:
    """Also within a word."""
    redact = Redact(
        entities=(), patterns=(r"ID\d{12}",), mask=mask, hash_key="0123456789abcdef"
    )

    assert masked("xID000123456789", redact).startswith(f"x{expected}")


def test_the_fixed_text_and_what_is_kept_may_be_others() -> None:
    """Both are the spec's to say."""
    assert masked(MAIL, Redact(text="<{entity}>")) == "<email>"
    assert masked(MAIL, Redact(mask="keep_last", keep=2)) == "****om"
    assert masked(MAIL, Redact(mask="hash", hash_key="k" * 16)) != "[email]"


def test_a_recipe_that_cannot_work_is_refused() -> None:
    """When the service starts."""
    with pytest.raises(ValueError, match=r"^redact looks for nothing$"):
        Redact(entities=())
    with pytest.raises(ValueError, match=r"^hold_back is 161 or more with these$"):
        Redact(patterns=("a{161}",))
    with pytest.raises(ValueError, match="has 16 characters"):
        Redact(mask="hash")
    Redact(entities=(), patterns=("a{160}",))
    Redact(entities=(), patterns=("abcd",), hold_back=4)


def test_files_that_are_no_text_stay_at_home() -> None:
    """Unless they may pass."""
    part = Part(raw=b"\xff\0", media_type="image/png")
    (dropped,) = sent(artifact(part))
    (passed,) = sent(artifact(part), redact=Redact(files="pass"))

    assert texts(dropped) == ["[file withheld]"]
    assert passed == artifact(part)


def test_what_is_clean_is_not_copied_and_the_rest_is() -> None:
    """The agent and its session keep the originals."""
    for event in (artifact("clean"), status("clean"), status("clean", state=DONE)):
        (left,) = sent(event)
        assert left is event
    (left,) = sent(secret := artifact(MAIL))
    assert texts(left) == ["[email]"]
    assert secret == artifact(MAIL)


def test_a_task_is_masked_wherever_it_has_a_text() -> None:
    """In its status and its artifacts."""
    task = Task(status=status(MAIL).status, artifacts=[artifact(MAIL).artifact])
    (left,) = sent(task)

    assert str(task).count(MAIL) == 2
    assert (str(left).count(MAIL), str(left).count("[email]")) == (0, 2)


def test_chunks_hold_back_what_may_be_a_part_of_a_secret() -> None:
    """It leaves before the whole text comes."""
    left = sent(
        artifact("to ann@exa", last=False),
        artifact("mple.com", append=True, last=False),
        artifact("to ann@example.com"),
    )

    whole = ["to [email]"]
    assert [texts(each) for each in left] == [[""], [""], whole, whole]
    assert [flags(each)[0] for each in left] == [False, True, True, False]
    assert [flags(each)[1] for each in left] == [False, False, False, True]


def test_the_last_chunk_holds_nothing_back() -> None:
    """Its rest is a part of it."""
    left = sent(
        artifact("to ann@exa", last=False),
        artifact("mple.com", append=True),
        artifact("", append=True),
        status(state=DONE),
    )

    assert [texts(each) for each in left] == [[""], ["to [email]"], [""], []]
    assert flags(left[1]) == (True, True)
    (long,) = sent(artifact("to all " * 99, append=True))
    assert texts(long) == ["to all " * 99]


def test_an_artifact_that_begins_anew_ends_what_it_was() -> None:
    """And the end of all ends it too."""
    left = sent(
        artifact("one", last=False), artifact("two", last=False), status(state=DONE)
    )

    assert [texts(each) for each in left] == [[""], ["one"], [""], ["two"], []]


@pytest.mark.parametrize("name", ["name", MAIL])
def test_a_chunk_is_masked_all_around_as_well(name: str) -> None:
    """With a name that holds a secret or none."""
    (left, *_) = sent(artifact("a", name=name, last=False))
    assert isinstance(left, TaskArtifactUpdateEvent)
    assert left.artifact.name == name.replace(MAIL, "[email]")


async def said(redact: Redact, speaker: str, *, partial: bool) -> None:
    """Let it know whose text comes."""
    context = executor_context(ScriptedAgent(name="scripted"))
    author, branch = speaker.split()
    event = status()
    spoken = Event(author=author, branch=branch, partial=partial)
    assert await redact.after_event(context, event, spoken) is event


async def test_messages_in_chunks_are_one_text_for_each_speaker() -> None:
    """A whole one ends it; one without a message is no chunk."""
    redact, left = Redact(), list[list[str]]()
    names = ("ann x", "ann y", "bob x", "ann x")
    with exchange_of(request_context()).entered():
        for name, text in zip(names, ("a@exa", "4111 ", "b", "mple.com"), strict=True):
            await said(redact, name, partial=True)
            given = redact.on_send(status(text))
            assert not isinstance(given, list)
            left.append(texts(given))
        await said(redact, "ann x", partial=False)
        for event in (status("whole"), status(state=DONE)):
            given = redact.on_send(event)
            assert isinstance(given, list)
            left += map(texts, given)

    held = [["[email]"], ["whole"], ["4111 "], ["b"], []]
    assert left == [[""], [""], [""], [""], *held]


async def test_an_artifact_that_repeats_the_last_chunk_is_that_text() -> None:
    """Else it would be the second half of a secret."""
    redact = Redact()
    with exchange_of(request_context()).entered():
        await said(redact, "ann x", partial=True)
        for text in ("to ann@exa", "mple.com"):
            redact.on_send(status(text))
        bare = TaskStatusUpdateEvent(status=TaskStatus(state=WORKING))
        other = redact.on_send(artifact("exa"))
        given = redact.on_send(artifact("mple.com", name=MAIL))
        after = redact.on_send(bare)

    assert other == [artifact("exa")]
    assert isinstance(given, list)
    rest, whole = given
    assert texts(rest) == texts(whole) == ["to [email]"]
    assert isinstance(whole, TaskArtifactUpdateEvent)
    assert whole.artifact.name == "[email]"
    assert after == [bare]
