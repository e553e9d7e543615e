"""What becomes of texts in chunks: what is held back, and when it leaves."""

import pytest
from a2a.types import (
    Part,
    TaskArtifactUpdateEvent,
    TaskState,
)
from google.adk.a2a.executor.executor_context import ExecutorContext
from google.adk.events.event import Event as AdkEvent
from google.protobuf.struct_pb2 import Value
from tests.runtime.redacting import (
    COMPLETED,
    MAIL,
    artifact,
    flags,
    request_open,
    sent,
    status,
    texts,
    thought,
)

from runtime.recipes.redaction.redact import Redact
from runtime.seams.protocols import Outgoing

pytestmark = pytest.mark.anyio

LONG = "word " * 60


def test_chunks_keep_their_flags_and_the_rest_comes_before_the_whole() -> None:
    first = artifact("to ", last=False)
    second = artifact("ann@exa", append=True, last=False)
    third = artifact(f"mple.com. {LONG}", append=True, last=False)
    whole = artifact(f"to ann@example.com. {LONG}")
    left = sent(first, second, third, whole, COMPLETED)
    assert [flags(event) for event in left[:-1]] == [
        ("a", False, False),
        ("a", True, False),
        ("a", True, False),
        ("a", True, False),
        ("a", False, True),
    ]
    assert [texts(event) for event in left[:2]] == [[""], [""]]
    joined = "".join(text for event in left[:4] for text in texts(event))
    assert joined == f"to [email]. {LONG}" == texts(left[4])[0]
    assert texts(left[2])[0].startswith("to [email]. word")
    assert left[-1] == COMPLETED


def test_the_rest_comes_before_the_final_status() -> None:
    for state in (
        TaskState.TASK_STATE_COMPLETED,
        TaskState.TASK_STATE_FAILED,
        TaskState.TASK_STATE_INPUT_REQUIRED,
        TaskState.TASK_STATE_AUTH_REQUIRED,
    ):
        final = status("end", state=state)
        left = sent(artifact(f"to {MAIL}", last=False), final)
        assert [texts(event) for event in left] == [[""], ["to [email]"], ["end"]]
        assert flags(left[1]) == ("a", True, False)


def test_a_last_chunk_that_is_appended_holds_nothing_back() -> None:
    left = sent(
        artifact("to ann@exa", last=False), artifact("mple.com", append=True), COMPLETED
    )
    assert [texts(event) for event in left] == [[""], ["to [email]"], []]
    assert flags(left[1]) == ("a", True, True)


def test_nothing_is_sent_where_nothing_was_held() -> None:
    left = sent(artifact("", last=False), COMPLETED)
    assert [texts(event) for event in left] == [[""], []]


def test_two_artifacts_are_two_texts() -> None:
    left = sent(
        artifact("ann@exa", name="a", last=False),
        artifact("4111 1111 ", name="b", last=False),
        artifact("mple.com", name="a", append=True, last=False),
        artifact("1111 1111", name="b", append=True, last=False),
        COMPLETED,
    )
    assert [flags(event)[0] for event in left[:-1]] == ["a", "b", "a", "b", "a", "b"]
    assert [texts(event) for event in left[4:6]] == [["[email]"], ["[card]"]]


def test_an_artifact_that_begins_anew_ends_what_it_was() -> None:
    left = sent(artifact("one", last=False), artifact("two", last=False), COMPLETED)
    assert [texts(event) for event in left] == [[""], ["one"], [""], ["two"], []]
    assert [flags(event)[1] for event in left[:4]] == [False, True, False, True]


def test_thoughts_answers_and_data_keep_their_order() -> None:
    data = Part(data=Value(string_value="x"))
    left = sent(
        artifact(thought("ann@exa"), last=False),
        artifact(thought("mple.com"), append=True, last=False),
        artifact("hello", append=True, last=False),
        artifact(data, append=True, last=False),
        artifact("again", append=True, last=False),
        COMPLETED,
    )
    parts = [
        part
        for event in left[:-1]
        if isinstance(event, TaskArtifactUpdateEvent)
        for part in event.artifact.parts
        if part.text or part.HasField("data")
    ]
    assert parts == [thought("[email]"), Part(text="hello"), data, Part(text="again")]


async def _noted(redact: Redact, author: str, *, partial: bool) -> None:
    context = ExecutorContext(app_name="a", user_id="u", session_id="s", runner=None)  # type: ignore[arg-type]
    adk_event = AdkEvent(author=author, partial=partial)
    event = status()
    assert await redact.after_event(context, event, adk_event) is event


async def test_statuses_of_two_speakers_are_two_texts() -> None:
    redact, left = Redact(), list[Outgoing]()
    said = [("ann", "ann@exa"), ("bob", "4111 1111 "), ("ann", "mple.com")]
    with request_open():
        for author, text in said:
            await _noted(redact, author, partial=True)
            given = redact.on_send(status(text))
            assert not isinstance(given, list)
            left.append(given)
        await _noted(redact, "ann", partial=False)
        for event in (status(MAIL), COMPLETED):
            given = redact.on_send(event)
            assert isinstance(given, list)
            left += given
    assert [texts(event) for event in left] == [
        *([""], [""], [""]),
        *(["[email]"], ["[email]"]),
        *(["4111 1111 "], []),
    ]
    ids = [e.status.message.message_id for e in left if isinstance(e, type(COMPLETED))]
    assert ids == ["m", "m", "m", "m-rest", "m", "m-rest", ""]


def test_what_is_clean_is_not_copied() -> None:
    for event in (artifact("nothing"), status("é ist “nichts”"), COMPLETED):
        assert event in sent(event)
        assert any(each is event for each in sent(event))
