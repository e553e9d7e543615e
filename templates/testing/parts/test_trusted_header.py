"""The gateway's word on who calls is taken, and nobody else's."""

from collections.abc import Callable
from functools import partial

import pytest
from starlette.requests import HTTPConnection

from runtime.recipes.authentication.refusal import Refusal
from runtime.recipes.authentication.trusted_header import TrustedHeader

pytestmark = pytest.mark.anyio

SECRET = "s" * 20
BY_SECRET = partial(TrustedHeader, secret=SECRET)
BY_PEER = partial(TrustedHeader, peers=("10.1.0.0/16", "2001:db8::/32"))
BY_BOTH = partial(TrustedHeader, secret=SECRET, peers=("10.1.0.0/16",))

NAMED = ("X-Forwarded-User", "ann")
PROVED = ("X-Gateway-Secret", SECRET)


def sent(*headers: tuple[str, str], client: str | None = "10.1.0.1") -> HTTPConnection:
    """Make a request with these headers, from this address."""
    raw = [(name.lower().encode(), value.encode()) for name, value in headers]
    where = None if client is None else (client, 1)
    return HTTPConnection({"type": "http", "headers": raw, "client": where})


async def refusal(recipe: TrustedHeader, conn: HTTPConnection) -> Refusal:
    """Give how a request is refused."""
    with pytest.raises(Refusal) as refused:
        await recipe.identify(conn)
    return refused.value


@pytest.mark.parametrize(
    ("recipe", "conn"),
    [
        (BY_SECRET, sent(NAMED, PROVED)),
        (BY_SECRET, sent(NAMED, PROVED, client="192.0.2.1")),
        (BY_SECRET, sent(NAMED, PROVED, client=None)),
        (BY_SECRET, sent(("x-forwarded-user", "  ann "), PROVED)),
        (BY_PEER, sent(NAMED)),
        (BY_PEER, sent(NAMED, client="10.1.255.255")),
        (BY_PEER, sent(NAMED, client="::ffff:10.1.0.1")),
        (BY_PEER, sent(NAMED, client="2001:db8::1")),
        (BY_BOTH, sent(NAMED, PROVED)),
    ],
    ids=range(9),
)
async def test_the_gateway_names_the_caller(
    recipe: Callable[[], TrustedHeader], conn: HTTPConnection
) -> None:
    """By the secret, by its address, or by both."""
    credentials, user = await recipe().identify(conn)

    assert (user.display_name, user.is_authenticated) == ("ann", True)
    assert credentials.scopes == []


@pytest.mark.parametrize(
    ("recipe", "conn"),
    [
        (BY_SECRET, sent(NAMED)),
        (BY_SECRET, sent(NAMED, ("X-Gateway-Secret", ""))),
        (BY_SECRET, sent(NAMED, ("X-Gateway-Secret", "s" * 19))),
        (BY_SECRET, sent(NAMED, ("X-Gateway-Secret", "t" * 20))),
        (BY_PEER, sent(NAMED, client="10.2.0.1")),
        (BY_PEER, sent(NAMED, client="2001:db9::1")),
        (BY_PEER, sent(NAMED, client="::ffff:10.2.0.1")),
        (BY_PEER, sent(NAMED, client="testclient")),
        (BY_PEER, sent(NAMED, client=None)),
        (BY_BOTH, sent(NAMED)),
        (BY_BOTH, sent(NAMED, PROVED, client="10.2.0.1")),
    ],
    ids=range(11),
)
async def test_nobody_else_does(
    recipe: Callable[[], TrustedHeader], conn: HTTPConnection
) -> None:
    """The log says no more."""
    refused = await refusal(recipe(), conn)

    assert str(refused) == "not from the gateway"
    assert (refused.status, refused.error) == (401, "unauthorized")


@pytest.mark.parametrize("headers", [[], [("X-Forwarded-User", "  ")]], ids=range(2))
async def test_a_caller_without_a_name_is_nobody(
    headers: list[tuple[str, str]],
) -> None:
    """The gateway has to give one."""
    refused = await refusal(BY_SECRET(), sent(PROVED, *headers))

    assert str(refused) == "the gateway names no caller"
    assert (refused.status, refused.error) == (401, "unauthorized")


@pytest.mark.parametrize("header", [NAMED, PROVED])
async def test_a_header_that_came_twice_proves_nothing(header: tuple[str, str]) -> None:
    """One of them may be the caller's own."""
    refused = await refusal(BY_SECRET(), sent(NAMED, PROVED, header))

    assert (str(refused), refused.error) == ("repeated header", "invalid_token")


async def test_the_headers_have_the_names_of_the_spec() -> None:
    """In the card too, which says who sends the name."""
    recipe = TrustedHeader(header="X-User", secret=SECRET, gateway_header="X-Proof")

    _, user = await recipe.identify(sent(("X-User", "bob"), ("X-Proof", SECRET)))

    assert user.display_name == "bob"
    scheme = recipe.scheme().api_key_security_scheme
    assert (scheme.location, scheme.name) == ("header", "X-User")
    assert scheme.description == (
        "Set by the gateway in front of this service for the caller whom it has "
        "verified. A client doesn't send it."
    )
    assert (recipe.label, recipe.challenge) == ("trusted_header", "Gateway")
    assert BY_SECRET().scheme().api_key_security_scheme.name == "X-Forwarded-User"


@pytest.mark.parametrize("secret", [None, ""])
def test_something_has_to_tell_the_gateway(secret: str | None) -> None:
    """Else anybody could name anybody."""
    with pytest.raises(ValueError, match=r"^trusted_header: give a secret or peers$"):
        TrustedHeader(secret=secret)


@pytest.mark.parametrize("secret", ["s" * 19, "s" * 20 + "ä"])
def test_a_weak_secret_is_refused_and_not_shown(secret: str) -> None:
    """A good one isn't kept."""
    with pytest.raises(ValueError, match="at least 20 ASCII characters") as refused:
        TrustedHeader(secret=secret)

    assert str(refused.value).startswith("trusted_header: a secret has ")
    assert secret not in str(refused.value)
    assert SECRET not in repr(BY_SECRET())
    with pytest.raises(ValueError, match="network"):
        TrustedHeader(peers=("a network",))
