"""Hooks with a state keep the contract of those without, and share one object."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import pytest

from runtime.seams.chain import HookContractError, Interceptor
from runtime.seams.exchange import Exchange, exchange_of
from runtime.seams.interceptor import (
    A2AEvent,
    AdkEvent,
    EventResult,
    ExecutorContext,
    Outcome,
    RequestContext,
    RequestFacts,
    TaskStatusUpdateEvent,
)
from runtime.seams.stateful import (
    SharedState,
    StatefulAfterAgent,
    StatefulAfterEvent,
    StatefulBeforeAgent,
    StatefulHooks,
    StatefulOnExit,
)
from runtime.seams.stateful_chain import guarded_with_state

from .scripted import (
    ScriptedAgent,
    adk_event,
    executor_context,
    request_context,
    status_update,
)

pytestmark = pytest.mark.anyio

STATUS, CONTEXT, ADK_EVENT = status_update(), request_context(), adk_event()
RUN = executor_context(ScriptedAgent(name="scripted"))
OUTCOME = Outcome(kind="completed", request=RequestFacts())
FILE = f"{__name__.replace('.', '/')}.py"
HOOKS = ("before_agent", "after_event", "after_agent", "on_exit")


@dataclass(kw_only=True, slots=True)
class Steps(SharedState):
    """What the hooks share.

    Attributes:
        given: What each of them was given besides.
    """

    given: list[object] = field(default_factory=list[object])


class Before(StatefulBeforeAgent[Steps]):
    """Has the first hook."""

    async def before_agent(
        self, context: RequestContext, state: Steps
    ) -> RequestContext:
        """Pass the context on."""
        state.given.append(context)
        return context


class Event(StatefulAfterEvent[Steps]):
    """Has the second one."""

    async def after_event(
        self,
        context: ExecutorContext,
        event: A2AEvent,
        adk_event: AdkEvent,
        state: Steps,
    ) -> EventResult:
        """Pass the event on."""
        state.given += [context, event, adk_event]
        return event


class Agent(StatefulAfterAgent[Steps]):
    """Has the third one."""

    async def after_agent(
        self, context: ExecutorContext, final_event: TaskStatusUpdateEvent, state: Steps
    ) -> TaskStatusUpdateEvent:
        """Pass the status on."""
        state.given += [context, final_event]
        return final_event


class Exit(StatefulOnExit[Steps]):
    """Has the last one.

    Attributes:
        state: What it was called with.
    """

    state: Steps | None = None

    async def on_exit(self, outcome: Outcome, state: Steps) -> None:
        """Keep the state."""
        state.given.append(outcome)
        self.state = state


class Whole(Before, Event, Agent, Exit):
    """Has every hook."""


@pytest.fixture
async def exchange() -> AsyncGenerator[Exchange, None]:
    """The request that is being handled."""
    made = exchange_of(request_context())
    with made.entered():
        yield made


async def called(made: Interceptor, hook: str) -> object:
    """Call one hook as ADK and the boundary do."""
    if hook == "before_agent" and made.before_agent:
        return await made.before_agent(CONTEXT)
    if hook == "after_event" and made.after_event:
        return await made.after_event(RUN, STATUS, ADK_EVENT)
    if hook == "after_agent" and made.after_agent:
        return await made.after_agent(RUN, STATUS)
    assert hook == "on_exit"
    assert made.on_exit
    await made.on_exit(OUTCOME)
    return None


async def test_the_hooks_of_a_request_share_a_state() -> None:
    """Which knows the facts of the request."""
    hooks = Whole()
    made = guarded_with_state("mine", hooks, Steps)
    first, second = exchange_of(request_context()), exchange_of(request_context())

    with first.entered():
        results = [await called(made, hook) for hook in HOOKS]
    one = hooks.state
    with second.entered():
        await called(made, "on_exit")

    assert results == [CONTEXT, STATUS, STATUS, None]
    assert one
    assert one.given == [CONTEXT, RUN, STATUS, ADK_EVENT, RUN, STATUS, OUTCOME]
    assert one.request is first.facts
    assert hooks.state
    assert hooks.state.given == [OUTCOME]
    assert hooks.state.request is second.facts
    assert (made.name, made.hooks) == ("mine", hooks)


async def test_each_interceptor_has_a_state_of_its_own(exchange: Exchange) -> None:
    """Found by its name."""
    mine, yours = Exit(), Exit()
    await called(guarded_with_state("mine", mine, Steps), "on_exit")
    await called(guarded_with_state("yours", yours, Steps), "on_exit")

    assert mine.state
    assert mine.state is not yours.state
    assert exchange.state("mine", Steps, lambda: pytest.fail("made")) is mine.state


@pytest.mark.parametrize(
    ("hooks", "hook"),
    [*zip((Before(), Event(), Agent(), Exit()), HOOKS, strict=True)],
    ids=HOOKS,
)
def test_only_the_hooks_that_are_there_are_called(
    hooks: StatefulHooks[Steps], hook: str
) -> None:
    """By the bases of the class."""
    made = guarded_with_state("mine", hooks, Steps)

    assert [each for each in HOOKS if getattr(made, each)] == [hook]


@pytest.mark.parametrize("hook", HOOKS)
async def test_a_hook_that_cannot_be_awaited_is_told(
    monkeypatch: pytest.MonkeyPatch, exchange: Exchange, hook: str
) -> None:
    """By the file that it stands in."""

    def give(*_: object) -> object:
        return exchange

    hooks = Whole()
    monkeypatch.setattr(hooks, hook, give)

    with pytest.raises(HookContractError) as broken:
        await called(guarded_with_state("mine", hooks, Steps), hook)

    assert (
        str(broken.value) == f"interceptor 'mine': {hook} in {FILE} must be 'async def'"
    )


@pytest.mark.parametrize("hook", HOOKS[:3])
async def test_a_wrong_result_is_told(
    monkeypatch: pytest.MonkeyPatch, exchange: Exchange, hook: str
) -> None:
    """By the same file, not by that of the chain."""

    async def give(*_: object) -> object:
        return exchange

    hooks = Whole()
    monkeypatch.setattr(hooks, hook, give)

    with pytest.raises(HookContractError) as broken:
        await called(guarded_with_state("mine", hooks, Steps), hook)

    said = f"interceptor 'mine': {hook} in {FILE} returned Exchange; return "
    assert str(broken.value).startswith(said)
