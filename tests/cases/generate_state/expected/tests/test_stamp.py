"""What stamp does; yours to change with its hooks."""

import pytest

from orders.hooks.stamp import Stamp
from orders.service.contracts.stamp import RequestFacts, State

from .generated.scripted import ScriptedAgent, executor_context, status_update

pytestmark = pytest.mark.anyio


async def test_it_passes_the_final_status_on(agent: ScriptedAgent) -> None:
    """The final status leaves as it came."""
    hooks = Stamp()
    context, event = executor_context(agent), status_update("done")

    assert (
        await hooks.after_agent(context, event, State(request=RequestFacts())) is event
    )
