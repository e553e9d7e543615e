"""Wherever a secret stands in an event, it is redacted there."""

import json
from collections.abc import Sequence

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
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Value
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runtime.disguises import CLEAN_JSON
from tests.runtime.redacting import (
    MAIL,
    artifact,
    data_part,
    sent,
    struct,
    texts,
)

from runtime.recipes.redaction.redact import Redact
from runtime.recipes.redaction.walking import Unreadable
from runtime.seams.protocols import Outgoing


def _everywhere(text: str) -> list[Outgoing]:
    part = Part(text="a", metadata=struct(x={"y": [text]}, **{text: 1}))
    message = Message(
        message_id="m", parts=[part], metadata=struct(x=text), extensions=[text]
    )
    made = Artifact(
        artifact_id="a",
        name=text,
        description=text,
        parts=[part, Part(raw=b"a", media_type="text/plain", filename=text)],
        metadata=struct(x=text),
        extensions=[text],
    )
    state = TaskStatus(state=TaskState.TASK_STATE_WORKING, message=message)
    data = struct(x=text)
    return [
        Task(id="t", status=state, history=[message], artifacts=[made], metadata=data),
        TaskStatusUpdateEvent(task_id="t", status=state, metadata=data),
        TaskArtifactUpdateEvent(
            task_id="t", artifact=made, last_chunk=True, metadata=data
        ),
        TaskArtifactUpdateEvent(task_id="t", artifact=made, metadata=data),
    ]


@pytest.mark.parametrize("index", range(4))
@pytest.mark.parametrize("text", [MAIL, "ann\uff20example.com"])
def test_it_is_redacted_wherever_it_stands(index: int, text: str) -> None:
    event = _everywhere(text)[index]
    before = str(event)
    left = sent(event)
    assert str(event) == before
    assert text in json.dumps(MessageToDict(event), ensure_ascii=False)
    for each in left:
        assert text not in json.dumps(MessageToDict(each), ensure_ascii=False)
        assert MessageToDict(each)["metadata"] == {"x": "[email]"}


@pytest.mark.parametrize(
    "part",
    [
        Part(text="to ann\uff20example.com"),
        Part(text="to 4111\u200d111111111111"),
        Part(text="no\u00a0\u2013 ORD-123456."),
        # Its length, before it in the bytes, is the digit 2.
        Part(text="ORD-123456".ljust(ord("2"), ".")),
        data_part(4111111111111111),
        data_part({"n": [1, 4111111111111111]}),
        data_part({"ORD-123456": None}),
    ],
    ids=str,
)
def test_the_quick_look_misses_nothing(part: Part) -> None:
    """A single text or data part is searched in the event's bytes first."""
    (left,) = sent(artifact(part), redact=Redact(patterns=(r"\bORD-\d{6}\b",)))
    assert isinstance(left, TaskArtifactUpdateEvent)
    assert left.artifact.parts[0] != part
    assert left != artifact(part)


def test_by_ids_things_are_still_found() -> None:
    number = "4111111111111111"
    call = {"id": number, "name": "f", "args": {"id": number}}
    part = Part(
        data=ParseDict(call, Value()), metadata=struct(adk_type="function_call")
    )
    event = artifact(part, data_part({"id": number}), name=number)
    event.task_id = event.context_id = number
    (left,) = sent(event)
    assert isinstance(left, TaskArtifactUpdateEvent)
    assert left.task_id == left.context_id == left.artifact.artifact_id == number
    called, plain = (MessageToDict(part.data) for part in left.artifact.parts)
    assert called == {"id": number, "name": "f", "args": {"id": "[card]"}}
    assert plain == {"id": "[card]"}


