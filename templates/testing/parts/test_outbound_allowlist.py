"""Metadata leaves if it is on a list, and thoughts stay, wherever they stand."""

from collections.abc import Callable

import pytest
from a2a.types import (
    Artifact,
    Message,
    Part,
    Task,
    TaskArtifactUpdateEvent,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Struct

from runtime.recipes.outbound.outbound_allowlist import OutboundAllowlist
from runtime.seams.protocols import Outgoing


def struct() -> Struct:
    """Make metadata of each kind."""
    values = {
        "secret": 1,
        "channel": "web",
        "error_code": "late",
        "adk_usage_metadata": {"totalTokenCount": 7},
        "adk_actions": {"stateDelta": {"order": 1, "secret": 2}},
        "adk_custom_metadata": {"source": "a", "secret": "b"},
    }
    return ParseDict(values, Struct())


def part(text: str, *, is_thought: bool = False) -> Part:
    """Make a part with metadata."""
    made = Part(text=text, metadata=struct())
    if is_thought:
        made.metadata["adk_thought"] = True
    return made


def message() -> Message:
    """Make a message that has thoughts first, last and in between."""
    parts = [part(str(at), is_thought=at in (0, 2, 3, 5)) for at in range(6)]
    return Message(parts=parts, metadata=struct())


def artifact() -> Artifact:
    """Make an artifact that has the same."""
    return Artifact(parts=message().parts, metadata=struct())


EVENTS: dict[str, Callable[[], Outgoing]] = {
    "task": lambda: Task(
        metadata=struct(),
        status=TaskStatus(message=message()),
        history=[message(), message()],
        artifacts=[artifact(), artifact()],
    ),
    "status": lambda: TaskStatusUpdateEvent(
        metadata=struct(), status=TaskStatus(message=message())
    ),
    "artifact": lambda: TaskArtifactUpdateEvent(metadata=struct(), artifact=artifact()),
}
each_event = pytest.mark.parametrize("make", EVENTS.values(), ids=list(EVENTS))


def holders(event: Outgoing) -> list[Artifact | Message]:
    """Give all that has parts."""
    if isinstance(event, Task):
        return [event.status.message, *event.history, *event.artifacts]
    if isinstance(event, TaskStatusUpdateEvent):
        return [event.status.message]
    return [event.artifact]


def metadata(event: Outgoing) -> list[dict[str, object]]:
    """Give all metadata of an event, that of parts last."""
    found = [event.metadata, *(holder.metadata for holder in holders(event))]
    found += [part.metadata for holder in holders(event) for part in holder.parts]
    return [MessageToDict(each) for each in found]


@each_event
def test_nothing_leaves_that_is_not_named(make: Callable[[], Outgoing]) -> None:
    """But what callers need; it is a copy that leaves."""
    event = make()

    sent = OutboundAllowlist().on_send(event)

    assert event == make()
    for each in metadata(sent):
        assert not each.keys() - {"error_code"}
    assert metadata(sent)[0] == {"error_code": "late"}


@each_event
def test_what_is_named_leaves(make: Callable[[], Outgoing]) -> None:
    """In whole, or of a mapping the keys that are named."""
    allowed = OutboundAllowlist(
        metadata=("channel",),
        state=("order",),
        custom_metadata=("source",),
        usage=True,
    )

    sent = metadata(allowed.on_send(make()))

    kept = {
        "channel": "web",
        "error_code": "late",
        "adk_usage_metadata": {"totalTokenCount": 7},
        "adk_actions": {"stateDelta": {"order": 1}},
        "adk_custom_metadata": {"source": "a"},
    }
    assert sent[0] == sent[1] == kept


@pytest.mark.parametrize(
    ("allowed", "key"),
    [
        (OutboundAllowlist(metadata=("channel",)), "channel"),
        (OutboundAllowlist(state=("order",)), "adk_actions"),
        (OutboundAllowlist(custom_metadata=("source",)), "adk_custom_metadata"),
        (OutboundAllowlist(usage=True), "adk_usage_metadata"),
    ],
    ids=range(4),
)
def test_each_list_lets_out_what_is_its_own(
    allowed: OutboundAllowlist, key: str
) -> None:
    """And nothing of the others."""
    sent = metadata(allowed.on_send(EVENTS["status"]()))

    assert set(sent[0]) == {key, "error_code"}


@each_event
def test_thoughts_are_dropped_unless_they_are_kept(
    make: Callable[[], Outgoing],
) -> None:
    """The other parts keep their order."""
    dropped, kept = OutboundAllowlist(), OutboundAllowlist(thoughts="keep")

    for holder in holders(dropped.on_send(make())):
        assert [part.text for part in holder.parts] == ["1", "4"]
    for holder in holders(kept.on_send(make())):
        assert [part.text for part in holder.parts] == list("012345")


@pytest.mark.parametrize("count", [1, 2])
def test_where_all_is_thought_an_empty_text_is_left(count: int) -> None:
    """An artifact's first chunk has to come for the next ones to be added to."""
    parts = [part("hm", is_thought=True)] * count
    event = TaskArtifactUpdateEvent(artifact=Artifact(parts=parts))

    (sent,) = holders(OutboundAllowlist().on_send(event))

    assert list(sent.parts) == [Part(text="")]
