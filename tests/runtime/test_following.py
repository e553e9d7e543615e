from collections.abc import AsyncGenerator, Sequence
from unittest.mock import AsyncMock, Mock

import pytest
from a2a.server.events import Event
from a2a.server.request_handlers import RequestHandler
from a2a.types import (
    SendMessageConfiguration,
    Task,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from a2a.utils.errors import TaskNotFoundError, UnsupportedOperationError
from tests.runtime.messages import call_context

from runtime.recipes.inbound.following import Following
from runtime.recipes.inbound.remembered import MessageRun, hashed

pytestmark = [pytest.mark.service, pytest.mark.anyio]

WORKING, PAUSED, DONE = (
    TaskState.TASK_STATE_WORKING,
    TaskState.TASK_STATE_INPUT_REQUIRED,
    TaskState.TASK_STATE_COMPLETED,
)


def status(state: TaskState, second: int) -> TaskStatus:
    made = TaskStatus(state=state)
    made.timestamp.FromSeconds(second)
    return made


def task(state: TaskState, second: int = 1) -> Task:
    return Task(id="t", context_id="c", status=status(state, second))


def update(state: TaskState, second: int = 1) -> TaskStatusUpdateEvent:
    return TaskStatusUpdateEvent(
        task_id="t", context_id="c", status=status(state, second)
    )


def following(
    tasks: Sequence[Task | Exception],
    events: Sequence[Event | Exception] = (),
    *,
    before: TaskStatus | None = None,
    ended: bool = True,
) -> Following:
    """Follow a run whose task is read as these, and streamed as those."""

    async def subscribe(*_: object) -> AsyncGenerator[Event, None]:
        for event in events:
            if isinstance(event, Exception):
                raise event
            yield event

    inner = Mock(spec=RequestHandler)
    inner.on_get_task = AsyncMock(side_effect=list(tasks))
    inner.on_subscribe_to_task = subscribe
    run = MessageRun(b"key", b"digest", task_id="t")
    run.before = hashed(before) if before else b""
    run.ended_at = 1.0 if ended else None
    return Following(inner, run, SendMessageConfiguration(), call_context())


async def told(it: Following) -> list[Event]:
    return [event async for event in it.events()]


async def test_a_question_that_the_run_asked_is_its_end() -> None:
    assert await following([task(PAUSED)]).task() == task(PAUSED)
    assert await told(following([task(PAUSED)])) == [task(PAUSED)]


async def test_the_question_that_the_run_answered_is_not() -> None:
    """The store may be behind: the run has ended, and its end isn't stored yet."""
    old = task(PAUSED)
    events: list[Event] = [old, update(WORKING, 2), update(PAUSED, 3), update(DONE, 4)]
    new = task(PAUSED, 3)

    unary = following([old, new], events, before=old.status)
    stream = following([old], events, before=old.status)

    assert await unary.task() == new
    assert await told(stream) == events[:3]


async def test_a_question_while_the_run_lasts_is_not_its_end() -> None:
    events: list[Event] = [task(PAUSED), update(DONE, 2)]
    it = following([task(PAUSED), task(DONE, 2)], events, ended=False)
    assert await it.task() == task(DONE, 2)


async def test_an_end_that_the_stream_leaves_out_is_read() -> None:
    it = following([task(WORKING), task(DONE, 2)], [task(WORKING)])
    assert await told(it) == [task(WORKING), task(DONE, 2)]


async def test_what_ends_before_it_can_be_followed_is_read() -> None:
    gone = UnsupportedOperationError()
    unary = following([task(WORKING), task(DONE, 2)], [gone])
    stream = following([task(WORKING), task(DONE, 2)], [gone])
    assert await unary.task() == task(DONE, 2)
    assert await told(stream) == [task(DONE, 2)]


async def test_a_task_that_is_about_to_be_stored_is_waited_for() -> None:
    missing = TaskNotFoundError()
    it = following([missing, missing, task(DONE)])
    assert await it.task() == task(DONE)


async def test_one_that_never_is_stored_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("runtime.recipes.inbound.following._TRIES", 2)
    with pytest.raises(TaskNotFoundError):
        await following([TaskNotFoundError(), TaskNotFoundError()]).task()
