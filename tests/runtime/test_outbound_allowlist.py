from collections.abc import AsyncGenerator

import pytest
from a2a.types import (
    Artifact,
    Message,
    Part,
    Role,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.adk.a2a.converters.to_adk_event import convert_a2a_task_to_event
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Struct
from tests.runtime.messages import PINS, answer_to, asks_twice, reply, send
from tests.runtime.serving import Setup, served

from runtime.recipes.outbound.outbound_allowlist import OutboundAllowlist
from runtime.seams.protocols import Outgoing
from testing.harness import WIRES, Reply, Wire, values
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]

STATE, CUSTOM, THOUGHT, ASKED = "planted-1", "planted-2", "planted-3", "planted-4"
USAGE = 471147


async def tells_all(_: InvocationContext) -> AsyncGenerator[Event, None]:
    """Say something, with all that ADK sends along, in chunks and whole."""
    thought = types.Part(text=THOUGHT, thought=True)
    said = types.Part(text="said")
    for partial, parts in ((True, [thought]), (True, [said]), (False, [thought, said])):
        yield Event(
            author="scripted",
            partial=partial,
            content=types.Content(role="model", parts=parts),
            actions=EventActions(
                state_delta={} if partial else {"card": STATE, "city": "Ulm"}
            ),
            custom_metadata={"own": CUSTOM, "source": "book"},
            usage_metadata=types.GenerateContentResponseUsageMetadata(
                total_token_count=USAGE
            ),
        )


async def _told(hooks: dict[str, object], pin: str) -> list[str]:
    """Give all that a caller gets: in the stream, as a whole, and from the store."""
    told: list[str] = []
    setup = Setup(script=tells_all, hooks=hooks, pin=pin)
    async with served(setup) as caller:
        whole = await send(caller, metadata={"order": ASKED})
        told.append(str(whole.answers))
        told.append(str((await caller.call("GetTask", {"id": whole.task_id})).answers))
        for wire in WIRES:
            answer = await caller.send("hello", wire)
            assert answer.state == "completed"
            told.append(str(answer.answers))
    return told


@pytest.mark.parametrize("pin", PINS)
async def test_nothing_leaves_but_what_is_said(pin: str) -> None:
    told = await _told({"allow": OutboundAllowlist()}, pin)
    for planted in (STATE, CUSTOM, THOUGHT, ASKED, str(USAGE), "Ulm", "book"):
        assert not [text for text in told if planted in text]
    assert all("said" in text for text in told)


@pytest.mark.parametrize("pin", PINS)
async def test_what_leaves_without_it(pin: str) -> None:
    """What the test above plants does leave, so it can fail."""
    told = await _told({}, pin)
    for planted in (STATE, CUSTOM, THOUGHT, ASKED, str(USAGE), "Ulm", "book"):
        assert [text for text in told if planted in text]


@pytest.mark.parametrize("pin", PINS)
async def test_what_is_on_a_list_leaves(pin: str) -> None:
    allow = OutboundAllowlist(
        state=("city",), custom_metadata=("source",), usage=True, thoughts="keep"
    )
    told = "".join(await _told({"allow": allow}, pin))
    assert all(kept in told for kept in ("Ulm", "book", str(USAGE), THOUGHT))
    assert not any(planted in told for planted in (STATE, CUSTOM, ASKED))
    asked = OutboundAllowlist(custom_metadata=("a2a_metadata",))
    assert ASKED in "".join(await _told({"allow": asked}, pin))


@pytest.mark.parametrize("pin", PINS)
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_a_paused_task_can_be_answered(pin: str, wire: Wire) -> None:
    hooks: dict[str, object] = {"allow": OutboundAllowlist()}
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as caller:
        paused = await caller.send("hello", wire)
        assert paused.state == "input-required"
        assert True in paused.metadata("adk_is_long_running")
        assert "function_call" in paused.metadata("adk_type")
        assert "call-1" in list(values(paused.answers, "id"))
        assert _calls_in_the_client(paused, wire)
        assert paused.by_new_implementation == (pin == "new")
        answered = await reply(caller, paused, answer_to("call-1"))
    assert "call-2" in str(answered.answers)


