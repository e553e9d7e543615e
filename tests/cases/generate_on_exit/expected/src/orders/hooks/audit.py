"""Writes down how each request ended."""

from orders.service.contracts import audit as contract


class Audit(contract.Hooks):
    """Writes down how each request ended."""

    async def on_exit(self, outcome: contract.Outcome) -> None:
        """Release what the request holds, count it, write it down.

        Runs exactly once for each request that reached the chain, however it
        ended, and before the caller hears of the end. What it raises is logged.
        """
