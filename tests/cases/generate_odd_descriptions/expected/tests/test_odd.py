"""What odd does; yours to change with its hooks."""

import pytest

from orders.hooks.odd import Odd

from .generated.scripted import (
    ScriptedAgent,
    adk_event,
    executor_context,
    status_update,
)

pytestmark = pytest.mark.anyio


async def test_it_passes_an_event_on(agent: ScriptedAgent) -> None:
    """The event leaves as it came."""
    hooks = Odd()
    context, event = executor_context(agent), status_update("hello")

    assert await hooks.after_event(context, event, adk_event("hello")) is event
