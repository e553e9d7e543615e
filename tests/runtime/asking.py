"""An application behind a perimeter, and a caller of it."""

import asyncio
from collections.abc import Sequence

import httpx
from a2a.server.routes.common import DefaultServerCallContextBuilder
from a2a.types import AgentCard, AgentSkill
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from runtime.recipes.authentication.identity import VerifiedCredentials
from runtime.seams.protocols import Perimeter

CARD = "/svc/.well-known/agent-card.json"

Headers = Sequence[tuple[str, str]]


async def whoami(request: Request) -> JSONResponse:
    """Answer with what the SDK makes of the caller."""
    context = DefaultServerCallContextBuilder().build(request)
    auth: object = context.state.get("auth")
    proved = auth if isinstance(auth, VerifiedCredentials) else None
    return JSONResponse(
        {
            "name": context.user.user_name,
            "authenticated": context.user.is_authenticated,
            "scopes": proved.scopes if proved else None,
            "claims": dict(proved.claims) if proved else None,
        }
    )


def guarded_app(perimeter: Perimeter) -> ASGIApp:
    """Make an application with open and guarded routes, and put it behind."""
    paths = ("/svc", "/other", CARD, "/healthz", "/readyz")
    routes = [Route(path, whoami, methods=["GET", "POST"]) for path in paths]
    return perimeter.wrap(Starlette(routes=routes))


async def asked(
    app: ASGIApp,
    headers: Headers = (),
    *,
    method: str = "POST",
    path: str = "/svc",
    client: tuple[str, int] = ("127.0.0.1", 50000),
) -> httpx.Response:
    """Send one request."""
    transport = httpx.ASGITransport(app=app, client=client)
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    async with httpx.AsyncClient(
        transport=transport, base_url="http://service"
    ) as http:
        return await http.request(method, path, headers=raw)


def ask(
    perimeter: Perimeter,
    headers: Headers = (),
    *,
    method: str = "POST",
    path: str = "/svc",
    client: tuple[str, int] = ("127.0.0.1", 50000),
) -> httpx.Response:
    """Send one request to an application behind the perimeter."""
    app = guarded_app(perimeter)
    return asyncio.run(asked(app, headers, method=method, path=path, client=client))


def described(perimeter: Perimeter, *skills: str) -> AgentCard:
    """Give a card of these skills, with what the perimeter says in it."""
    card = AgentCard(skills=[AgentSkill(id=skill) for skill in skills])
    perimeter.describe(card)
    return card
