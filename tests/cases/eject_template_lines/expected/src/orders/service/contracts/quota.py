"""The contract of quota."""

from orders.service.interceptor import BeforeAgent, RequestContext

__all__ = ["Hooks", "RequestContext"]


class Hooks(BeforeAgent):
    """Counts what each caller costs."""
