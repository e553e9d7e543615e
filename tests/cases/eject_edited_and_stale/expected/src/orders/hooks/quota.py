"""Counts what each caller costs."""

from orders.service.contracts import quota as contract


class Quota(contract.Hooks):
    """Counts what each caller costs."""

    async def before_agent(
        self, context: contract.RequestContext
    ) -> contract.RequestContext:
        """Let the message in by returning its context, or raise to refuse it.

        Runs before a task is made: a refusal stores nothing, leaves a paused
        task paused, and an error of `a2a.utils.errors` keeps its code. Doesn't
        run when tasks are read, listed, subscribed to or canceled.
        """
        return context
