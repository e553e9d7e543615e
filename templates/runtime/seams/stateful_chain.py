"""Calls stateful hooks as the chain calls plain ones, with the request's state."""

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeGuard, TypeVar

from .chain import Interceptor, guarded, not_async
from .exchange import current
from .interceptor import (
    A2AEvent,
    AdkEvent,
    AfterAgent,
    AfterEvent,
    BeforeAgent,
    EventResult,
    ExecutorContext,
    OnExit,
    Outcome,
    RequestContext,
    TaskStatusUpdateEvent,
)
from .stateful import (
    SharedState,
    StatefulAfterAgent,
    StatefulAfterEvent,
    StatefulBeforeAgent,
    StatefulHooks,
    StatefulOnExit,
)

__all__ = ["guarded_with_state"]

StateT = TypeVar("StateT", bound=SharedState)
ResultT = TypeVar("ResultT")
Own: TypeAlias = Callable[[], StateT]


def guarded_with_state(
    name: str, hooks: StatefulHooks[StateT], state: type[StateT]
) -> Interceptor:
    """Make an interceptor of hooks that share a state.

    Args:
        name: The interceptor's name in the spec, for error messages.
        hooks: The object whose hooks are called.
        state: The class of the state; each request gets an object of its own.

    Returns:
        An interceptor whose hooks raise `HookContractError` on a wrong result.
    """

    def own() -> StateT:
        exchange = current()
        return exchange.state(name, state, lambda: state(request=exchange.facts))

    made = Interceptor(name=name, hooks=hooks)
    if _has_before_agent(hooks):
        made.before_agent = guarded(name, _before_agent(name, hooks, own)).before_agent
    if _has_after_event(hooks):
        made.after_event = guarded(name, _after_event(name, hooks, own)).after_event
    if _has_after_agent(hooks):
        made.after_agent = guarded(name, _after_agent(name, hooks, own)).after_agent
    if _has_on_exit(hooks):
        made.on_exit = guarded(name, _on_exit(name, hooks, own)).on_exit
    return made


# isinstance alone would forget which state the hooks take.
def _has_before_agent(
    hooks: StatefulHooks[StateT],
) -> TypeGuard[StatefulBeforeAgent[StateT]]:
    return isinstance(hooks, StatefulBeforeAgent)


def _has_after_event(
    hooks: StatefulHooks[StateT],
) -> TypeGuard[StatefulAfterEvent[StateT]]:
    return isinstance(hooks, StatefulAfterEvent)


def _has_after_agent(
    hooks: StatefulHooks[StateT],
) -> TypeGuard[StatefulAfterAgent[StateT]]:
    return isinstance(hooks, StatefulAfterAgent)


def _has_on_exit(hooks: StatefulHooks[StateT]) -> TypeGuard[StatefulOnExit[StateT]]:
    return isinstance(hooks, StatefulOnExit)


# Below, each class stands for the user's: an error names the file of its module.
def _before_agent(
    name: str, hooks: StatefulBeforeAgent[StateT], own: Own[StateT]
) -> BeforeAgent:
    class WithState(BeforeAgent):
        __module__ = type(hooks).__module__

        async def before_agent(self, context: RequestContext) -> RequestContext:
            given = hooks.before_agent(context, own())
            return await _awaited(name, hooks, "before_agent", given)

    return WithState()


def _after_event(
    name: str, hooks: StatefulAfterEvent[StateT], own: Own[StateT]
) -> AfterEvent:
    class WithState(AfterEvent):
        __module__ = type(hooks).__module__

        async def after_event(
            self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
        ) -> EventResult:
            given = hooks.after_event(context, event, adk_event, own())
            return await _awaited(name, hooks, "after_event", given)

    return WithState()


def _after_agent(
    name: str, hooks: StatefulAfterAgent[StateT], own: Own[StateT]
) -> AfterAgent:
    class WithState(AfterAgent):
        __module__ = type(hooks).__module__

        async def after_agent(
            self, context: ExecutorContext, final_event: TaskStatusUpdateEvent
        ) -> TaskStatusUpdateEvent:
            given = hooks.after_agent(context, final_event, own())
            return await _awaited(name, hooks, "after_agent", given)

    return WithState()


def _on_exit(name: str, hooks: StatefulOnExit[StateT], own: Own[StateT]) -> OnExit:
    class WithState(OnExit):
        __module__ = type(hooks).__module__

        async def on_exit(self, outcome: Outcome) -> None:
            await _awaited(name, hooks, "on_exit", hooks.on_exit(outcome, own()))

    return WithState()


async def _awaited(
    name: str, hooks: object, hook: str, given: Awaitable[ResultT] | None
) -> ResultT:
    if inspect.isawaitable(given):
        return await given
    raise not_async(name, hooks, hook)
