"""Counts what each caller costs."""

from orders.service.contracts import quota as contract


class Quota(contract.Hooks):
    """Counts what each caller costs."""

    async def before_agent(
        self, context: contract.RequestContext
    ) -> contract.RequestContext:
        """Return the context to let the message in, or raise `contract.Rejected`.

        Runs before a task is made: a refusal stores nothing and leaves a paused
        task paused. Doesn't run when tasks are read, listed, subscribed to or
        canceled.
        """
        return context
