"""One request while it lasts: what its hooks share, found without a global.

The request's call context carries it from the gate to the executor, and a
context variable, set anew for each stretch, from there to the hooks, which
ADK calls without the request.
"""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext

from .request import OutcomeKind, RequestFacts

__all__ = [
    "ADDRESS",
    "REPEATED_HEADERS",
    "Exchange",
    "begin_exchange",
    "current",
    "exchange_of",
    "find_exchange",
]

StateT = TypeVar("StateT")

REPEATED_HEADERS = "repeated_headers"
"""Where the call context's state holds the headers sent more than once."""
ADDRESS = "address"
"""Where it holds the address that the request came from."""

_KEY = "exchange"
_current: ContextVar["Exchange"] = ContextVar("exchange")


class Exchange:
    """What is kept of one request from the gate to its end.

    Attributes:
        facts: What is known of it.
        started: Whether its run has begun.
        ended: How it ended; None while it lasts.
        settled: Set when its on_exit hooks have run.
        output: What the last node of a workflow gave as output, if any.
        agent_error: What an event of the agent says that failed, if one does.
    """

    def __init__(self, facts: RequestFacts) -> None:
        """Begin with the facts and no states."""
        self.facts = facts
        self.started = False
        self.ended: OutcomeKind | None = None
        self.settled = asyncio.Event()
        self.output: object = None
        self.agent_error: str | None = None
        self._states: dict[str, object] = {}

    def state(
        self, name: str, kind: type[StateT], make: Callable[[], StateT]
    ) -> StateT:
        """Give an interceptor's own object for this request, made at first use.

        Args:
            name: The interceptor's name.
            kind: The object's class.
            make: Makes the object.
        """
        found = self._states.get(name)
        if isinstance(found, kind):
            return found
        self._states[name] = made = make()
        return made

    def go_with(self, context: RequestContext) -> None:
        """Let the context carry it, in case a hook has replaced the first one."""
        context.call_context.state[_KEY] = self

    @contextmanager
    def entered(self) -> Generator[None, None, None]:
        """Let `current` find it for as long as the block lasts."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)


def current() -> Exchange:
    """Give the exchange of the request that is being handled.

    Raises:
        LookupError: Outside of a request.
    """
    return _current.get()


def exchange_of(context: RequestContext) -> Exchange:
    """Give the request's exchange, begun at the first call."""
    found = find_exchange(context.call_context)
    if found is not None:
        return found
    return begin_exchange(
        context.call_context,
        task_id=context.task_id or "",
        context_id=context.context_id or "",
        is_reply=context.current_task is not None,
    )


def begin_exchange(
    call: ServerCallContext, *, task_id: str, context_id: str, is_reply: bool
) -> Exchange:
    """Begin the exchange of a call that has none.

    Args:
        call: The call.
        task_id: The task that the message starts or continues.
        context_id: The conversation that it belongs to.
        is_reply: Whether it continues a task.
    """
    facts = RequestFacts(
        task_id=task_id,
        context_id=context_id,
        caller=call.user.user_name if call.user.is_authenticated else None,
        headers=call.state.get("headers", {}),
        address=call.state.get(ADDRESS, ""),
        repeated_headers=call.state.get(REPEATED_HEADERS, frozenset()),
        is_reply=is_reply,
    )
    call.state[_KEY] = begun = Exchange(facts)
    return begun


def find_exchange(call: ServerCallContext) -> Exchange | None:
    """Give the exchange of a call, if it has one."""
    found = call.state.get(_KEY)
    return found if isinstance(found, Exchange) else None
