import asyncio
import time
from collections.abc import AsyncGenerator

import pytest
from a2a.types import Message, Part, Role, Task, TaskState, TaskStatus
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.protobuf.json_format import ParseDict
from tests.runtime.messages import (
    PINS,
    Verified,
    answer_to,
    asks_twice,
    call_context,
    message_context,
    reason,
    reply,
    send,
)
from tests.runtime.serving import Setup, served

from runtime.recipes.inbound.paused_task_guard import PausedTaskGuard
from runtime.seams.exchange import exchange_of
from runtime.seams.interceptor import BeforeAgent, OnExit, RequestContext
from runtime.seams.rejection import Rejected
from runtime.seams.request import Outcome, OutcomeKind, RequestFacts
from testing.harness import Caller, Reply

pytestmark = [pytest.mark.service, pytest.mark.anyio]


async def _state(caller: Caller, paused: Reply) -> str | None:
    return (await caller.call("GetTask", {"id": paused.task_id})).state


@pytest.mark.parametrize("pin", PINS)
async def test_a_text_is_refused_and_the_task_waits_on(pin: str) -> None:
    hooks: dict[str, object] = {"guard": PausedTaskGuard()}
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as caller:
        paused = await send(caller, context_id="c")
        text = await reply(caller, paused)
        waits = await _state(caller, paused)
        answered = await reply(caller, paused, answer_to("call-1"))

    assert paused.state == waits == "input-required"
    assert reason(text) == "function_response_required"
    assert answered.error is None
    assert "call-2" in str(answered.answers)


@pytest.mark.parametrize("pin", PINS)
async def test_an_answer_counts_once(pin: str) -> None:
    hooks: dict[str, object] = {"guard": PausedTaskGuard()}
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as caller:
        paused = await send(caller, context_id="c")
        first = await reply(caller, paused, answer_to("call-1"))
        again = await reply(caller, paused, answer_to("call-1"))
        waits = await _state(caller, paused)
        second = await reply(caller, paused, answer_to("call-2"))
        late = await reply(caller, paused, answer_to("call-2"))

    assert first.state == waits == "input-required"
    assert reason(again) == reason(late) == "already_answered"
    assert second.state == "completed"


