# (c) us
"""Counts what each caller costs."""

from orders.service.contracts import allowance as contract

COSTS: dict[str, int] = {}


class Allowance(contract.Hooks):
    """Ours."""

    async def before_agent(
        self, context: contract.RequestContext
    ) -> contract.RequestContext:
        """Count."""
        COSTS[str(context.context_id)] = self.config.most
        return context


__all__ = ["Quota"]  # Quota stays in this comment
