"""A bearer token tells who calls; settings that don't fit stop the start."""

from typing import TypedDict

import jwt
import pytest
from a2a.server.routes.common import StarletteUser
from a2a.types import AgentCard, AgentSkill
from starlette.authentication import (
    AuthCredentials,
    AuthenticationError,
    SimpleUser,
)
from starlette.requests import HTTPConnection

from runtime.recipes.authentication import bearer_jwt
from runtime.recipes.authentication.bearer_jwt import BearerJwt
from runtime.recipes.authentication.identity import VerifiedCredentials
from runtime.recipes.authentication.jwks import JwksKeys, KeysUnavailable
from runtime.recipes.authentication.refusal import Refusal
from runtime.seams.rejection import Rejected

from .scripted import request_context

URL = "https://one.example/keys"
SECRET = "s" * 64
TOKEN = jwt.encode(
    {"iss": "one", "aud": "me", "sub": "ann", "exp": 1e10, "scope": "b a"}, SECRET
)


class Given(TypedDict, total=False):
    """Settings of the recipe."""

    issuers: tuple[str, ...]
    audiences: tuple[str, ...]
    jwks_urls: tuple[str, ...]
    key: str
    algorithms: tuple[str, ...]
    leeway_s: float
    jwks_ttl_s: float
    jwks_cooldown_s: float
    subject_claim: str


def built(given: Given) -> BearerJwt:
    """Build the recipe with these in place of settings that fit."""
    by_url: Given = {"issuers": ("one",), "audiences": ("me",), "jwks_urls": (URL,)}
    whole: Given = {**by_url, **given}
    return BearerJwt(**whole)


@pytest.mark.parametrize(
    "given",
    [
        Given(),
        Given(issuers=("one", "two"), audiences=("me", "us"), jwks_urls=(URL, URL)),
        Given(issuers=("o|ne",)),
        Given(jwks_urls=(), key=SECRET, algorithms=("HS256", "HS384", "HS512")),
        Given(leeway_s=0, jwks_ttl_s=0, jwks_cooldown_s=0),
        Given(algorithms=("ES256", "EdDSA")),
    ],
    ids=range(6),
)
def test_settings_that_fit_are_taken(given: Given) -> None:
    """By key sets, or by one key of one issuer."""
    scheme = built(given).scheme().http_auth_security_scheme

    assert (scheme.scheme, scheme.bearer_format) == ("bearer", "JWT")
    issuers = " or ".join(given.get("issuers", ("one",)))
    audiences = " or ".join(given.get("audiences", ("me",)))
    assert built(given).challenge == "Bearer"
    assert scheme.description == f"A token from {issuers} for the audience {audiences}."


ISSUER = "name an issuer, and none twice"
KEY_SETS = "give a key set for each issuer, or one key for one issuer"
ALGORITHMS = "algorithms are asymmetric; with a key, they may all be HS"


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (
            Given(issuers=(), jwks_urls=()),
            f"{ISSUER}; give jwks_urls or key",
        ),
        (Given(issuers=("one", "one"), jwks_urls=(URL, URL)), ISSUER),
        (
            Given(issuers=("o|ne", "two"), jwks_urls=(URL, URL)),
            "'|' parts several issuers from the caller, so none may have it",
        ),
        (Given(audiences=()), "name an audience"),
        (Given(audiences=("me", "")), "name an audience"),
        (Given(jwks_urls=()), f"give jwks_urls or key; {KEY_SETS}"),
        (Given(key=SECRET, algorithms=("HS256",)), "give jwks_urls or key"),
        (Given(issuers=("one", "two")), KEY_SETS),
        (
            Given(
                issuers=("one", "two"), jwks_urls=(), key=SECRET, algorithms=("HS256",)
            ),
            KEY_SETS,
        ),
        (Given(algorithms=()), ALGORITHMS),
        (Given(algorithms=("HS256",)), ALGORITHMS),
        (Given(algorithms=("none",)), ALGORITHMS),
        (Given(jwks_urls=(), key=SECRET, algorithms=("HS256", "RS256")), ALGORITHMS),
        (Given(subject_claim=""), "name the claim of the subject"),
        (Given(leeway_s=-1), "no time is below zero"),
        (Given(jwks_ttl_s=-1), "no time is below zero"),
        (Given(jwks_cooldown_s=-1), "no time is below zero"),
    ],
    ids=range(17),
)
def test_others_are_refused_by_what_they_break(given: Given, rule: str) -> None:
    """And by nothing of a key."""
    with pytest.raises(ValueError, match=r"^bearer_jwt: ") as refused:
        built(given)
    assert str(refused.value) == f"bearer_jwt: {rule}"


