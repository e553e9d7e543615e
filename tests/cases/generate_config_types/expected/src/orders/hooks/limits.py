"""Holds every type of setting."""

from orders.service.contracts import limits as contract


class Limits(contract.Hooks):
    """Holds every type of setting."""

    async def before_agent(
        self, context: contract.RequestContext
    ) -> contract.RequestContext:
        """Return the context to let the message in, or raise `contract.Rejected`.

        Runs before a task is made: a refusal stores nothing and leaves a paused
        task paused. Doesn't run when tasks are read, listed, subscribed to or
        canceled.
        """
        return context
