"""Refuses a caller who asks too often."""

from orders.service.contracts import quota as contract


class Quota(contract.Hooks):
    """Refuses a caller who asks too often."""

    async def before_agent(
        self, context: contract.RequestContext, state: contract.State
    ) -> contract.RequestContext:
        """Return the context to let the message in, or raise `contract.Rejected`.

        Runs before a task is made: a refusal stores nothing and leaves a paused
        task paused. Doesn't run when tasks are read, listed, subscribed to or
        canceled.
        """
        return context

    async def on_exit(self, outcome: contract.Outcome, state: contract.State) -> None:
        """Release what the request holds, count it, write it down.

        Runs exactly once for each request that reached the chain, however it
        ended, and before the caller hears of the end. What it raises is logged.
        """
