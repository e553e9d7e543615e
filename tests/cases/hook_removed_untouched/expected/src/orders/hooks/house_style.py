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

    # The end of the class.


def also_ours() -> None: ...
