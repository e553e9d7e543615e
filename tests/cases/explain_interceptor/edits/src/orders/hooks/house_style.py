"""Signs every answer."""

from orders.service.contracts import house_style as contract


class HouseStyle(contract.Hooks):
    """Signs every answer."""

    async def after_event(
        self,
        context: contract.ExecutorContext,
        event: contract.A2AEvent,
        adk_event: contract.AdkEvent,
    ) -> contract.EventResult:
        """Mine."""
        return None
