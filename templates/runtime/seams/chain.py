"""Turns hooks into ADK interceptors that can't fail in silence.

Unchecked, a wrong return value loses an event or leaves a task working for
ever, and the error text names neither the interceptor nor the hook.
"""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from a2a.types import TaskArtifactUpdateEvent
from google.adk.a2a.executor.config import ExecuteInterceptor

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
from .rejection import Rejected

__all__ = [
    "HookContractError",
    "Interceptor",
    "guarded",
    "not_async",
    "without_before_agent",
]


ResultT = TypeVar("ResultT")


class HookContractError(TypeError):
    """A hook returned what its contract doesn't allow."""


@dataclass(kw_only=True)
class Interceptor(ExecuteInterceptor):
    """ADK's interceptor, and what the boundary calls beside it.

    Attributes:
        name: Its name in the spec.
        hooks: The object whose hooks are called; the other seams that it has
            are found by its bases.
        on_exit: Called once for each request, however it ends.
    """

    name: str
    hooks: object
    on_exit: Callable[[Outcome], Awaitable[None]] | None = None


def guarded(name: str, hooks: object) -> Interceptor:
    """Make an interceptor of the hooks that the object has.

    Args:
        name: The interceptor's name in the spec, for error messages.
        hooks: The object whose hooks are called.

    Returns:
        An interceptor whose hooks raise `HookContractError` on a wrong result.
    """
    return Interceptor(
        name=name,
        hooks=hooks,
        before_agent=_BeforeAgent(name, hooks)
        if isinstance(hooks, BeforeAgent)
        else None,
        after_event=_AfterEvent(name, hooks) if isinstance(hooks, AfterEvent) else None,
        after_agent=_AfterAgent(name, hooks) if isinstance(hooks, AfterAgent) else None,
        on_exit=_OnExit(name, hooks) if isinstance(hooks, OnExit) else None,
    )


def without_before_agent(interceptors: Sequence[Interceptor]) -> list[Interceptor]:
    """Copy the interceptors for an executor that stands behind the gate."""
    return [replace(interceptor, before_agent=None) for interceptor in interceptors]


class _BeforeAgent:
    def __init__(self, name: str, hooks: BeforeAgent) -> None:
        self._name, self._hooks = name, hooks

    async def __call__(self, context: RequestContext) -> RequestContext:
        result = await _outcome(self._name, self._hooks.before_agent(context))
        if isinstance(result, RequestContext):
            return result
        raise _broken(
            self._name, self._hooks, "before_agent", result, "the RequestContext"
        )


class _AfterEvent:
    def __init__(self, name: str, hooks: AfterEvent) -> None:
        self._name, self._hooks = name, hooks

    async def __call__(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        result = await _outcome(
            self._name, self._hooks.after_event(context, event, adk_event)
        )
        if result is None or isinstance(result, _UPDATES):
            return result
        if isinstance(result, list) and all(isinstance(e, _UPDATES) for e in result):
            return result
        wanted = "a status or artifact update, a list of them, or None"
        raise _broken(self._name, self._hooks, "after_event", result, wanted)


class _AfterAgent:
    def __init__(self, name: str, hooks: AfterAgent) -> None:
        self._name, self._hooks = name, hooks

    async def __call__(
        self, context: ExecutorContext, final_event: TaskStatusUpdateEvent
    ) -> TaskStatusUpdateEvent:
        result = await _outcome(
            self._name, self._hooks.after_agent(context, final_event)
        )
        if isinstance(result, TaskStatusUpdateEvent):
            return result
        wanted = "the TaskStatusUpdateEvent"
        raise _broken(self._name, self._hooks, "after_agent", result, wanted)


class _OnExit:
    def __init__(self, name: str, hooks: OnExit) -> None:
        self._name, self._hooks = name, hooks

    async def __call__(self, outcome: Outcome) -> None:
        result = await _outcome(self._name, self._hooks.on_exit(outcome))
        if isinstance(result, _NotAsync):
            raise _broken(self._name, self._hooks, "on_exit", result, "nothing")


_UPDATES = (TaskStatusUpdateEvent, TaskArtifactUpdateEvent)


class _NotAsync:
    """Stands for the result of a hook that isn't a coroutine function."""


async def _outcome(name: str, given: Awaitable[ResultT] | None) -> ResultT | _NotAsync:
    # A sync hook gives its result here at once, whatever its type says.
    if not inspect.isawaitable(given):
        return _NotAsync()
    try:
        return await given
    except Rejected as rejected:
        rejected.policy = rejected.policy or name
        raise


def _broken(
    name: str, hooks: object, hook: str, result: object, wanted: str
) -> HookContractError:
    if isinstance(result, _NotAsync):
        return not_async(name, hooks, hook)
    given = type(result).__name__
    return HookContractError(
        f"{_where(name, hooks, hook)} returned {given}; return {wanted}"
    )


def not_async(name: str, hooks: object, hook: str) -> HookContractError:
    """Give the error of a hook that is no coroutine function.

    Args:
        name: The interceptor's name in the spec.
        hooks: The object that has the hook.
        hook: Which one it is.
    """
    return HookContractError(f"{_where(name, hooks, hook)} must be 'async def'")


def _where(name: str, hooks: object, hook: str) -> str:
    file = type(hooks).__module__.replace(".", "/") + ".py"
    return f"interceptor {name!r}: {hook} in {file}"
