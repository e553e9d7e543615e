"""Makes events of A2A, and gives what leaves in their place."""

from collections.abc import Generator
from contextlib import contextmanager

from a2a.types import (
    Artifact,
    Message,
    Part,
    Role,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Struct
from tests.runtime.messages import message_context

from runtime.recipes.redaction.redact import Redact
from runtime.seams.exchange import exchange_of
from runtime.seams.protocols import Outgoing

MAIL = "ann@example.com"


@contextmanager
def request_open() -> Generator[None, None, None]:
    """Let hooks find a request."""
    with exchange_of(message_context(Part(text="hi"))).entered():
        yield


def sent(*events: Outgoing, redact: Redact | None = None) -> list[Outgoing]:
    """Give what leaves in the place of events of one request."""
    redact = redact or Redact()
    left: list[Outgoing] = []
    with request_open():
        for event in events:
            given = redact.on_send(event)
            left += given if isinstance(given, list) else [given]
    return left


def artifact(
    *parts: Part | str, name: str = "a", append: bool = False, last: bool = True
) -> TaskArtifactUpdateEvent:
    """Make an update of an artifact."""
    made = [Part(text=part) if isinstance(part, str) else part for part in parts]
    return TaskArtifactUpdateEvent(
        task_id="t",
        append=append,
        last_chunk=last,
        artifact=Artifact(artifact_id=name, parts=made),
    )


def status(
    *parts: Part | str, state: TaskState = TaskState.TASK_STATE_WORKING
) -> TaskStatusUpdateEvent:
    """Make an update of the status."""
    made = [Part(text=part) if isinstance(part, str) else part for part in parts]
    message = Message(message_id="m", role=Role.ROLE_AGENT, parts=made)
    return TaskStatusUpdateEvent(
        task_id="t", status=TaskStatus(state=state, message=message)
    )


COMPLETED = TaskStatusUpdateEvent(
    task_id="t", status=TaskStatus(state=TaskState.TASK_STATE_COMPLETED)
)


def texts(event: Outgoing) -> list[str]:
    """Give the texts of an update's parts."""
    if isinstance(event, TaskArtifactUpdateEvent):
        return [part.text for part in event.artifact.parts]
    assert isinstance(event, TaskStatusUpdateEvent)
    return [part.text for part in event.status.message.parts]


def flags(event: Outgoing) -> tuple[str, bool, bool]:
    """Give which artifact it is, and how it goes on."""
    assert isinstance(event, TaskArtifactUpdateEvent)
    return event.artifact.artifact_id, event.append, event.last_chunk


def thought(text: str) -> Part:
    return Part(text=text, metadata=struct(adk_thought=True))


def struct(**fields: object) -> Struct:
    return ParseDict(fields, Struct())


def data_part(node: object) -> Part:
    """Make a part of data."""
    return Part(data=struct(x=node).fields["x"])
