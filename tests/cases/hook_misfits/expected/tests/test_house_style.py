"""What house_style does; yours to change with its hooks."""

import pytest

from orders.hooks.house_style import HouseStyle

from .generated.scripted import (
    ScriptedAgent,
    adk_event,
    executor_context,
    status_update,
)

pytestmark = pytest.mark.anyio


async def test_it_passes_an_event_on(agent: ScriptedAgent) -> None:
    """The event leaves as it came."""
    hooks = HouseStyle()
    context, event = executor_context(agent), status_update("hello")

    assert await hooks.after_event(context, event, adk_event("hello")) is event


async def test_it_passes_the_final_status_on(agent: ScriptedAgent) -> None:
    """The final status leaves as it came."""
    hooks = HouseStyle()
    context, event = executor_context(agent), status_update("done")

    assert await hooks.after_agent(context, event) is event