def by_key(**skill_scopes: tuple[str, ...]) -> BearerJwt:
    """Build the recipe with one key."""
    return BearerJwt(
        issuers=("one",),
        audiences=("me",),
        key=SECRET,
        algorithms=("HS256",),
        skill_scopes=skill_scopes or None,
    )


def sent(*values: str) -> HTTPConnection:
    """Make a request with these in its header."""
    headers = [(b"authorization", value.encode()) for value in values]
    return HTTPConnection({"type": "http", "headers": headers})


async def refusal(recipe: BearerJwt, conn: HTTPConnection) -> Refusal:
    """Give how a request is refused."""
    with pytest.raises(AuthenticationError) as refused:
        await recipe.identify(conn)
    assert isinstance(refused.value, Refusal)
    return refused.value


@pytest.mark.anyio
@pytest.mark.parametrize("scheme", ["Bearer ", "bearer  "])
async def test_a_token_tells_who_calls(scheme: str) -> None:
    """And all that its issuer says of the caller."""
    credentials, user = await by_key().identify(sent(f"{scheme}{TOKEN} "))

    assert user.display_name == "ann"
    assert isinstance(credentials, VerifiedCredentials)
    assert credentials.scopes == ["a", "b"]
    assert credentials.claims["aud"] == "me"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("values", "reason", "error"),
    [
        ([], "no bearer token", "unauthorized"),
        ([TOKEN], "no bearer token", "unauthorized"),
        ([f"Basic {TOKEN}"], "no bearer token", "unauthorized"),
        (["Bearer"], "DecodeError", "invalid_token"),
        ([f"Bearer {TOKEN}x"], "InvalidSignatureError", "invalid_token"),
        ([f"Bearer {TOKEN}"] * 2, "repeated header", "invalid_token"),
    ],
    ids=range(6),
)
async def test_another_header_is_refused(
    values: list[str], reason: str, error: str
) -> None:
    """By the name of what is wrong; the token isn't in the log."""
    refused = await refusal(by_key(), sent(*values))

    assert (str(refused), refused.error, refused.status) == (reason, error, 401)


@pytest.mark.anyio
@pytest.mark.parametrize(("cooldown_s", "wait_s"), [(0, 1), (7, 7)])
async def test_without_keys_nobody_is_known(
    monkeypatch: pytest.MonkeyPatch, cooldown_s: float, wait_s: int
) -> None:
    """That is no fault of the caller's, who may come back."""

    async def find(*_: object) -> object:
        raise KeysUnavailable("no keys")

    monkeypatch.setattr(JwksKeys, "find", find)

    given = built(Given(jwks_cooldown_s=cooldown_s))
    refused = await refusal(given, sent(f"Bearer {TOKEN}"))

    assert (str(refused), refused.status) == ("no keys", 503)
    assert (refused.error, refused.retry_after_s) == ("temporarily_unavailable", wait_s)


def test_each_issuer_has_its_own_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fetched as the settings say, for the algorithms that may sign."""
    made: list[tuple[object, ...]] = []

    def keys(*given: object, ttl_s: float, cooldown_s: float) -> None:
        made.append((*given, ttl_s, cooldown_s))

    monkeypatch.setattr(bearer_jwt, "JwksKeys", keys)
    urls = (URL, "https://two.example/keys")

    built(Given(issuers=("one", "two"), jwks_urls=urls))
    built(Given(algorithms=("ES256",), jwks_ttl_s=7, jwks_cooldown_s=3))

    assert built(Given()).leeway_s == 30
    assert made[:2] == [(url, ("RS256",), 600, 30) for url in urls]
    assert made[2:3] == [(URL, ("ES256",), 7, 3)]


@pytest.mark.anyio
async def test_a_message_needs_a_caller_and_the_scopes_of_its_skill() -> None:
    """Where skills have some."""
    recipe, context = by_key(pay=("a",)), request_context()
    with pytest.raises(Rejected, match="unauthorized"):
        await by_key().before_agent(context)

    context.call_context.user = StarletteUser(SimpleUser("ann"))

    with pytest.raises(Rejected, match="insufficient scope"):
        await recipe.before_agent(context)
    assert await by_key().before_agent(context) is context
    context.call_context.state["auth"] = AuthCredentials(["a"])
    assert await recipe.before_agent(context) is context


def test_the_card_says_what_a_skill_needs() -> None:
    """Where the recipe knows of skills."""
    card = AgentCard(skills=[AgentSkill(id="pay")])

    by_key(pay=("pay",)).describe(card)

    scheme = card.security_schemes["bearer_jwt"].http_auth_security_scheme
    assert scheme.description == (
        "A token from one for the audience me. "
        "Name the skill that a message is for in metadata 'skill_id'."
    )
    (need,) = card.skills[0].security_requirements
    assert list(need.schemes["bearer_jwt"].list) == ["pay"]
    assert SECRET not in repr(by_key())
