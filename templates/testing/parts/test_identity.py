"""Nobody is let in without a name, but for what anybody may read."""

import logging
from collections.abc import Sequence

import pytest
from a2a.types import (
    AgentCard,
    APIKeySecurityScheme,
    SecurityRequirement,
    SecurityScheme,
    StringList,
)
from starlette.authentication import (
    AuthCredentials,
    AuthenticationError,
    BaseUser,
    SimpleUser,
)
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from runtime.recipes.authentication.identity import (
    CallerPerimeter,
    VerifiedCredentials,
    digest,
    requirement,
)
from runtime.recipes.authentication.refusal import Refusal
from runtime.seams.rejection import Rejected

from .scripted import Named, request_context

pytestmark = pytest.mark.anyio

SCHEME = SecurityScheme(
    api_key_security_scheme=APIKeySecurityScheme(location="header", name="X-Name")
)


class ByName(CallerPerimeter):
    """Takes the name that a caller gives for its own."""

    label = "by_name"
    challenge = "Name"

    def __init__(self, *scopes: str, granted: Sequence[str] = ("read",)) -> None:
        """Demand scopes, and grant some."""
        if scopes:
            self.scopes = scopes
        self._granted = granted

    def scheme(self) -> SecurityScheme:
        """Say where the name comes."""
        return SCHEME

    async def identify(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser]:
        """Take the name."""
        name = conn.headers.get("x-name")
        if name == "unlucky":
            raise AuthenticationError(name)
        if not name:
            raise Refusal("no name")
        return VerifiedCredentials(self._granted, {"name": name}), SimpleUser(name)


async def greet(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the name of the caller."""
    user = Request(scope).user
    answer = PlainTextResponse(
        f"<{user.display_name if user.is_authenticated else ''}>"
    )
    await answer(scope, receive, send)


async def answered(
    perimeter: ByName,
    path: str = "/",
    *,
    name: str = "",
    method: str = "POST",
    root: str = "",
) -> tuple[int, dict[str, str], str]:
    """Give the answer to a request: its status, headers and text."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"x-name", name.encode())] if name else []
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        **({"root_path": root} if root else {}),
        "headers": headers,
    }
    await perimeter.wrap(greet)(scope, receive, send)
    start, body = sent
    found = {key.decode(): value.decode() for key, value in start["headers"]}
    return start["status"], found, body["body"].decode()


CARD = "/.well-known/agent-card.json"


@pytest.mark.parametrize(
    ("method", "path", "root", "is_open"),
    [
        ("GET", "/healthz", "", True),
        ("HEAD", "/readyz", "", True),
        ("GET", CARD, "", True),
        ("GET", "/agent" + CARD, "", True),
        ("GET", "/mount/healthz", "/mount", True),
        ("GET", "/mount" + CARD, "/mount", True),
        ("GET", "/mount/healthz", "", False),
        ("POST", "/healthz", "", False),
        ("POST", CARD, "", False),
        ("GET", "/", "", False),
        ("GET", "/healthz/more", "", False),
        ("GET", CARD + "/more", "", False),
    ],
    ids=range(12),
)
async def test_anybody_may_read_the_card_and_the_health(
    method: str, path: str, root: str, *, is_open: bool
) -> None:
    """And nothing else."""
    status, _, text = await answered(ByName(), path, method=method, root=root)

    assert (status, text) == (
        (200, "<>") if is_open else (401, '{"error":"unauthorized"}')
    )


async def test_who_has_a_name_gets_in_by_it() -> None:
    """With the scopes that everybody needs."""
    assert (await answered(ByName(), name="ann"))[::2] == (200, "<ann>")
    assert (await answered(ByName("read"), name="ann"))[::2] == (200, "<ann>")


async def test_who_lacks_a_scope_is_told_which_are_enough(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The name is proved, so it may know."""
    caplog.set_level(logging.INFO)

    status, headers, text = await answered(ByName("read", "write"), name="ann")

    assert (status, text) == (403, '{"error":"insufficient_scope"}')
    challenge = 'Name error="insufficient_scope", scope="read write"'
    assert headers["www-authenticate"] == challenge
    assert "by_name refused a request: insufficient_scope" in caplog.messages


@pytest.mark.parametrize(("name", "said"), [("", "no name"), ("unlucky", "unknown")])
async def test_who_has_none_is_told_nothing_but_the_scheme(
    caplog: pytest.LogCaptureFixture, name: str, said: str
) -> None:
    """The log says why."""
    caplog.set_level(logging.INFO)

    status, headers, _ = await answered(ByName(), name=name)

    assert (status, headers["www-authenticate"]) == (401, "Name")
    found = [each for each in caplog.records if each.name.endswith(".identity")]
    assert [each.getMessage() for each in found] == [
        f"by_name refused a request: {said}"
    ]


async def test_what_is_no_request_is_let_through() -> None:
    """As is the start of the application."""
    seen: list[object] = []

    async def app(scope: Scope, _: Receive, __: Send) -> None:
        seen.append(scope["type"])

    async def receive() -> Message:
        return {}

    async def send(message: Message) -> None:
        seen.append(message)

    await ByName().wrap(app)({"type": "lifespan"}, receive, send)

    assert seen == ["lifespan"]


def test_the_card_demands_one_scheme() -> None:
    """With the scopes; a second one would seem to be in its place."""
    card = AgentCard()
    ByName("read").describe(card)

    need = SecurityRequirement(schemes={"by_name": StringList(list=["read"])})
    assert dict(card.security_schemes) == {"by_name": SCHEME}
    assert (
        list(card.security_requirements) == [need] == [requirement("by_name", ["read"])]
    )
    with pytest.raises(
        ValueError, match=r"^a service has one identity recipe, not two$"
    ):
        ByName().describe(card)


@pytest.mark.parametrize("known", [True, False])
async def test_a_message_that_went_around_is_refused(*, known: bool) -> None:
    """Where nothing stands before the executor."""
    context = request_context()
    if known:
        context.call_context.user = Named()
        assert await ByName().before_agent(context) is context
        return
    with pytest.raises(Rejected) as refused:
        await ByName().before_agent(context)
    assert refused.value.reason == "unauthorized"


def test_what_was_proved_is_kept() -> None:
    """Nothing, without a token."""
    proved = VerifiedCredentials(["a", "b"], {"sub": "ann"})

    assert (proved.scopes, proved.claims) == (["a", "b"], {"sub": "ann"})
    assert (VerifiedCredentials().scopes, VerifiedCredentials().claims) == ([], {})
    assert digest("a") == digest("a") != digest("b")
    assert len(digest("a")) == len(digest("a" * 99)) == 32
