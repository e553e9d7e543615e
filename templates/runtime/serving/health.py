"""Liveness and readiness, beside the A2A routes."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

__all__ = ["health_routes"]


def health_routes(is_ready: Callable[[], bool]) -> list[Route]:
    """Make `/healthz`, which answers 200, and `/readyz`, which answers 503 until ready.

    Args:
        is_ready: Tells whether messages are accepted now.
    """

    async def healthz(_: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    async def readyz(_: Request) -> JSONResponse:
        if is_ready():
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "starting or stopping"}, status_code=503)

    return [Route("/healthz", healthz), Route("/readyz", readyz)]
