"""Names the request in the final status."""

from orders.service.contracts import stamp as contract


class Stamp(contract.Hooks):
    """Names the request in the final status."""

    async def after_agent(
        self,
        context: contract.ExecutorContext,
        final_event: contract.TaskStatusUpdateEvent,
        state: contract.State,
    ) -> contract.TaskStatusUpdateEvent:
        """Return the final status of the run, changed or not.

        Runs once a run, also when it pauses for input. Doesn't run when the
        run failed or was canceled.
        """
        return final_event
