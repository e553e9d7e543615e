"""What quota does; yours to change with its hooks."""

import pytest

from orders.hooks.quota import Quota
from orders.service.contracts.quota import Outcome, RequestFacts, State

from .generated.scripted import (
    ScriptedAgent,
    adk_event,
    executor_context,
    request_context,
    status_update,
)

pytestmark = pytest.mark.anyio


async def test_it_lets_a_message_in() -> None:
    """The context goes on as it came."""
    hooks = Quota()
    context = request_context("hello")

    assert await hooks.before_agent(context, State(request=RequestFacts())) is context


async def test_it_passes_an_event_on(agent: ScriptedAgent) -> None:
    """The event leaves as it came."""
    hooks = Quota()
    context, event = executor_context(agent), status_update("hello")

    assert (
        await hooks.after_event(
            context, event, adk_event("hello"), State(request=RequestFacts())
        )
        is event
    )


async def test_it_passes_the_final_status_on(agent: ScriptedAgent) -> None:
    """The final status leaves as it came."""
    hooks = Quota()
    context, event = executor_context(agent), status_update("done")

    assert (
        await hooks.after_agent(context, event, State(request=RequestFacts())) is event
    )


async def test_it_takes_an_end() -> None:
    """The end of a request is no error to it."""
    hooks = Quota()
    outcome = Outcome(kind="completed", request=RequestFacts())

    await hooks.on_exit(outcome, State(request=RequestFacts()))
