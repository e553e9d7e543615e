"""What stays open, and how everything else is refused."""

import asyncio
import logging
from collections.abc import MutableMapping

import pytest
from a2a.auth.user import User
from a2a.types import AgentCard, APIKeySecurityScheme, SecurityScheme
from starlette.applications import Starlette
from starlette.authentication import AuthCredentials, BaseUser, SimpleUser
from starlette.requests import HTTPConnection
from starlette.routing import Mount
from starlette.types import Receive, Scope, Send
from tests.runtime.asking import CARD, ask, asked, described, guarded_app
from tests.runtime.messages import Verified, call_context, message_context

from runtime.recipes.authentication.identity import CallerPerimeter, VerifiedCredentials
from runtime.recipes.authentication.refusal import Refusal, single_header
from runtime.seams.interceptor import Rejected

pytestmark = pytest.mark.service


class Door(CallerPerimeter):
    """Lets in who names themselves; a `+` in the name grants a scope."""

    label = "door"
    challenge = "Door"
    scopes = ("enter",)

    def scheme(self) -> SecurityScheme:
        """Name the header."""
        return SecurityScheme(
            api_key_security_scheme=APIKeySecurityScheme(
                location="header", name="X-Name"
            )
        )

    async def identify(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser]:
        """Believe the header."""
        name = single_header(conn.headers, "X-Name")
        if name is None:
            raise Refusal("no name")
        if name == "down":
            raise Refusal(
                "down", status=503, error="temporarily_unavailable", retry_after_s=7
            )
        scopes = ["enter"] if name.endswith("+") else []
        return VerifiedCredentials(scopes, {"sub": name}), SimpleUser(name)


@pytest.mark.parametrize("path", [CARD, "/healthz", "/readyz"])
def test_the_card_and_the_health_routes_are_open_for_reading(path: str) -> None:
    answer = ask(Door(), method="GET", path=path)
    assert answer.status_code == 200
    assert answer.json()["authenticated"] is False
    assert ask(Door(), method="HEAD", path=path).status_code == 200
    assert ask(Door(), method="POST", path=path).status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        "/svc",
        "/other",
        "/nothing",
        "/healthz/",
        "/healthz/x",
        "/svc/readyz",
        f"{CARD}/",
        f"{CARD}x",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
def test_everything_else_needs_a_caller(path: str, method: str) -> None:
    assert ask(Door(), method=method, path=path).status_code == 401


def test_the_open_paths_move_with_a_mount() -> None:
    inner = guarded_app(Door())
    app = Starlette(routes=[Mount("/agents/orders", app=inner)])

    async def statuses() -> list[int]:
        return [
            (await asked(app, method="GET", path=f"/agents/orders{path}")).status_code
            for path in (CARD, "/healthz", "/svc")
        ]

    assert asyncio.run(statuses()) == [200, 200, 401]


def test_the_sdk_takes_the_caller_from_the_perimeter() -> None:
    assert ask(Door(), [("X-Name", "ann+")]).json() == {
        "name": "ann+",
        "authenticated": True,
        "scopes": ["enter"],
        "claims": {"sub": "ann+"},
    }


def test_who_sends_nothing_is_told_the_scheme_only() -> None:
    answer = ask(Door())
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Door"
    assert answer.json() == {"error": "unauthorized"}


def test_a_repeated_header_is_refused() -> None:
    answer = ask(Door(), [("X-Name", "ann+"), ("X-Name", "bob+")])
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == 'Door error="invalid_token"'
    assert answer.json() == {"error": "invalid_token"}


def test_a_caller_without_the_scope_is_told_which_one() -> None:
    answer = ask(Door(), [("X-Name", "ann")])
    assert answer.status_code == 403
    expected = 'Door error="insufficient_scope", scope="enter"'
    assert answer.headers["www-authenticate"] == expected
    assert answer.json() == {"error": "insufficient_scope"}


def test_who_cant_be_verified_now_may_try_again() -> None:
    answer = ask(Door(), [("X-Name", "down")])
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "7"
    assert "www-authenticate" not in answer.headers
    assert answer.json() == {"error": "temporarily_unavailable"}


def test_a_refusal_is_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="runtime"):
        ask(Door())
    found = [r.getMessage() for r in caplog.records if r.name.startswith("runtime")]
    assert found == ["door refused a request: no name"]


def test_the_card_declares_what_is_enforced() -> None:
    card = described(Door())
    assert list(card.security_schemes) == ["door"]
    assert card.security_schemes["door"].api_key_security_scheme.name == "X-Name"
    [needed] = card.security_requirements
    assert {name: list(s.list) for name, s in needed.schemes.items()} == {
        "door": ["enter"]
    }


def test_a_second_perimeter_is_refused_since_a_card_would_say_either() -> None:
    card = AgentCard()
    Door().describe(card)
    with pytest.raises(ValueError, match="one identity recipe"):
        Door().describe(card)


def test_a_lifespan_passes_and_a_websocket_is_closed() -> None:
    seen: list[str] = []
    sent: list[MutableMapping[str, object]] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del receive, send
        seen.append(scope["type"])

    async def receive() -> MutableMapping[str, object]:
        await asyncio.sleep(0)
        return {"type": "websocket.connect"}

    async def send(message: MutableMapping[str, object]) -> None:
        await asyncio.sleep(0)
        sent.append(message)

    async def both() -> None:
        wrapped = Door().wrap(app)
        await wrapped({"type": "lifespan"}, receive, send)
        for path in ("/svc", "/healthz", CARD):
            scope: Scope = {"type": "websocket", "path": path, "headers": []}
            await wrapped(scope, receive, send)

    asyncio.run(both())
    assert seen == ["lifespan"]
    assert [message["type"] for message in sent] == ["websocket.close"] * 3


@pytest.mark.anyio
@pytest.mark.parametrize("user", [None, Verified("ann")])
async def test_a_message_that_came_another_way_is_refused(user: User | None) -> None:
    context = message_context(call=call_context(user=user))
    if user is not None:
        assert await Door().before_agent(context) is context
        return
    with pytest.raises(Rejected, match="unauthorized"):
        await Door().before_agent(context)
