"""Counts what each caller costs."""

from orders.service.contracts import quota as contract


class Quota(contract.Hooks):
    """Counts what each caller costs."""

    async def before_agent(
        self, context: contract.RequestContext, state: contract.State
    ) -> contract.RequestContext:
        """Return the context to let the message in, or raise `contract.Rejected`.

        Runs before a task is made: a refusal stores nothing and leaves a paused
        task paused. Doesn't run when tasks are read, listed, subscribed to or
        canceled.
        """
        return context

    async def after_event(
        self,
        context: contract.ExecutorContext,
        event: contract.A2AEvent,
        adk_event: contract.AdkEvent,
        state: contract.State,
    ) -> contract.EventResult:
        """Return the event, a list to send in its place, or None to drop it.

        Runs for each update made of an ADK event. Doesn't run for the first
        submitted and working updates, the final status, a failure or a cancel.
        """
        # Ours.
        return event

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

    async def on_exit(self, outcome: contract.Outcome, state: contract.State) -> None:
        """Ours."""
        self.last = outcome.kind
