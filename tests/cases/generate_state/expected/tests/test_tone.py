"""What tone does; yours to change with its hooks."""

import pytest

from orders.hooks.tone import Tone

from .generated.scripted import (
    ScriptedAgent,
    adk_event,
    executor_context,
    status_update,
)

pytestmark = pytest.mark.anyio


async def test_it_passes_an_event_on(agent: ScriptedAgent) -> None:
    """The event leaves as it came."""
    hooks = Tone()
    context, event = executor_context(agent), status_update("hello")

    assert await hooks.after_event(context, event, adk_event("hello")) is event
