"""Liveness and readiness."""

import httpx
import pytest
from starlette.applications import Starlette

from runtime.serving.health import health_routes

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("ready", "status", "told"),
    [(True, 200, "ready"), (False, 503, "starting or stopping")],
)
async def test_it_is_ready_when_it_says_so(
    *, ready: bool, status: int, told: str
) -> None:
    """It is alive in any case."""
    app = Starlette(routes=health_routes(lambda: ready))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://a") as http:
        alive = await http.get("/healthz")
        asked = await http.get("/readyz")

    assert (alive.status_code, alive.json()) == (200, {"status": "ok"})
    assert (asked.status_code, asked.json()) == (status, {"status": told})
