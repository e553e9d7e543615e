"""A reply to a paused task is let in once: from its caller, in time, in form."""

import time
from inspect import signature

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import (
    Message,
    Part,
    Role,
    SendMessageRequest,
    Task,
    TaskState,
    TaskStatus,
)
from google.protobuf.json_format import ParseDict

from runtime.recipes.inbound.paused_task_guard import PausedTaskGuard
from runtime.seams.exchange import Exchange, exchange_of
from runtime.seams.rejection import Rejected
from runtime.seams.request import Outcome, OutcomeKind, RequestFacts

from .scripted import request_context

pytestmark = pytest.mark.anyio

WAITS = TaskState.TASK_STATE_INPUT_REQUIRED
RUNNING = (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING)
NOW = 1_000_000


class Clock:
    """Shows the time that a test sets."""

    now: float = NOW


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands still."""
    made = Clock()
    monkeypatch.setattr(time, "time", lambda: made.now)
    return made


def paused(task_id: str = "task", state: TaskState = WAITS) -> Task:
    """Make a task that waits since now."""
    task = Task(id=task_id, status=TaskStatus(state=state))
    task.status.timestamp.FromSeconds(NOW)
    return task


def answer(call_id: str, kind: str = "function_response", **more: object) -> Part:
    """Make what ADK takes for the answer to a call."""
    metadata = {"adk_type": kind, **more}
    return ParseDict({"data": {"id": call_id}, "metadata": metadata}, Part())


def reply(task: Task, *calls: str, caller: str | None = None) -> RequestContext:
    """Answer calls of a task, or say something if there are none."""
    parts = [answer(each) for each in calls] or [Part(text="yes")]
    message = Message(message_id="m", task_id=task.id, role=Role.ROLE_USER, parts=parts)
    sent = SendMessageRequest(message=message)
    context = RequestContext(ServerCallContext(), sent, task_id=task.id, task=task)
    Exchange(RequestFacts(task_id=task.id, caller=caller)).go_with(context)
    return context


async def ended(
    guard: PausedTaskGuard,
    kind: OutcomeKind,
    it: RequestContext,
    *,
    started: bool = True,
) -> None:
    """Let a request end, in its run or on its way in."""
    exchange = exchange_of(it)
    exchange.started = started
    with exchange.entered():
        await guard.on_exit(Outcome(kind=kind, request=exchange.facts))


async def refusal(guard: PausedTaskGuard, context: RequestContext) -> tuple[str, str]:
    """Give why a reply is refused, for programs and for people; nothing if it isn't."""
    try:
        assert await guard.before_agent(context) is context
    except Rejected as refused:
        return refused.reason, str(refused)
    return "", ""


async def test_a_new_message_is_let_in() -> None:
    """However often it comes."""
    guard, context = PausedTaskGuard(), request_context()

    assert [await refusal(guard, context) for _ in range(2)] == [("", "")] * 2


@pytest.mark.parametrize("state", [WAITS, TaskState.TASK_STATE_AUTH_REQUIRED])
async def test_a_text_is_no_answer(state: TaskState) -> None:
    """Unless it is taken for one."""
    text = reply(paused(state=state))
    said = "answer the function call with its function response"
    told = ("function_response_required", said)
    assert await refusal(PausedTaskGuard(), text) == told
    assert await refusal(PausedTaskGuard(accept_text=True), text) == ("", "")


@pytest.mark.parametrize("state", RUNNING)
async def test_a_running_task_takes_no_reply(state: TaskState) -> None:
    """Nothing is kept of it for later."""
    guard = PausedTaskGuard()
    told = ("task_is_running", "the task waits for nothing yet")

    assert await refusal(guard, reply(paused(state=state))) == told
    assert await refusal(guard, reply(paused(state=state), "one")) == told
    assert await refusal(guard, reply(paused(), "one")) == ("", "")


async def test_an_answer_counts_once() -> None:
    """Of each task, also within one message, and after a restart."""
    guard, told = PausedTaskGuard(), ("already_answered", "this was answered before")

    assert await refusal(guard, reply(paused(), "one", "two")) == ("", "")
    assert await refusal(guard, reply(paused(), "two")) == told
    assert await refusal(guard, reply(paused(), "three", "one")) == told
    assert await refusal(guard, reply(paused("other"), "three", "four", "four")) == told
    assert await refusal(guard, reply(paused("other"), "one")) == ("", "")
    task = paused()
    task.history.append(Message(role=Role.ROLE_USER, parts=[answer("one")]))
    assert await refusal(PausedTaskGuard(), reply(task, "one")) == told
    assert await refusal(PausedTaskGuard(), reply(task, "two")) == ("", "")


