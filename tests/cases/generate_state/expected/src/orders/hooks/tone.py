"""Keeps a civil tone."""

from orders.service.contracts import tone as contract


class Tone(contract.Hooks):
    """Keeps a civil tone."""

    async def after_event(
        self,
        context: contract.ExecutorContext,
        event: contract.A2AEvent,
        adk_event: contract.AdkEvent,
    ) -> contract.EventResult:
        """Return the event, a list to send in its place, or None to drop it.

        Runs for each update made of an ADK event. Doesn't run for the first
        submitted and working updates, the final status, a failure or a cancel.
        """
        return event
