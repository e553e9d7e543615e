"""All that an event holds is rewritten, but for what things are found by."""

from collections.abc import MutableSequence

import pytest
from a2a.types import (
    Artifact,
    Message,
    Part,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
)
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Struct

from runtime.recipes.redaction.walking import Unreadable, Walker, free_key, number_text


def rewrite(text: str) -> str:
    """Make bad things good."""
    return "ok" if text == "47" else text.replace("bad", "ok")


def rewrite_file(part: Part) -> None:
    """Mark a file."""
    part.url = "seen"


def rewrite_parts(parts: MutableSequence[Part]) -> None:
    """Rewrite the texts of parts."""
    for part in parts:
        if part.WhichOneof("content") == "text":
            part.text = rewrite(part.text)


WALKER = Walker(rewrite, rewrite_file)


def struct(**values: object) -> Struct:
    """Make a struct."""
    return ParseDict(values, Struct())


def data(value: object, **metadata: object) -> Part:
    """Make a part that holds data."""
    held = ParseDict({"it": value}, Struct()).fields["it"]
    return Part(data=held, metadata=struct(**metadata))


def walked(*parts: Part) -> list[Part]:
    """Walk parts."""
    artifact = Artifact(artifact_id="bad", parts=parts)
    WALKER.walk(artifact, rewrite_parts)
    assert artifact.artifact_id == "bad"
    return list(artifact.parts)


def test_it_is_rewritten_wherever_it_stands() -> None:
    """But for ids, by which things are found again."""
    message = Message(
        message_id="bad", parts=[Part(text="bad")], extensions=["bad", "b"]
    )
    artifact = Artifact(
        artifact_id="bad",
        name="bad",
        description="bad",
        parts=[
            Part(raw=b"x", filename="bad", media_type="bad", metadata=struct(a="bad"))
        ],
    )
    task = Task(
        id="bad",
        context_id="bad",
        status=TaskStatus(state=TaskState.TASK_STATE_WORKING, message=message),
        artifacts=[artifact],
        history=[message],
        metadata=struct(bad={"a": ["bad"]}),
    )
    said = {"messageId": "bad", "parts": [{"text": "ok"}], "extensions": ["ok", "b"]}
    file = {"url": "seen", "filename": "ok", "mediaType": "ok", "metadata": {"a": "ok"}}

    WALKER.walk(task, rewrite_parts)

    assert MessageToDict(task) == {
        "id": "bad",
        "contextId": "bad",
        "status": {"state": "TASK_STATE_WORKING", "message": said},
        "artifacts": [
            {"artifactId": "bad", "name": "ok", "description": "ok", "parts": [file]}
        ],
        "history": [said],
        "metadata": {"ok": {"a": ["ok"]}},
    }


def test_an_update_keeps_its_flags() -> None:
    """They are no texts."""
    update = TaskArtifactUpdateEvent(task_id="bad", append=True, last_chunk=True)

    WALKER.walk(update, rewrite_parts)

    assert update == TaskArtifactUpdateEvent(
        task_id="bad", append=True, last_chunk=True
    )


def test_data_is_rewritten_with_its_keys_and_numbers() -> None:
    """Keys that look alike then stay apart."""
    (part,) = walked(
        data(
            {"bad": 1, "ok": 47, "n": [47, 4.5, True, None, "bad"], "bbad": {"bad": 2}}
        )
    )

    assert MessageToDict(part.data) == {
        "ok (2)": 1,
        "ok": "ok",
        "n": ["ok", 4.5, True, None, "ok"],
        "bok": {"ok": 2},
    }


@pytest.mark.parametrize("kind", ["function_call", "function_response"])
def test_the_id_of_a_call_stays(kind: str) -> None:
    """The answer refers to it; in other data it is a text like any other."""
    value = {"id": "bad", "args": {"id": "bad"}}

    called, other, plain = walked(
        data(value, adk_type=kind), data(value, adk_type="other"), data(value)
    )

    assert MessageToDict(called.data) == {"id": "bad", "args": {"id": "ok"}}
    assert MessageToDict(other.data) == {"id": "ok", "args": {"id": "ok"}}
    assert MessageToDict(plain.data) == {"id": "ok", "args": {"id": "ok"}}
    assert not plain.metadata.fields


def test_what_cannot_be_read_does_not_leave() -> None:
    """A part without content may be one of a later kind."""
    with pytest.raises(Unreadable, match="None"):
        walked(Part())


def test_numbers_read_as_a_person_writes_them() -> None:
    """All of them are floats in A2A's data."""
    assert number_text(4111111111111111.0) == "4111111111111111"
    assert number_text(1.5) == "1.5"


def test_a_key_that_is_taken_gets_a_number() -> None:
    """And the next one another number."""
    assert free_key("a", {"b"}) == "a"
    assert free_key("a", {"a"}) == "a (2)"
    assert free_key("a", {"a", "a (2)"}) == "a (3)"