async def test_only_what_was_asked_is_answered() -> None:
    """Where it can be told."""
    task = paused()
    call = answer("one", "function_call", adk_is_long_running=True)
    task.status.message.CopyFrom(Message(role=Role.ROLE_AGENT, parts=[call]))

    assert await refusal(PausedTaskGuard(), reply(task, "one")) == ("", "")
    told = ("unknown_function_response", "no such call was made")
    assert await refusal(PausedTaskGuard(), reply(task, "one", "two")) == told


@pytest.mark.parametrize(
    ("kind", "started", "is_free"),
    [
        ("rejected", False, True),
        ("never_started", False, True),
        ("failed", False, True),
        ("canceled", False, True),
        ("shut_down", False, True),
        ("failed", True, False),
        ("canceled", True, False),
        ("completed", True, False),
    ],
)
async def test_an_answer_that_reached_no_agent_is_free_again(
    kind: OutcomeKind, *, started: bool, is_free: bool
) -> None:
    """But not by the end of another request."""
    guard = PausedTaskGuard()
    first, replay = (reply(paused(), "one") for _ in range(2))
    await guard.before_agent(first)

    await ended(guard, kind, replay, started=started)
    assert (await refusal(guard, replay))[0] == "already_answered"
    await ended(guard, kind, first, started=started)

    assert (await refusal(guard, replay) == ("", "")) is is_free


@pytest.mark.parametrize(
    ("starter", "other"), [("ann", "bob"), ("ann", None), (None, "ann")]
)
async def test_another_caller_may_not_answer(
    starter: str | None, other: str | None
) -> None:
    """Until the task has ended."""
    guard, task = PausedTaskGuard(), paused()
    await ended(guard, "paused", reply(task, caller=starter))

    told = ("wrong_caller", "another caller's task")
    assert await refusal(guard, reply(task, "one", caller=other)) == told
    assert await refusal(guard, reply(task, "one", caller=starter)) == ("", "")
    await ended(guard, "completed", reply(task, caller=starter))
    assert await refusal(guard, reply(task, "two", caller=other)) == ("", "")


async def test_a_task_waits_for_its_time(clock: Clock) -> None:
    """A mere text gives it no more; an answer does."""
    guard, task = PausedTaskGuard(accept_text=True, expires_after_s=60), paused()
    late = ("pause_expired", "the task waited for too long")
    await ended(guard, "paused", reply(task))
    clock.now += 60
    assert await refusal(guard, reply(task)) == ("", "")
    await ended(guard, "paused", reply(task))
    clock.now += 1
    assert await refusal(guard, reply(task)) == late
    clock.now -= 1
    answered = reply(task, "one")
    assert await refusal(guard, answered) == ("", "")
    await ended(guard, "paused", answered)
    clock.now += 60
    assert await refusal(guard, reply(task)) == ("", "")


@pytest.mark.parametrize(
    ("ahead", "is_late"), [(59.5, False), (60, False), (60.5, True)]
)
async def test_after_a_restart_the_status_counts(
    clock: Clock, ahead: float, *, is_late: bool
) -> None:
    """One without a time has expired."""
    guard, task = PausedTaskGuard(expires_after_s=60), paused()
    clock.now += ahead

    assert (await refusal(guard, reply(task, "one")) != ("", "")) is is_late
    task.status.ClearField("timestamp")
    assert (await refusal(guard, reply(task, "two")))[0] == "pause_expired"
    assert await refusal(PausedTaskGuard(), reply(task, "one")) == ("", "")


async def test_memory_has_a_limit() -> None:
    """The oldest goes first."""
    guard, tasks = PausedTaskGuard(remembered=2), [paused(str(n)) for n in range(3)]
    for task in tasks:
        await guard.before_agent(reply(task, "one"))
        await ended(guard, "paused", reply(task, caller="ann"))

    for task in tasks[1:]:
        again, other = reply(task, "one", caller="ann"), reply(task, "two")
        assert (await refusal(guard, again))[0] == "already_answered"
        assert (await refusal(guard, other))[0] == "wrong_caller"
    assert await refusal(guard, reply(tasks[0], "one")) == ("", "")
    small, both = PausedTaskGuard(remembered=1), reply(tasks[0], "one", "two")
    await ended(small, "rejected", await small.before_agent(both))


def test_numbers_are_above_zero() -> None:
    """None means no end."""
    PausedTaskGuard(expires_after_s=0.5, remembered=1)
    said = "^expires_after_s and remembered must be above zero$"
    for seconds, remembered in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match=said):
            PausedTaskGuard(expires_after_s=seconds, remembered=remembered)
    assert signature(PausedTaskGuard).parameters["remembered"].default == 10_000