@pytest.mark.parametrize("pin", PINS)
async def test_a_replay_is_refused_while_the_answer_is_worked_on(pin: str) -> None:
    runs, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def slow(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        if len(ctx.session.events) > 1:
            runs.release()
            await go_on.wait()
        async for event in asks_twice(ctx):
            yield event

    hooks: dict[str, object] = {"guard": PausedTaskGuard()}
    async with served(Setup(script=slow, hooks=hooks, pin=pin)) as caller:
        paused = await send(caller, context_id="c")
        first = asyncio.create_task(reply(caller, paused, answer_to("call-1")))
        await runs.acquire()
        again = await reply(caller, paused, answer_to("call-1"))
        go_on.set()
        done = await first

    assert reason(again) == "already_answered"
    assert done.state == "input-required"
    assert runs.locked()


class Ended(OnExit):
    """Tells when a run has ended."""

    def __init__(self) -> None:
        """Begin with none."""
        self.event = asyncio.Event()

    async def on_exit(self, outcome: Outcome) -> None:
        """Tell it."""
        if outcome.kind == "paused":
            self.event.set()


@pytest.mark.parametrize("pin", PINS)
async def test_nothing_is_kept_for_a_pause_that_is_yet_to_come(pin: str) -> None:
    """The SDK hands a message to a running task over once that is paused."""
    runs, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def slow(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        runs.release()
        await go_on.wait()
        async for event in asks_twice(ctx):
            yield event

    ended = Ended()
    hooks: dict[str, object] = {"guard": PausedTaskGuard(), "ended": ended}
    async with served(Setup(script=slow, hooks=hooks, pin=pin)) as caller:
        started = await caller.send("hello", wait=False)
        await runs.acquire()
        async with asyncio.timeout(10):
            text = await reply(caller, started)
            guess = await reply(caller, started, answer_to("call-1"))
        go_on.set()
        await ended.event.wait()

    assert reason(text) == reason(guess) == "task_is_running"
    assert runs.locked()


class Clock:
    """The time, which a test sets on."""

    def __init__(self) -> None:
        """Begin now."""
        self.ahead = 0.0

    def __call__(self) -> float:
        """Tell it."""
        return time.monotonic() + self._offset + self.ahead

    _offset = time.time() - time.monotonic()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time, "time", made)
    return made


@pytest.mark.parametrize("pin", PINS)
async def test_a_task_that_waited_for_too_long_takes_no_reply(
    pin: str, clock: Clock
) -> None:
    hooks: dict[str, object] = {"guard": PausedTaskGuard(expires_after_s=60)}
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as caller:
        paused = await send(caller, context_id="c")
        clock.ahead = 61
        late = await reply(caller, paused, answer_to("call-1"))
        waits = await _state(caller, paused)

    assert reason(late) == "pause_expired"
    assert waits == "input-required"


@pytest.mark.parametrize("pin", PINS)
async def test_the_next_pause_has_its_own_time(pin: str, clock: Clock) -> None:
    hooks: dict[str, object] = {"guard": PausedTaskGuard(expires_after_s=60)}
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as caller:
        paused = await send(caller, context_id="c")
        clock.ahead = 50
        first = await reply(caller, paused, answer_to("call-1"))
        clock.ahead = 100
        second = await reply(caller, paused, answer_to("call-2"))

    assert (first.state, second.state) == ("input-required", "completed")


@pytest.mark.parametrize("pin", PINS)
async def test_a_text_can_be_let_in_and_gives_no_more_time(
    pin: str, clock: Clock
) -> None:
    guard = PausedTaskGuard(accept_text=True, expires_after_s=60)
    setup = Setup(script=asks_twice, hooks={"guard": guard}, pin=pin)
    async with served(setup) as caller:
        paused = await send(caller, context_id="c")
        clock.ahead = 50
        text = await reply(caller, paused)
        clock.ahead = 70
        late = await reply(caller, paused, answer_to("call-1"))

    assert text.state == "input-required"
    # The legacy implementation runs the agent with the text, the new one asks again.
    assert ("call-2" in str(text.answers)) == (pin == "legacy")
    assert reason(late) == "pause_expired"


@pytest.mark.parametrize("pin", PINS)
async def test_an_answer_to_what_was_not_asked_is_refused(pin: str) -> None:
    hooks: dict[str, object] = {"guard": PausedTaskGuard()}
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as caller:
        paused = await send(caller, context_id="c")
        other = await reply(caller, paused, answer_to("call-7"))
        twice = await reply(caller, paused, answer_to("call-1"), answer_to("call-1"))
        waits = await _state(caller, paused)

    assert reason(other) == "unknown_function_response"
    assert reason(twice) == "already_answered"
    assert waits == "input-required"


class StopsOnce(BeforeAgent):
    """Refuses the first reply, or fails at it."""

    def __init__(self, error: Exception) -> None:
        self.errors = [error]

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Raise it."""
        if context.current_task is not None and self.errors:
            raise self.errors.pop()
        return context


@pytest.mark.parametrize("pin", PINS)
@pytest.mark.parametrize(
    ("error", "told"),
    [(Rejected("not_now"), "not_now"), (ConnectionError(), "internal_error")],
)
async def test_an_answer_that_reached_no_agent_can_be_sent_again(
    pin: str, error: Exception, told: str
) -> None:
    """D1-02: as when a quota after the guard refuses it, or its store is down."""
    hooks: dict[str, object] = {"guard": PausedTaskGuard(), "quota": StopsOnce(error)}
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as caller:
        paused = await send(caller, context_id="c")
        refused = await reply(caller, paused, answer_to("call-1"))
        waits = await _state(caller, paused)
        again = await reply(caller, paused, answer_to("call-1"))

    assert reason(refused) == told
    assert waits == "input-required"
    assert "call-2" in str(again.answers)


@pytest.mark.parametrize("kind", ["rejected", "never_started"])
async def test_only_what_its_own_request_claimed_is_given_back(
    kind: OutcomeKind,
) -> None:
    guard = PausedTaskGuard()
    task = _paused_task()
    first, replay = _reply(task), _reply(task)
    await guard.before_agent(first)
    with pytest.raises(Rejected, match="before"):
        await guard.before_agent(replay)
    await guard.on_exit(Outcome(kind=kind, request=exchange_of(replay).facts))
    with pytest.raises(Rejected, match="before"):
        await guard.before_agent(replay)
    await guard.on_exit(Outcome(kind=kind, request=exchange_of(first).facts))
    await guard.before_agent(replay)


@pytest.mark.parametrize(
    ("starter", "replier", "let_in"),
    [("u1", "u1", True), ("u1", "u2", False), ("u1", None, False), (None, "u1", False)],
)
async def test_another_caller_may_not_answer(
    starter: str | None, replier: str | None, *, let_in: bool
) -> None:
    """Where the task store doesn't hide the task already."""
    guard, task = PausedTaskGuard(), _paused_task()
    facts = RequestFacts(
        correlation_id="1", task_id=task.id, context_id="c", caller=starter
    )
    await guard.on_exit(Outcome(kind="paused", request=facts))
    context = _reply(task, caller=replier)
    if let_in:
        await guard.before_agent(context)
        return
    with pytest.raises(Rejected) as refused:
        await guard.before_agent(context)
    assert refused.value.reason == "wrong_caller"


async def test_a_new_guard_finds_answers_in_the_history() -> None:
    """As after a restart."""
    task = _paused_task()
    message = Message(role=Role.ROLE_USER, message_id="1", parts=[_part("call-1")])
    task.history.append(message)
    with pytest.raises(Rejected) as refused:
        await PausedTaskGuard().before_agent(_reply(task))
    assert refused.value.reason == "already_answered"


async def test_what_was_asked_before_can_be_answered() -> None:
    """As when an agent asks twice, or asks again after a text."""
    task = _paused_task()
    before, now = (
        Message(role=Role.ROLE_AGENT, message_id=call_id, parts=[_question(call_id)])
        for call_id in ("call-1", "call-2")
    )
    task.history.append(before)
    task.status.message.CopyFrom(now)
    await PausedTaskGuard().before_agent(_reply(task))
    del task.history[:]
    with pytest.raises(Rejected, match="no such call"):
        await PausedTaskGuard().before_agent(_reply(task))


async def test_a_new_guard_counts_from_the_status() -> None:
    """As after a restart; a status without a time has expired."""
    task = _paused_task()
    guard = PausedTaskGuard(expires_after_s=60)
    task.status.timestamp.FromSeconds(int(time.time()) - 50)
    await guard.before_agent(_reply(task))
    for since in (int(time.time()) - 70, 0):
        task.status.timestamp.FromSeconds(since)
        with pytest.raises(Rejected) as refused:
            await guard.before_agent(_reply(task))
        assert refused.value.reason == "pause_expired"


async def test_memory_has_a_limit() -> None:
    guard = PausedTaskGuard(remembered=3)
    tasks = [_paused_task(f"task-{number}") for number in range(4)]
    for task in tasks:
        await guard.before_agent(_reply(task))
    for task in tasks[1:]:
        with pytest.raises(Rejected, match="before"):
            await guard.before_agent(_reply(task))
    await guard.before_agent(_reply(tasks[0]))


async def test_the_end_of_a_task_is_forgotten() -> None:
    guard, task = PausedTaskGuard(), _paused_task()
    facts = exchange_of(_reply(task, caller="u1")).facts
    await guard.on_exit(Outcome(kind="paused", request=facts))
    await guard.on_exit(Outcome(kind="completed", request=facts))
    await guard.before_agent(_reply(task, caller="u2"))


async def test_new_messages_are_let_in() -> None:
    context = message_context(Part(text="hello"))
    assert await PausedTaskGuard().before_agent(context) is context


@pytest.mark.parametrize("numbers", [{"expires_after_s": 0}, {"remembered": 0}])
def test_numbers_are_above_zero(numbers: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        PausedTaskGuard(
            expires_after_s=numbers.get("expires_after_s"),
            remembered=numbers.get("remembered", 1),
        )


def _paused_task(task_id: str = "task") -> Task:
    return Task(
        id=task_id,
        context_id="c",
        status=TaskStatus(state=TaskState.TASK_STATE_INPUT_REQUIRED),
    )


def _part(call_id: str) -> Part:
    return ParseDict(answer_to(call_id), Part())


def _question(call_id: str) -> Part:
    metadata = {"adk_type": "function_call", "adk_is_long_running": True}
    return ParseDict({"data": {"id": call_id}, "metadata": metadata}, Part())


def _reply(task: Task, *, caller: str | None = None) -> RequestContext:
    user = None if caller is None else Verified(caller)
    return message_context(_part("call-1"), task=task, call=call_context(user=user))
