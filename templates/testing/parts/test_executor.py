"""A request is settled as it ended, and then its caller hears of it."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.types import Task, TaskState, TaskStatus, TaskStatusUpdateEvent
from a2a.utils.errors import InvalidRequestError
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.runners import InMemoryRunner

from runtime.boundary.executor import BoundaryExecutor
from runtime.boundary.policy import Policy
from runtime.boundary.safe_errors import SafeErrors
from runtime.seams.chain import guarded
from runtime.seams.exchange import exchange_of
from runtime.seams.rejection import Rejected

from .around import Around
from .scripted import ScriptedAgent, request_context

pytestmark = pytest.mark.anyio

DONE = TaskState.TASK_STATE_COMPLETED
PAUSED = TaskState.TASK_STATE_INPUT_REQUIRED
FAILED = TaskState.TASK_STATE_FAILED, "It failed."
LAST = {"completed": (DONE, ""), "paused": (PAUSED, "")}
SAID = {
    "deadline_exceeded": "deadline_exceeded: no end within 0.05 s in all",
    "empty_result": "empty_result: the run produced nothing",
}
EMPTY: dict[str, object] = {"lines": ()}
FAILS = Policy(empty_result="fail")
LATE = Policy(deadline_s=0.05)
SAYS = Policy(empty_result="text", empty_text="Nothing.")


def runner(**script: object) -> InMemoryRunner:
    """Make an agent with a script, and what runs it."""
    agent = ScriptedAgent.model_validate({"name": "scripted", **script})
    return InMemoryRunner(agent=agent, app_name="scripted")


def executor(
    around: Around, policy: Policy | None = None, **script: object
) -> BoundaryExecutor:
    """Run an agent with a script."""
    errors = guarded("errors", SafeErrors(message="It failed."))
    return BoundaryExecutor(
        runner=runner(**script),
        interceptors=[errors, guarded("around", around)],
        policy=policy,
    )


async def ran(
    script: dict[str, object],
    policy: Policy | None = None,
    around: Around | None = None,
) -> Around:
    """Give what one run made of it."""
    around = around or Around()
    await executor(around, policy, **script).execute(request_context(), around)
    return around


@pytest.mark.parametrize(
    ("script", "policy", "ended"),
    [
        ({}, FAILS, "completed None NoneType"),
        (EMPTY, None, "completed None NoneType"),
        (EMPTY, FAILS, "failed empty_result NoneType"),
        ({"pauses": True}, FAILS, "paused None NoneType"),
        ({"raises": "secret"}, FAILS, "failed internal_error ConnectionError"),
        (EMPTY | {"reports": "secret"}, FAILS, "failed agent_error NoneType"),
        ({"waits": True}, LATE, "timed_out deadline_exceeded NoneType"),
    ],
    ids=range(7),
)
async def test_it_is_settled_before_its_last_status_leaves(
    caplog: pytest.LogCaptureFixture,
    script: dict[str, object],
    policy: Policy | None,
    ended: str,
) -> None:
    """As what the caller then hears of; nothing of the run goes on."""
    before = asyncio.all_tasks()
    around = await ran(script, policy)

    kind, code, _ = ended.split()
    assert (around.ended, around.last) == ([ended], LAST.get(kind, FAILED))
    ((outcome, left),) = around.outcomes
    assert left == len(around.events) - 1
    assert all(each.started for each in around.seen)
    assert all(each.facts is outcome.request for each in around.seen)
    assert SAID.get(code, "") in caplog.text
    assert asyncio.all_tasks() == before


async def test_a_text_stands_in_for_nothing() -> None:
    """If it can't leave, the task fails."""
    around, spoken = await ran(EMPTY, SAYS), await ran({}, SAYS)
    broken = await ran(EMPTY, SAYS, Around(holds="artifact_id"))

    assert around.ended == ["completed None NoneType"]
    assert 'text: "Nothing."' in str(around.events[-2])
    assert "Nothing." not in str(spoken.events)
    assert broken.ended == ["failed internal_error ConnectionError"]
    assert broken.last == FAILED