def _calls_in_the_client(paused: Reply, wire: Wire) -> bool:
    """Tell whether ADK's client half sees a call that waits for an answer."""
    if wire.version != "1.0" or wire.streaming:
        return True
    task = next(values(paused.answers, "task"))
    assert isinstance(task, dict)
    event = convert_a2a_task_to_event(ParseDict(task, Task()))
    return event is not None and event.long_running_tool_ids == {"call-1"}


async def fails(_: InvocationContext) -> AsyncGenerator[Event, None]:
    """Fail."""
    yield adk_event("before")
    raise ConnectionError


@pytest.mark.parametrize("pin", PINS)
async def test_what_tells_of_a_failure_is_kept(pin: str) -> None:
    hooks: dict[str, object] = {"allow": OutboundAllowlist()}
    async with served(Setup(script=fails, hooks=hooks, pin=pin)) as caller:
        failed = await send(caller)
    assert failed.state == "failed"
    assert failed.metadata("error_code") == ["internal_error"]
    assert failed.metadata("correlation_id")


def _struct(**fields: object) -> Struct:
    return ParseDict(fields, Struct())


def _message(*parts: Part, **metadata: object) -> Message:
    return Message(
        message_id="m", role=Role.ROLE_AGENT, parts=parts, metadata=_struct(**metadata)
    )


def _part(text: str, **metadata: object) -> Part:
    return Part(text=text, metadata=_struct(**metadata))


THINKS = _part("hm", adk_thought=True)
DIRTY: dict[str, object] = {"x": 1, "adk_user_id": "u"}


def _everywhere() -> list[Outgoing]:
    """Make one event of each kind, with metadata wherever there can be some."""
    part = Part(text="a", metadata=_struct(**DIRTY))
    message = _message(part, **DIRTY)
    artifact = Artifact(artifact_id="a", parts=[part], metadata=_struct(**DIRTY))
    status = TaskStatus(state=TaskState.TASK_STATE_WORKING, message=message)
    return [
        Task(
            id="t",
            status=status,
            history=[message],
            artifacts=[artifact],
            metadata=_struct(**DIRTY),
        ),
        TaskStatusUpdateEvent(task_id="t", status=status, metadata=_struct(**DIRTY)),
        TaskArtifactUpdateEvent(
            task_id="t", artifact=artifact, metadata=_struct(**DIRTY)
        ),
    ]


@pytest.mark.parametrize("event", _everywhere(), ids=lambda event: type(event).__name__)
def test_metadata_are_cleaned_wherever_they_stand(event: Outgoing) -> None:
    before = str(event)
    sent = str(OutboundAllowlist().on_send(event))
    assert "adk_user_id" not in sent
    assert '"x"' not in sent
    # What ADK or another hook still holds is not touched.
    assert str(event) == before
    kept = str(OutboundAllowlist(metadata=("x",)).on_send(event))
    assert kept.count('"x"') == before.count('"x"')
    assert "adk_user_id" not in kept


def test_no_message_appears_where_there_was_none() -> None:
    status = TaskStatus(state=TaskState.TASK_STATE_COMPLETED)
    event = TaskStatusUpdateEvent(task_id="t", status=status)
    sent = OutboundAllowlist().on_send(event)
    assert isinstance(sent, TaskStatusUpdateEvent)
    assert not sent.status.HasField("message")
    assert sent == event


@pytest.mark.parametrize("append", [False, True])
def test_a_chunk_of_thoughts_only_keeps_its_place(*, append: bool) -> None:
    """Else what follows would be added to an artifact that isn't there."""
    event = TaskArtifactUpdateEvent(
        task_id="t",
        append=append,
        last_chunk=not append,
        artifact=Artifact(artifact_id="a", parts=[THINKS, THINKS]),
    )
    sent = OutboundAllowlist().on_send(event)
    assert isinstance(sent, TaskArtifactUpdateEvent)
    assert sent.artifact.parts == [Part(text="")]
    assert (sent.append, sent.last_chunk) == (append, not append)
    assert sent.artifact.artifact_id == "a"


