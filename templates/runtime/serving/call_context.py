"""What the service keeps of an HTTP request, beside what the SDK does."""

from a2a.server.context import ServerCallContext
from a2a.server.routes.common import DefaultServerCallContextBuilder
from starlette.requests import Request

from ..seams.exchange import ADDRESS, REPEATED_HEADERS

__all__ = ["CallContextBuilder"]


class CallContextBuilder(DefaultServerCallContextBuilder):
    """Notes what the SDK doesn't.

    Which headers came more than once, of which the SDK shows one value, and the
    address that the request came from.
    """

    def build(self, request: Request) -> ServerCallContext:
        """Build the call context, with the repeated headers and the address."""
        context = super().build(request)
        context.state[REPEATED_HEADERS] = _repeated(request.headers.keys())
        context.state[ADDRESS] = request.client.host if request.client else ""
        return context


def _repeated(names: list[str]) -> frozenset[str]:
    once = set(names)
    if len(once) == len(names):
        return frozenset()
    return frozenset(name for name in once if names.count(name) > 1)
