"""The last status waits until all is settled, and nothing follows it."""

import pytest
from a2a.server.events import Event as A2AEvent
from a2a.server.events import EventQueue
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

from runtime.boundary.failures import Failure, Failures
from runtime.boundary.outgoing import OutgoingQueue
from runtime.boundary.safe_errors import SafeErrors
from runtime.seams.exchange import exchange_of
from runtime.seams.protocols import OnSend, Outgoing
from runtime.seams.rejection import Rejected

from .scripted import request_context

pytestmark = pytest.mark.anyio

PAUSED = TaskState.TASK_STATE_INPUT_REQUIRED
DONE = TaskState.TASK_STATE_COMPLETED
FAILED = TaskState.TASK_STATE_FAILED
WORKING = TaskState.TASK_STATE_WORKING


class Sent(EventQueue):
    """Remembers what left.

    Attributes:
        events: The events, in order.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.events: list[A2AEvent] = []

    async def enqueue_event(self, event: A2AEvent) -> None:
        """Remember an event."""
        self.events.append(event)

    def states(self) -> list[int]:
        """Give the states of the updates that left."""
        return [
            each.status.state
            for each in self.events
            if isinstance(each, TaskStatusUpdateEvent)
        ]


class Twice(OnSend):
    """Sends everything twice, but what it breaks on."""

    def __init__(self, broken: int = -1) -> None:
        """Break on updates with a state."""
        self._broken = broken

    def on_send(self, event: Outgoing) -> Outgoing | list[Outgoing]:
        """Send it twice."""
        if isinstance(event, TaskStatusUpdateEvent):
            if event.status.state == self._broken:
                raise RuntimeError
            return event
        return [event, event]


def queue_to(sent: Sent, *sends: OnSend) -> OutgoingQueue:
    """Stand before a queue."""
    context = request_context()
    failures = Failures(SafeErrors(message="It failed."))
    return OutgoingQueue(sent, context, exchange_of(context), failures, sends)


def status(state: TaskState, text: str = "") -> TaskStatusUpdateEvent:
    """Make an update of the status."""
    parts = [Part(text=text)] if text else []
    return TaskStatusUpdateEvent(
        status=TaskStatus(state=state, message=Message(parts=parts))
    )


def artifact(*parts: Part) -> TaskArtifactUpdateEvent:
    """Make an artifact."""
    return TaskArtifactUpdateEvent(artifact=Artifact(parts=parts))


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        (DONE, "completed"),
        (FAILED, "failed"),
        (TaskState.TASK_STATE_REJECTED, "rejected"),
        (TaskState.TASK_STATE_CANCELED, "canceled"),
        (PAUSED, "paused"),
        (TaskState.TASK_STATE_AUTH_REQUIRED, "paused"),
    ],
)
async def test_the_last_status_waits_for_the_end(state: TaskState, kind: str) -> None:
    """And says how the run ended."""
    sent = Sent()
    queue = queue_to(sent)
    assert queue.kind == "completed"

    await queue.enqueue_event(status(WORKING))
    await queue.enqueue_event(status(state))

    assert sent.states() == [WORKING]
    assert queue.kind == kind
    await queue.end(None)
    assert sent.states() == [WORKING, state]


async def test_what_was_not_the_last_status_leaves_before_the_next_event() -> None:
    """A run may go on after it paused."""
    sent = Sent()
    queue = queue_to(sent)

    await queue.enqueue_event(status(PAUSED))
    await queue.enqueue_event(status(WORKING))
    await queue.enqueue_event(status(DONE))

    assert sent.states() == [PAUSED, WORKING]
    assert queue.kind == "completed"


async def test_what_is_said_after_it_was_given_up_is_dropped() -> None:
    """The caller has been told the end."""
    sent = Sent()
    queue = queue_to(sent)
    assert not queue.has_sent

    await queue.enqueue_event(status(WORKING))
    queue.close()
    await queue.enqueue_event(status(DONE))
    await queue.end(None)

    assert queue.has_sent
    assert sent.states() == [WORKING]


@pytest.mark.parametrize(
    ("event", "is_empty"),
    [
        (status(WORKING), True),
        (status(WORKING, "a"), False),
        (status(DONE), True),
        (status(DONE, "a"), False),
        (artifact(), True),
        (artifact(Part(text="")), True),
        (artifact(Part(), Part(text="a")), False),
        (artifact(Part(raw=b"")), False),
        (Task(), True),
    ],
    ids=range(9),
)
async def test_it_is_known_whether_a_caller_could_read_anything(
    event: A2AEvent, *, is_empty: bool
) -> None:
    """In an artifact or a status, also in the last one."""
    queue = queue_to(Sent())
    assert queue.is_empty

    await queue.enqueue_event(event)
    assert queue.is_empty is is_empty
    await queue.enqueue_event(status(DONE))
    await queue.enqueue_event(artifact())
    assert queue.is_empty is is_empty


async def test_what_sees_events_may_send_several() -> None:
    """The next one sees each of them; a bare message passes by."""
    sent = Sent()
    queue = queue_to(sent, Twice(), Twice())

    await queue.enqueue_event(artifact())
    assert len(sent.events) == 4
    await queue.enqueue_event(Message())
    assert len(sent.events) == 5


async def test_a_failure_ends_a_task_that_is_there() -> None:
    """It isn't made a second time."""
    sent = Sent()
    queue = queue_to(sent)

    await queue.enqueue_event(Task())
    await queue.end(Failure(code="late", text="Too late."))

    task, last = sent.events
    assert isinstance(task, Task)
    assert isinstance(last, TaskStatusUpdateEvent)
    assert last.status.state == FAILED
    assert last.status.message.parts[0].text == "Too late."
    assert last.metadata["error_code"] == "late"


