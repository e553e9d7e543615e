"""Hooks that share a state, where a service's own tests can't reach."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import TypeVar, cast

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import TaskStatusUpdateEvent
from google.adk.a2a.executor.executor_context import ExecutorContext
from google.adk.events.event import Event as AdkEvent

from runtime.seams.chain import HookContractError, Interceptor
from runtime.seams.exchange import Exchange
from runtime.seams.interceptor import A2AEvent, EventResult
from runtime.seams.rejection import Rejected
from runtime.seams.request import Outcome, RequestFacts
from runtime.seams.stateful import (
    SharedState,
    StatefulAfterAgent,
    StatefulAfterEvent,
    StatefulBeforeAgent,
    StatefulOnExit,
)
from runtime.seams.stateful_chain import guarded_with_state

pytestmark = pytest.mark.service
ResultT = TypeVar("ResultT")


@dataclass(kw_only=True, slots=True)
class State(SharedState):
    """What the hooks below share."""

    steps: list[str] = field(default_factory=list[str])


class Quota(
    StatefulBeforeAgent[State],
    StatefulAfterEvent[State],
    StatefulAfterAgent[State],
    StatefulOnExit[State],
):
    """Writes down which of its hooks ran, and keeps the states."""

    def __init__(self) -> None:
        """Begin without a state."""
        self.states: list[State] = []

    def _step(self, name: str, state: State) -> None:
        state.steps.append(name)
        self.states.append(state)

    async def before_agent(
        self, context: RequestContext, state: State
    ) -> RequestContext:
        """Pass the context on."""
        self._step("before_agent", state)
        return context

    async def after_event(
        self,
        context: ExecutorContext,
        event: A2AEvent,
        adk_event: AdkEvent,
        state: State,
    ) -> EventResult:
        """Pass the event on."""
        self._step("after_event", state)
        return event

    async def after_agent(
        self,
        context: ExecutorContext,
        final_event: TaskStatusUpdateEvent,
        state: State,
    ) -> TaskStatusUpdateEvent:
        """Pass the status on."""
        self._step("after_agent", state)
        return final_event

    async def on_exit(self, outcome: Outcome, state: State) -> None:
        """Take note."""
        self._step("on_exit", state)


class Gatekeeper(StatefulBeforeAgent[State]):
    """Has one hook alone, and refuses."""

    async def before_agent(
        self, context: RequestContext, state: State
    ) -> RequestContext:
        """Refuse."""
        raise Rejected("closed")


FACTS = RequestFacts(correlation_id="1", task_id="task", context_id="context")
CONTEXT = RequestContext(ServerCallContext())
RUN = cast("ExecutorContext", None)
STATUS = TaskStatusUpdateEvent(task_id="task")


async def whole(made: Interceptor) -> None:
    """Call each hook, as one request does."""
    assert made.before_agent is not None
    assert made.after_event is not None
    assert made.after_agent is not None
    assert made.on_exit is not None
    assert await made.before_agent(CONTEXT) is CONTEXT
    assert await made.after_event(RUN, STATUS, AdkEvent(author="agent")) is STATUS
    assert await made.after_agent(RUN, STATUS) is STATUS
    await made.on_exit(Outcome(kind="completed", request=FACTS))


def in_exchange(call: Awaitable[ResultT], facts: RequestFacts = FACTS) -> ResultT:
    async def within() -> ResultT:
        with Exchange(facts).entered():
            return await call

    return asyncio.run(within())


def test_all_hooks_of_a_request_share_one_state() -> None:
    hooks = Quota()

    in_exchange(whole(guarded_with_state("quota", hooks, State)))

    first, *others = hooks.states
    assert all(state is first for state in others)
    assert first.steps == ["before_agent", "after_event", "after_agent", "on_exit"]
    assert first.request is FACTS


def test_each_request_has_a_state_of_its_own() -> None:
    hooks = Quota()
    made = guarded_with_state("quota", hooks, State)

    in_exchange(whole(made))
    in_exchange(whole(made), RequestFacts(task_id="other", context_id="context"))

    assert [state.request.task_id for state in hooks.states] == [
        *["task"] * 4,
        *["other"] * 4,
    ]
    assert len({id(state) for state in hooks.states}) == 2


def test_two_interceptors_share_nothing() -> None:
    one, other = Quota(), Quota()

    async def both() -> None:
        with Exchange(FACTS).entered():
            await whole(guarded_with_state("one", one, State))
            await whole(guarded_with_state("other", other, State))

    asyncio.run(both())

    assert one.states[0] is not other.states[0]


def test_what_the_object_lacks_is_no_hook() -> None:
    made = guarded_with_state("gatekeeper", Gatekeeper(), State)

    assert made.name == "gatekeeper"
    assert isinstance(made.hooks, Gatekeeper)
    assert made.before_agent is not None
    assert made.after_event is None
    assert made.after_agent is None
    assert made.on_exit is None


def test_a_refusal_goes_out_under_the_name_of_the_interceptor() -> None:
    made = guarded_with_state("gatekeeper", Gatekeeper(), State)
    assert made.before_agent is not None

    with pytest.raises(Rejected) as caught:
        in_exchange(made.before_agent(CONTEXT))

    assert caught.value.policy == "gatekeeper"


@pytest.mark.parametrize("hook", ["before_agent", "after_agent"])
def test_a_wrong_result_names_the_module_of_the_hook(
    monkeypatch: pytest.MonkeyPatch, hook: str
) -> None:
    async def nothing(*_: object) -> None:
        """Return None, where something is wanted."""

    monkeypatch.setattr(Quota, hook, nothing)
    made = guarded_with_state("quota", Quota(), State)
    file = __name__.replace(".", "/") + ".py"

    with pytest.raises(HookContractError) as caught:
        in_exchange(whole(made))

    assert f"interceptor 'quota': {hook} in {file} returned None" in str(caught.value)


@pytest.mark.parametrize(
    "hook", ["before_agent", "after_event", "after_agent", "on_exit"]
)
def test_a_hook_that_is_not_async_is_named(
    monkeypatch: pytest.MonkeyPatch, hook: str
) -> None:
    def at_once(*_: object) -> None:
        """Return at once, as if `async` were forgotten."""

    monkeypatch.setattr(Quota, hook, at_once)
    made = guarded_with_state("quota", Quota(), State)
    file = __name__.replace(".", "/") + ".py"

    with pytest.raises(HookContractError) as caught:
        in_exchange(whole(made))

    said = f"interceptor 'quota': {hook} in {file} must be 'async def'"
    assert str(caught.value) == said


def test_outside_of_a_request_there_is_no_state() -> None:
    made = guarded_with_state("quota", Quota(), State)

    with pytest.raises(LookupError):
        asyncio.run(whole(made))