def test_numbers_are_texts_and_keys_stay_apart() -> None:
    others: dict[str, object] = {"m": 12.5, "b": True, "z": None}
    data = {"n": 4111111111111111, **others, MAIL: 1, "b@c.de": 2}
    (left,) = sent(artifact(data_part(data)))
    assert isinstance(left, TaskArtifactUpdateEvent)
    assert MessageToDict(left.artifact.parts[0].data) == {
        "n": "[card]",
        **others,
        "[email]": 1,
        "[email] (2)": 2,
    }


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (["to ann@exa", "mple.com, ", "ok"], ["to [email]", ", ", "ok"]),
        (["41", "11 1111 1111 ", "1111", " 1"], ["[card]", "", "", " 1"]),
        # Joined to what stands before it, it would be another number.
        (["no 12345", "4111 1111 1111 1111"], ["no 12345", "[card]"]),
        (["a", "", "b"], ["a", "", "b"]),
    ],
)
def test_parts_are_one_text_and_each_its_own(
    pieces: Sequence[str], expected: Sequence[str]
) -> None:
    left = sent(artifact(*pieces), redact=Redact(entities=("email", "card")))
    assert texts(left[0]) == list(expected)


def _file(content: bytes, kind: str) -> Part:
    return Part(raw=content, media_type=kind, filename="f")


WITHHELD = Part(text="[file withheld]", filename="f")


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (_file(b"to ann@b.co", "text/plain"), _file(b"to [email]", "text/plain")),
        (_file(b"a,ann@b.co", "TEXT/csv; x=y"), _file(b"a,[email]", "TEXT/csv; x=y")),
        (
            _file(
                rb'{"a": ["ann\u0040b.co", 4111111111111111, true]}', "application/json"
            ),
            _file(b'{"a": ["[email]", "[card]", true]}', "application/json"),
        ),
        (
            _file(b'{"a" :1.50}', "application/x+json"),
            _file(b'{"a" :1.50}', "application/x+json"),
        ),
        (
            _file(b"{ann@b.co", "application/json"),
            _file(b"{[email]", "application/json"),
        ),
        (_file("ann@b.co".encode("utf-16"), "text/plain"), WITHHELD),
        (_file("ann@b.co".encode("utf-16-le"), "text/plain"), WITHHELD),
        (_file(b"\xff\xfe", "text/plain"), WITHHELD),
        (_file(b"ann@b.co", "image/png"), WITHHELD),
        (_file(b"ann@b.co", ""), WITHHELD),
        (
            Part(url="data:text/plain;base64,YW5uQGIuY28=", filename="f"),
            WITHHELD,
        ),
        (Part(url="https://x.y/ann%40b.co"), Part(url="https://x.y/[email]")),
        (Part(url="https://x.y/a%20b"), Part(url="https://x.y/a%20b")),
        (Part(url="https://u:p@x.y/"), Part(url="https[secret]/")),
    ],
    ids=str,
)
def test_a_file_is_read_or_withheld(part: Part, expected: Part) -> None:
    (left,) = sent(artifact(part))
    assert isinstance(left, TaskArtifactUpdateEvent)
    assert left.artifact.parts[0] == expected


def test_files_may_pass() -> None:
    image, text = _file(b"ann@b.co", "image/png"), _file(b"ann@b.co", "text/plain")
    (left,) = sent(artifact(image, text), redact=Redact(files="pass"))
    assert isinstance(left, TaskArtifactUpdateEvent)
    assert left.artifact.parts[0] == image
    assert left.artifact.parts[1].raw == b"[email]"


@pytest.mark.parametrize("last", [True, False])
def test_what_cannot_be_read_is_an_error(*, last: bool) -> None:
    with pytest.raises(Unreadable):
        sent(artifact(Part(), last=last))


@settings(deadline=None, max_examples=100)
@given(data=st.data(), depth=st.integers(0, 12))
def test_no_nesting_hides_it(data: st.DataObject, depth: int) -> None:
    node: object = data.draw(
        st.sampled_from([MAIL, {MAIL: 1}, [MAIL], 4111111111111111])
    )
    for _ in range(depth):
        beside = data.draw(CLEAN_JSON)
        node = data.draw(
            st.sampled_from([{"k": node, "l": beside}, [beside, node], {"k": [node]}])
        )
    event = artifact(data_part(node))
    event.artifact.metadata.CopyFrom(struct(x=node))
    text = str(MessageToDict(sent(event)[0]))
    assert MAIL not in text
    assert "4111111111111111" not in text
    assert "411111111111111" not in text


@settings(deadline=None, max_examples=100)
@given(node=CLEAN_JSON)
def test_data_without_secrets_is_not_changed(node: object) -> None:
    event = artifact(data_part(node), "and 2 parts")
    assert sent(event) == [event]