async def test_a_failure_makes_the_task_that_is_not_there() -> None:
    """With the caller's message."""
    sent = Sent()
    queue = queue_to(sent)

    await queue.end(Failure(code="late", text="Too late."))

    task, _ = sent.events
    assert isinstance(task, Task)
    assert task.status.state == TaskState.TASK_STATE_SUBMITTED
    assert [each.parts[0].text for each in task.history] == ["hello"]
    assert sent.states() == [FAILED]


@pytest.mark.parametrize("failure", [None, Failure(code="late", text="secret")])
async def test_an_end_that_cannot_be_sent_is_a_failure_without_a_text(
    failure: Failure | None, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody knows what is in it, so nothing of it leaves, the message neither."""
    sent = Sent()
    broken = DONE if failure is None else FAILED
    queue = queue_to(sent, Twice(broken))
    if failure is None:
        await queue.enqueue_event(status(DONE, "secret"))

    await queue.end(failure)

    *_, last = sent.events
    assert isinstance(last, TaskStatusUpdateEvent)
    assert last.status.message.parts[0].text == "It failed."
    assert last.metadata["error_code"] == "internal_error"
    assert "secret" not in str(sent.events)
    assert "its end could not be sent" in caplog.text


async def test_what_adk_fails_with_is_told_by_the_boundary() -> None:
    """Its own status has the exception's text."""
    sent = Sent()
    queue = queue_to(sent)

    def fail(error: Exception) -> None:
        raise error

    async def publish(error: Exception) -> None:
        try:
            fail(error)
        except Exception:  # noqa: BLE001 - as ADK does
            await queue.enqueue_event(status(WORKING, "a"))
            await queue.enqueue_event(status(FAILED, str(error)))

    await publish(ConnectionError("secret"))
    assert queue.failure is not None
    assert (queue.failure.code, queue.failure.text) == ("internal_error", "It failed.")
    assert isinstance(queue.failure.error, ConnectionError)
    assert sent.states() == [WORKING]
    await publish(Rejected("not_you", message="not you"))
    assert queue.failure.code == "not_you"
    await queue.enqueue_event(status(FAILED, "reported"))
    await queue.end(None)
    assert "reported" in str(sent.events[-1])