def test_thoughts_are_dropped_from_among_others() -> None:
    parts = [THINKS, _part("b"), THINKS, _part("c", adk_thought=False), THINKS]
    event = TaskStatusUpdateEvent(
        status=TaskStatus(state=TaskState.TASK_STATE_WORKING, message=_message(*parts))
    )
    dropped = OutboundAllowlist().on_send(event)
    kept = OutboundAllowlist(thoughts="keep").on_send(event)
    assert isinstance(dropped, TaskStatusUpdateEvent)
    assert [part.text for part in dropped.status.message.parts] == ["b", "c"]
    assert kept == event


def test_a_message_without_parts_stays_so() -> None:
    """As the new implementation sends it for actions only."""
    status = TaskStatus(state=TaskState.TASK_STATE_WORKING, message=_message(y=1))
    sent = OutboundAllowlist().on_send(TaskStatusUpdateEvent(status=status))
    assert isinstance(sent, TaskStatusUpdateEvent)
    assert not sent.status.message.parts


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (
            {"stateDelta": {"city": "Ulm", "card": 1}, "transferToAgent": "b"},
            {"stateDelta": {"city": "Ulm"}},
        ),
        ({"state_delta": {"city": "Ulm"}}, {"state_delta": {"city": "Ulm"}}),
        ({"stateDelta": {"card": 1}}, None),
        ({"stateDelta": "nonsense", "escalate": True}, {"escalate": True}),
        ({"skipSummarization": True}, {"skipSummarization": True}),
        ({}, None),
        (
            '{"stateDelta": {"city": "Ulm", "card": 1}}',
            '{"stateDelta": {"city": "Ulm"}}',
        ),
        ('{"stateDelta": {"card": 1}}', None),
        ("not json", None),
        ('{"escalate": NaN}', None),
        ("[1]", None),
        (7, None),
        (None, None),
        ([1], None),
    ],
)
def test_of_actions_only_inert_ones_and_listed_state_are_kept(
    given: object, kept: object
) -> None:
    event = TaskStatusUpdateEvent(metadata=_struct(adk_actions=given))
    sent = OutboundAllowlist(state=("city",)).on_send(event)
    expected = {} if kept is None else {"adk_actions": kept}
    assert MessageToDict(sent.metadata) == expected


@pytest.mark.parametrize("value", [{"escalate": True}, '{"escalate": true}'])
def test_other_keys_are_not_looked_into(value: object) -> None:
    event = TaskStatusUpdateEvent(metadata=_struct(x=value))
    assert OutboundAllowlist().on_send(event) == TaskStatusUpdateEvent(
        metadata=Struct()
    )


@pytest.mark.parametrize("usage", [False, True])
def test_the_use_of_tokens_leaves_if_it_may(*, usage: bool) -> None:
    event = TaskStatusUpdateEvent(metadata=_struct(adk_usage_metadata={"total": 1}))
    sent = OutboundAllowlist(usage=usage).on_send(event)
    assert ("adk_usage_metadata" in str(sent)) == usage


def test_custom_metadata_may_be_written_as_json() -> None:
    """As the legacy implementation does."""
    event = TaskStatusUpdateEvent(
        metadata=_struct(adk_custom_metadata='{"source": "Büch", "own": 1}')
    )
    sent = OutboundAllowlist(custom_metadata=("source",)).on_send(event)
    assert MessageToDict(sent.metadata) == {"adk_custom_metadata": '{"source": "Büch"}'}


@pytest.mark.parametrize(
    "key",
    [
        "https://google.github.io/adk-docs/a2a/a2a-extension/",
        "adk_error_code",
        "error_code",
        "correlation_id",
    ],
)
def test_what_a_client_needs_is_always_kept(key: str) -> None:
    event = TaskStatusUpdateEvent(metadata=_struct(**{key: "kept"}))
    assert OutboundAllowlist().on_send(event) == event


@pytest.mark.parametrize(
    "key",
    [
        "adk_type",
        "adk_is_long_running",
        "adk_thought_signature",
        "adk_video_metadata",
        "adk_media_resolution",
    ],
)
def test_what_a_part_means_is_always_kept(key: str) -> None:
    artifact = Artifact(artifact_id="a", parts=[_part("a", **{key: "kept"})])
    event = TaskArtifactUpdateEvent(artifact=artifact)
    assert OutboundAllowlist().on_send(event) == event