async def test_a_refusal_answers_the_request() -> None:
    """Nothing leaves, so nothing is stored."""
    ours = Around(refuses=Rejected("not_you"))
    of_sdk = Around(refuses=InvalidRequestError())
    for around in (ours, of_sdk):
        with pytest.raises(InvalidRequestError):
            await executor(around).execute(request_context(), around)
        assert around.events == []

    assert ours.ended == ["rejected not_you Rejected"]
    assert of_sdk.ended == ["rejected None InvalidRequestError"]


@pytest.mark.parametrize("error", [ConnectionError("a"), asyncio.CancelledError()])
async def test_what_else_is_raised_fails_the_task(error: BaseException) -> None:
    """A cancellation that nobody asked for, and a refusal that comes late."""
    around = await ran({}, around=Around(refuses=error))
    late = await ran({}, around=Around(breaks=Rejected("late", message="Too late.")))

    assert around.ended == [f"failed internal_error {type(error).__name__}"]
    assert around.last == FAILED
    assert late.ended == ["rejected late Rejected"]
    assert late.last == (FAILED[0], "Too late.")


async def test_a_task_that_has_ended_does_not_go_on() -> None:
    """The SDK may hand over a message that comes just then."""
    made = executor(around := Around())
    settled, done, paused = (request_context() for _ in range(3))
    await made.ledger.settle(exchange_of(settled), "canceled")
    done.current_task = Task(status=TaskStatus(state=DONE))
    paused.current_task = Task(status=TaskStatus(state=PAUSED))

    await made.execute(settled, around)
    await made.execute(done, around)
    assert around.events == []
    await made.execute(paused, around)

    kinds = [each.kind for each, _ in around.outcomes]
    assert kinds == ["canceled", "never_started", "completed"]


@pytest.mark.parametrize("kind", ["canceled", "shut_down"])
async def test_a_run_is_canceled_or_shut_down(kind: str) -> None:
    """The SDK cancels it when the canceled status has left, which is one of its own."""
    around, context = Around(), request_context()
    made = executor(around, waits=True)
    run = asyncio.ensure_future(made.execute(context, around))
    await asyncio.wait_for(around.begun.wait(), 9)
    if kind == "canceled":
        asked = RequestContext(ServerCallContext(), task_id=context.task_id)
        await made.cancel(asked, around)
        assert around.last == (TaskState.TASK_STATE_CANCELED, "")
        assert around.seen[-1] is exchange_of(context)
    run.cancel()

    with pytest.raises(asyncio.CancelledError):
        await run
    assert around.ended == [f"{kind} None NoneType"]


async def test_a_cancel_that_cannot_be_sent_is_told_as_a_failure() -> None:
    """With the correlation id of its own request, if no run is there."""
    around = Around(holds="TASK_STATE_CANCELED")
    asked = RequestContext(ServerCallContext(), task_id="other")
    await executor(around).cancel(asked, around)

    assert around.last == FAILED
    assert exchange_of(asked).facts.correlation_id in str(around.events[-1])


@pytest.mark.parametrize(
    ("make", "is_new"),
    [
        (BoundaryExecutor, False),
        (partial(BoundaryExecutor, force_new_version=True), True),
        (partial(BoundaryExecutor, force_new_version=True, use_legacy=True), False),
    ],
    ids=range(3),
)
async def test_adk_is_told_which_implementation_to_take(
    make: Callable[..., BoundaryExecutor], *, is_new: bool
) -> None:
    """By default the caller chooses. A failure has the message that is everybody's."""
    around, made = Around(), make(runner=runner(raises="secret"))
    await made.execute(request_context(), around)

    assert ("adk_agent_executor_v2" in str(around.events)) is is_new
    assert around.last == (FAILED[0], SafeErrors().message)


async def test_a_run_may_pause_without_a_text() -> None:
    """That isn't a run without a result."""

    def pause(*_: object) -> list[Event]:
        return [TaskStatusUpdateEvent(status=TaskStatus(state=PAUSED))]

    config = A2aAgentExecutorConfig(event_converter=pause)
    made = BoundaryExecutor(runner=runner(), config=config, policy=FAILS)
    await made.execute(request_context(), around := Around())

    assert around.last == (PAUSED, "")
