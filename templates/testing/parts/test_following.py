"""A repeat gets the task of the first message as the SDK gives it."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import DefaultRequestHandler, RequestHandler
from a2a.types import (
    GetTaskRequest,
    Message,
    SendMessageConfiguration,
    SubscribeToTaskRequest,
    Task,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from a2a.utils.errors import TaskNotFoundError, UnsupportedOperationError

from runtime.recipes.inbound.following import Following
from runtime.recipes.inbound.remembered import MessageRun, hashed

pytestmark = pytest.mark.anyio

WORKING = TaskState.TASK_STATE_WORKING
PAUSED = TaskState.TASK_STATE_INPUT_REQUIRED
DONE = TaskState.TASK_STATE_COMPLETED
GONE = TaskNotFoundError()
ARTIFACT = TaskArtifactUpdateEvent(task_id="t")
CONTEXT = ServerCallContext()


class Handler(DefaultRequestHandler):
    """Reads a task as these, one after the other, and streams those events.

    Attributes:
        params: What it was asked with.
    """

    def __init__(
        self,
        tasks: Sequence[Task | Exception | None],
        events: Sequence[Event | Exception],
    ) -> None:
        """Give these."""
        self._tasks, self._told = iter(tasks), events
        self.params: list[GetTaskRequest | SubscribeToTaskRequest] = []

    async def on_get_task(
        self, params: GetTaskRequest, context: ServerCallContext
    ) -> Task | None:
        """Give the next task."""
        assert context is CONTEXT
        self.params.append(params)
        found = next(self._tasks, GONE)
        if isinstance(found, Exception):
            raise found
        return found

    async def on_subscribe_to_task(
        self, params: SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Give the events."""
        assert context is CONTEXT
        self.params.append(params)
        for event in self._told:
            if isinstance(event, Exception):
                raise event
            yield event


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For how long it was waited between two reads; nobody waits here."""
    found: list[float] = []

    async def sleep(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return found


def task(state: TaskState, second: int = 1) -> Task:
    """Make the task as it is in a second."""
    made = Task(id="t", context_id="c", status=TaskStatus(state=state))
    made.status.timestamp.FromSeconds(second)
    made.history.extend(Message(message_id=name) for name in ("one", "two"))
    return made


def update(state: TaskState, second: int = 1) -> TaskStatusUpdateEvent:
    """Make an update to that."""
    return TaskStatusUpdateEvent(task_id="t", status=task(state, second).status)


def following(
    inner: RequestHandler,
    *,
    before: Task | None = None,
    is_over: bool = True,
    configuration: SendMessageConfiguration | None = None,
) -> Following:
    """Follow a run."""
    run = MessageRun(b"key", b"digest", task_id="t")
    run.before = hashed(before.status) if before else b""
    run.ended_at = 1.0 if is_over else None
    return Following(inner, run, configuration or SendMessageConfiguration(), CONTEXT)


async def told(it: Following) -> list[Event]:
    """Give all its events."""
    return [event async for event in it.events()]


@pytest.mark.parametrize("state", [DONE, PAUSED])
async def test_a_task_at_its_end_is_given_as_it_is(state: TaskState) -> None:
    """Nothing else is asked for."""
    for is_streamed in (False, True):
        inner = Handler([task(state)], [])
        it = following(inner)

        assert (await told(it) if is_streamed else [await it.task()]) == [task(state)]
        assert inner.params == [GetTaskRequest(id="t")]


@pytest.mark.parametrize(
    ("first", "before", "is_over"),
    [
        (task(WORKING), None, True),
        (task(PAUSED), None, False),
        (task(PAUSED), task(PAUSED), True),
    ],
    ids=range(3),
)
async def test_a_task_that_goes_on_is_waited_for(
    first: Task, before: Task | None, *, is_over: bool
) -> None:
    """Also one whose pause the run has answered."""
    inner = Handler([first, task(DONE)], [ARTIFACT, update(DONE), ARTIFACT])
    it = following(inner, before=before, is_over=is_over)

    assert await it.task() == task(DONE)

    read = GetTaskRequest(id="t")
    assert inner.params == [read, SubscribeToTaskRequest(id="t"), read]
    inner = Handler([first], [first, ARTIFACT, update(DONE), ARTIFACT])
    it = following(inner, before=before, is_over=is_over)
    assert await told(it) == [first, ARTIFACT, update(DONE)]


async def test_who_does_not_wait_gets_it_as_it_is() -> None:
    """At once."""
    at_once = SendMessageConfiguration(return_immediately=True)
    inner = Handler([task(WORKING)], [])

    assert await following(inner, configuration=at_once).task() == task(WORKING)


@pytest.mark.parametrize(
    "events",
    [[], [ARTIFACT], [UnsupportedOperationError()], [update(WORKING)]],
    ids=range(4),
)
async def test_an_end_that_the_stream_does_not_tell_is_read(
    events: list[Event | Exception],
) -> None:
    """As of a cancel, or when it has ended in the meantime."""
    inner = Handler([task(WORKING), task(DONE)], events)

    said = [each for each in events if not isinstance(each, Exception)]
    assert await told(following(inner)) == [*said, task(DONE)]
    inner = Handler([task(WORKING), task(DONE)], events)
    assert await following(inner).task() == task(DONE)


@pytest.mark.parametrize(
    ("length", "names"), [(None, ["one", "two"]), (1, ["two"]), (0, [])]
)
async def test_a_task_has_as_much_history_as_is_asked_for(
    length: int | None, names: list[str]
) -> None:
    """Read or streamed."""
    asked = SendMessageConfiguration(history_length=length)
    inner = Handler([task(WORKING)], [task(WORKING), update(DONE)])

    first, last = await told(following(inner, configuration=asked))

    assert isinstance(first, Task)
    assert [each.message_id for each in first.history] == names
    assert last == update(DONE)
    assert inner.params[0] == GetTaskRequest(id="t", history_length=length)


async def test_a_task_that_is_not_stored_yet_is_looked_for(waits: list[float]) -> None:
    """A hundred times, for a second in all."""
    late = Handler([GONE, None, task(DONE)], [])

    assert await following(late).task() == task(DONE)

    assert waits == [0.01, 0.01]
    for is_streamed in (False, True):
        gone = Handler([], [])
        with pytest.raises(TaskNotFoundError):
            await (told(following(gone)) if is_streamed else following(gone).task())
        assert len(gone.params) == 100
