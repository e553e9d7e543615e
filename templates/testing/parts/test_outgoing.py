"""The last status waits until all is settled, and nothing follows it."""

from dataclasses import dataclass, field

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
from runtime.seams.protocols import OnSend, OnSendOffLoop, Outgoing
from runtime.seams.rejection import Rejected

from .scripted import request_context

pytestmark = pytest.mark.anyio

PAUSED = TaskState.TASK_STATE_INPUT_REQUIRED
DONE = TaskState.TASK_STATE_COMPLETED
FAILED = TaskState.TASK_STATE_FAILED
WORKING = TaskState.TASK_STATE_WORKING


@dataclass
class Sent(EventQueue):
    """Remembers what left."""

    events: list[A2AEvent] = field(default_factory=list[A2AEvent])

    async def enqueue_event(self, event: A2AEvent) -> None:
        """Remember an event."""
        self.events.append(event)


@dataclass
class Twice(OnSend):
    """Sends everything twice, but a status; breaks on one with a state."""

    broken: int = -1

    def on_send(self, event: Outgoing) -> Outgoing | list[Outgoing]:
        """Send it twice."""
        if isinstance(event, TaskStatusUpdateEvent):
            if event.status.state == self.broken:
                raise RuntimeError
            return event
        return [event, event]


class Elsewhere(Twice, OnSendOffLoop):
    """Sends everything three times if it is asked off the loop."""

    async def on_send_off_loop(self, event: Outgoing) -> Outgoing | list[Outgoing]:
        """Send it three times."""
        thrice: list[Outgoing] = [event] * 3
        return event if isinstance(event, TaskStatusUpdateEvent) else thrice


def queue_with(*sends: OnSend, task: Task | None = None) -> tuple[OutgoingQueue, Sent]:
    """Make a queue, and what it stands before."""
    context, sent = request_context(), Sent()
    context.current_task = task
    failures = Failures(SafeErrors(message="It failed."))
    return OutgoingQueue(sent, context, exchange_of(context), failures, sends), sent


def status(state: TaskState, text: str = "") -> TaskStatusUpdateEvent:
    """Make an update of the status."""
    message = Message(parts=[Part(text=text)] if text else [])
    return TaskStatusUpdateEvent(status=TaskStatus(state=state, message=message))


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
    queue, sent = queue_with()
    assert queue.kind == "completed"

    await queue.enqueue_event(status(WORKING))
    await queue.enqueue_event(status(state))

    assert (sent.events, queue.kind) == ([status(WORKING)], kind)
    await queue.end(None)
    assert sent.events == [status(WORKING), status(state)]


async def test_what_was_not_the_last_status_leaves_before_the_next_event() -> None:
    """A run may go on after it paused."""
    queue, sent = queue_with()

    for state in (PAUSED, WORKING, DONE):
        await queue.enqueue_event(status(state))

    assert sent.events == [status(PAUSED), status(WORKING)]


async def test_what_is_said_after_it_was_given_up_is_dropped() -> None:
    """The caller has been told the end."""
    queue, sent = queue_with()
    assert not queue.has_sent

    await queue.enqueue_event(status(WORKING))
    queue.close()
    await queue.enqueue_event(status(DONE))
    await queue.end(None)

    assert (queue.has_sent, sent.events) == (True, [status(WORKING)])


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
    queue, _ = queue_with()
    assert queue.is_empty

    await queue.enqueue_event(event)
    assert queue.is_empty is is_empty
    await queue.enqueue_event(status(DONE))
    await queue.enqueue_event(artifact())
    assert queue.is_empty is is_empty


async def test_what_sees_events_may_send_several() -> None:
    """The next one sees each of them; a bare message passes by."""
    queue, sent = queue_with(Twice(), Elsewhere(), Twice())

    for event in (artifact(), Message(), status(WORKING)):
        await queue.enqueue_event(event)

    assert sent.events == [artifact()] * 12 + [Message(), status(WORKING)]


@pytest.mark.parametrize(
    ("task", "given"),
    [(None, []), (None, [Task(id="given")]), (Task(id="kept"), [])],
    ids=["made", "given", "kept"],
)
async def test_a_failure_ends_the_task(task: Task | None, given: list[Task]) -> None:
    """One that isn't there is made, with the caller's message."""
    queue, sent = queue_with(task=task)
    for each in given:
        await queue.enqueue_event(each)

    await queue.end(Failure(code="late", text="Too late."))

    *tasks, last = sent.events
    assert isinstance(last, TaskStatusUpdateEvent)
    assert last.status.message.parts[0].text == "Too late."
    assert (last.status.state, last.metadata["error_code"]) == (FAILED, "late")
    if task or given:
        assert tasks == given
        return
    (made,) = tasks
    assert isinstance(made, Task)
    assert made.status.state == TaskState.TASK_STATE_SUBMITTED
    assert [each.parts[0].text for each in made.history] == ["hello"]


@pytest.mark.parametrize("failure", [None, Failure(code="late", text="secret")])
async def test_an_end_that_cannot_be_sent_is_a_failure_without_a_text(
    failure: Failure | None, caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody knows what is in it, so nothing of it leaves, the message neither."""
    queue, sent = queue_with(Twice(DONE if failure is None else FAILED))
    await queue.enqueue_event(status(DONE, "secret"))

    await queue.end(failure)

    *_, last = sent.events
    assert isinstance(last, TaskStatusUpdateEvent)
    (part,), code = last.status.message.parts, last.metadata["error_code"]
    assert (part.text, code) == ("It failed.", "internal_error")
    assert "secret" not in str(sent.events)
    assert ("hello" in str(sent.events)) is (failure is not None)
    told = f"request {last.metadata['correlation_id']}: its end could not be sent"
    assert caplog.record_tuples[-1][::2] == (OutgoingQueue.__module__, told)


async def test_what_adk_fails_with_is_told_by_the_boundary(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its own status has the exception's text, and its own log the traceback."""
    queue, sent = queue_with()
    assert queue.failure is None

    def fail(error: Exception) -> None:
        raise error

    async def publish(error: Exception) -> None:
        try:
            fail(error)
        except Exception:  # noqa: BLE001 - as ADK does
            await queue.enqueue_event(status(WORKING, "a"))
            await queue.enqueue_event(status(FAILED, str(error)))

    await publish(ConnectionError("secret"))
    assert queue.failure
    assert (queue.failure.code, queue.failure.text) == ("internal_error", "It failed.")
    assert isinstance(queue.failure.error, ConnectionError)
    assert sent.events == [status(WORKING, "a")]
    assert queue.kind == "completed"
    assert caplog.messages[0].endswith(" failed: ConnectionError: secret")
    await publish(Rejected("not_you", message="not you"))
    assert queue.failure.code == "not_you"
    await queue.enqueue_event(status(FAILED, "reported"))
    await queue.end(None)
    assert "reported" in str(sent.events[-1])
