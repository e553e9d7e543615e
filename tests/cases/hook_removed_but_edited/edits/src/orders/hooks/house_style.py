# Licence: ours
"""Signs every answer."""

import logging

from orders.service.contracts import house_style as contract

log = logging.getLogger(__name__)


# The desk wants it so.
class HouseStyle(contract.Hooks):
    """Signs every answer, in our way."""

    @staticmethod
    def helper() -> str:
        return "signed"

    async def after_event(
        self,
        ctx: contract.ExecutorContext,  # renamed
        event: contract.A2AEvent,
        adk_event: contract.AdkEvent,
    ) -> contract.EventResult:
        """Ours."""
        log.info(self.helper())
        return event

    async def before_agent(
        self, context: contract.RequestContext
    ) -> contract.RequestContext:
        """Return the context to let the message in, or raise `contract.Rejected`.

        Runs before a task is made: a refusal stores nothing and leaves a paused
        task paused. Doesn't run when tasks are read, listed, subscribed to or
        canceled.
        """
        return context

    # The end of the class.


def also_ours() -> None: ...
