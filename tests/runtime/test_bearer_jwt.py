"""Callers with a token."""

import asyncio
import base64
import hashlib
import hmac
import json
import logging
from collections.abc import Iterator
from time import time
from typing import TypeAlias, TypedDict, Unpack

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.types import AgentCard, Message, SendMessageRequest
from starlette.authentication import AuthCredentials
from tests.runtime.asking import CARD, ask, asked, described, guarded_app
from tests.runtime.issuing import (
    AUDIENCE,
    ISSUER,
    KeyServer,
    bearer,
    ec,
    key_server,
    private_pem,
    public_jwk,
    public_pem,
    rsa,
    token,
)
from tests.runtime.messages import Verified, call_context

from runtime.recipes.authentication.bearer_jwt import BearerJwt
from runtime.seams.rejection import Rejected

pytestmark = pytest.mark.service

SHARED = "shared-secret-of-forty-eight-bytes-0123456789abc"
OTHER = "https://other.example"
INVALID = 'Bearer error="invalid_token"'


class More(TypedDict, total=False):
    """What the recipe can do without."""

    jwks_urls: tuple[str, ...]
    algorithms: tuple[str, ...]
    leeway_s: float
    subject_claim: str
    scopes: tuple[str, ...]
    skill_scopes: dict[str, tuple[str, ...]]
    jwks_ttl_s: float


class Given(More, total=False):
    """What a test gives the recipe."""

    issuers: tuple[str, ...]
    audiences: tuple[str, ...]
    key: str


def static(
    *,
    issuers: tuple[str, ...] = (ISSUER,),
    audiences: tuple[str, ...] = (AUDIENCE,),
    key: str | None = None,
    **more: Unpack[More],
) -> BearerJwt:
    """Make the recipe with the key from the environment."""
    chosen = public_pem() if key is None else key
    return BearerJwt(issuers=issuers, audiences=audiences, key=chosen, **more)


@pytest.fixture
def issuer() -> Iterator[KeyServer]:
    with key_server() as served:
        yield served


def by_url(issuer: KeyServer) -> BearerJwt:
    return BearerJwt(issuers=(ISSUER,), audiences=(AUDIENCE,), jwks_urls=(issuer.url,))


def status(perimeter: BearerJwt, text: str) -> int:
    answer = ask(perimeter, bearer(text))
    if answer.status_code == 401:
        assert answer.headers["www-authenticate"] == INVALID
        assert answer.json() == {"error": "invalid_token"}
    return answer.status_code


def test_the_subject_is_the_caller_with_scopes_and_claims() -> None:
    answer = ask(static(), bearer(token(scope="read write", tenant="acme")))
    assert answer.status_code == 200
    found = answer.json()
    assert (found["name"], found["authenticated"]) == ("alice", True)
    assert found["scopes"] == ["read", "write"]
    assert found["claims"]["tenant"] == "acme"


@pytest.mark.parametrize("kid", ["one", "anything", None])
def test_a_static_key_needs_no_name(kid: str | None) -> None:
    assert status(static(), token(kid=kid)) == 200


def test_a_static_key_may_have_its_line_breaks_written_out() -> None:
    assert status(static(key=public_pem().replace("\n", "\\n")), token()) == 200


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("Authorization", "")],
        [("Authorization", "Basic YWxpY2U6cHc=")],
        [("Authorization", "Token abc")],
    ],
)
def test_no_token_is_answered_with_the_scheme(headers: list[tuple[str, str]]) -> None:
    answer = ask(static(), headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json() == {"error": "unauthorized"}


def test_the_scheme_is_read_in_any_case() -> None:
    assert ask(static(), [("authorization", f"bEARER  {token()}")]).status_code == 200


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "a.b",
        "a.b.c",
        "....",
        "e30.e30.",
        "bnVsbA.e30.",
        "W10.W10.W10",
        "\xe9.a.b",
        f"{'W1tb' * 5000}.e30.",
    ],
)
def test_what_is_no_token_is_refused(text: str) -> None:
    assert status(static(), text) == 401


def test_a_token_with_more_behind_it_is_refused() -> None:
    assert status(static(), f"{token()} x") == 401
    assert status(static(), f"{token()},{token()}") == 401


def test_two_authorization_headers_are_refused_though_both_are_right() -> None:
    answer = ask(static(), [*bearer(token()), *bearer(token())])
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == INVALID


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": OTHER},
        {"iss": f"{ISSUER}/"},
        {"aud": "billing"},
        {"aud": ["billing", "other"]},
        {"sub": 7},
        {"sub": ""},
        {"sub": "  "},
        {"exp": "soon"},
        {"iat": int(time()) + 3600},
    ],
)
def test_a_claim_that_is_wrong_is_refused(claims: dict[str, object]) -> None:
    assert status(static(), token(also=claims)) == 401


@pytest.mark.parametrize("name", ["iss", "aud", "exp", "sub"])
def test_a_claim_that_is_missing_is_refused(name: str) -> None:
    assert status(static(), token(without=name)) == 401


def test_one_of_several_audiences_is_enough() -> None:
    perimeter = static(audiences=("orders", "returns"))
    assert status(perimeter, token(aud=["billing", "returns"])) == 200
    assert status(perimeter, token(aud="billing")) == 401


@pytest.mark.parametrize(
    ("claim", "seconds", "expected"),
    [
        ("exp", -20, 200),
        ("exp", -40, 401),
        ("nbf", 20, 200),
        ("nbf", 40, 401),
        ("iat", 20, 200),
        ("iat", 40, 401),
    ],
)
def test_clocks_may_differ_by_the_leeway(
    claim: str, seconds: int, expected: int
) -> None:
    times = {claim: int(time()) + seconds}
    assert status(static(leeway_s=30), token(also=times)) == expected
    assert status(static(leeway_s=0), token(also=times)) == 401


def test_another_key_with_the_same_name_is_refused() -> None:
    assert status(static(), token(key=rsa("thief"))) == 401


def test_a_changed_token_is_refused() -> None:
    header, _, signature = token().split(".")
    _, body, _ = token(sub="bob").split(".")
    assert status(static(), f"{header}.{body}.{signature}") == 401


def unsigned(
    algorithm: str,
    key: bytes | None = None,
    issuer: object = ISSUER,
    **header: object,
) -> str:
    """Make a token as an attacker would, past what a library refuses to make."""
    claims = {"iss": issuer, "aud": AUDIENCE, "sub": "root", "exp": int(time()) + 300}
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": algorithm, "kid": "one", **header}, claims)
    ]
    text = b".".join(parts)
    made = hmac.digest(key, text, "sha256") if key else b""
    signature = base64.urlsafe_b64encode(made).rstrip(b"=")
    return b".".join([text, signature]).decode()


def test_the_public_key_is_no_secret_to_sign_with(issuer: KeyServer) -> None:
    pem = public_pem().encode()
    for key in (pem, pem.strip(), json.dumps(issuer.keys[0]).encode()):
        forged = unsigned("HS256", key)
        assert status(static(), forged) == 401
        assert status(by_url(issuer), forged) == 401


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", "", "HS256", "RS256"])
def test_a_token_without_a_signature_is_refused(
    issuer: KeyServer, algorithm: str
) -> None:
    assert status(static(), unsigned(algorithm)) == 401
    assert status(by_url(issuer), unsigned(algorithm)) == 401


@pytest.mark.parametrize("issuer", [None, 7, [ISSUER], {"a": ISSUER}])
def test_an_issuer_that_is_no_text_is_refused(issuer: object) -> None:
    assert status(static(), unsigned("RS256", issuer=issuer)) == 401


def test_an_algorithm_that_is_not_listed_is_refused_though_the_key_fits() -> None:
    text = token(algorithm="RS512")
    assert status(static(), text) == 401
    assert status(static(algorithms=("RS256", "RS512")), text) == 200


def test_other_kinds_of_keys_are_taken_if_listed() -> None:
    curve = static(algorithms=("ES256",), key=public_pem(ec()))
    assert status(curve, token(key=ec(), algorithm="ES256")) == 200
    shared = static(algorithms=("HS256",), key=SHARED)
    assert status(shared, token(key=SHARED, algorithm="HS256")) == 200
    assert status(shared, token(key=f"{SHARED}x", algorithm="HS256")) == 401


def test_keys_by_url_verify_and_a_token_must_name_one(issuer: KeyServer) -> None:
    perimeter = by_url(issuer)
    assert status(perimeter, token()) == 200
    assert status(perimeter, token(kid=None)) == 401
    assert status(perimeter, token(kid="unknown")) == 401
    assert issuer.fetches == 1


def test_a_hundred_unknown_keys_at_once_are_one_fetch(issuer: KeyServer) -> None:
    app = guarded_app(by_url(issuer))
    texts = [token(kid=f"guess{number}") for number in range(100)]

    async def storm() -> set[int]:
        answers = await asyncio.gather(*(asked(app, bearer(text)) for text in texts))
        return {answer.status_code for answer in answers}

    assert asyncio.run(storm()) == {401}
    assert asyncio.run(storm()) == {401}
    assert issuer.fetches == 1


def test_when_no_keys_can_be_had_the_caller_may_try_again(issuer: KeyServer) -> None:
    issuer.status = 500
    answer = ask(by_url(issuer), bearer(token()))
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "30"
    assert answer.json() == {"error": "temporarily_unavailable"}


def test_old_keys_are_good_while_the_issuer_is_down(issuer: KeyServer) -> None:
    perimeter = BearerJwt(
        issuers=(ISSUER,),
        audiences=(AUDIENCE,),
        jwks_urls=(issuer.url,),
        jwks_ttl_s=0,
        jwks_cooldown_s=0,
    )
    assert status(perimeter, token()) == 200
    issuer.status = 500
    assert status(perimeter, token()) == 200
    assert issuer.fetches == 2


def test_several_issuers_have_callers_and_keys_of_their_own() -> None:
    with key_server() as first, key_server() as second:
        second.keys = [public_jwk(rsa("two"), kid="one")]
        perimeter = BearerJwt(
            issuers=(ISSUER, OTHER),
            audiences=(AUDIENCE,),
            jwks_urls=(first.url, second.url),
        )
        names = [
            ask(perimeter, bearer(text)).json()["name"]
            for text in (token(), token(iss=OTHER, key=rsa("two")))
        ]
        assert names == [f"{ISSUER}|alice", f"{OTHER}|alice"]
        assert status(perimeter, token(key=rsa("two"))) == 401
        assert status(perimeter, token(iss=OTHER)) == 401


def test_the_caller_can_be_in_another_claim() -> None:
    perimeter = static(subject_claim="email")
    answer = ask(perimeter, bearer(token(email="a@b.example")))
    assert answer.json()["name"] == "a@b.example"
    assert status(perimeter, token()) == 401
    for wrong in ("", 7, True, ["a@b.example"]):
        assert status(perimeter, token(email=wrong)) == 401


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({}, 403),
        ({"scope": "read"}, 403),
        ({"scope": "readwrite"}, 403),
        ({"scope": ["read", "write", 7]}, 403),
        ({"scope": "write read"}, 200),
        ({"scp": ["read", "write"]}, 200),
        ({"scp": "read write"}, 200),
        ({"scope": "read", "scp": ["write"]}, 200),
    ],
)
def test_the_scopes_that_all_need_are_demanded_at_the_door(
    claims: dict[str, object], expected: int
) -> None:
    answer = ask(static(scopes=("read", "write")), bearer(token(also=claims)))
    assert answer.status_code == expected
    if expected == 403:
        wanted = 'Bearer error="insufficient_scope", scope="read write"'
        assert answer.headers["www-authenticate"] == wanted


Name: TypeAlias = str | float | dict[str, str] | None

SKILLS = {"answer": (), "refund": ("orders:refund",), "audit": ("orders:audit",)}


def passes(
    *granted: str, request: Name = None, message: Name = None, auth: bool = True
) -> bool:
    """Tell whether a message with this metadata gets to the agent."""
    params = SendMessageRequest(message=Message(message_id="m"))
    if request is not None:
        params.metadata["skill_id"] = request
    if message is not None:
        params.message.metadata["skill_id"] = message
    proved = AuthCredentials(granted) if auth else None
    call = call_context(user=Verified("ann") if auth else None, auth=proved)
    context = RequestContext(call, params)
    try:
        return asyncio.run(static(skill_scopes=SKILLS).before_agent(context)) is context
    except Rejected:
        return False


def test_a_message_for_a_skill_needs_the_scopes_of_that_skill() -> None:
    assert passes(request="answer")
    assert passes("orders:refund", request="refund")
    assert passes("orders:refund", message="refund")
    assert not passes(request="refund")
    assert not passes("orders:audit", message="refund")


def test_who_names_no_skill_or_an_unknown_one_needs_the_scopes_of_all() -> None:
    everything = ("orders:refund", "orders:audit")
    names: list[Name] = [None, "unknown", "", 7, {"a": "b"}]
    for name in names:
        assert passes(*everything, request=name)
        assert not passes("orders:refund", request=name)
        assert not passes("orders:refund", message=name)
    assert not passes("orders:refund", request="refund", message="audit")
    assert not passes("orders:refund", request="answer", message="unknown")
    assert not passes(request="refund", message="answer")


def test_without_a_verified_caller_no_skill_is_reached() -> None:
    assert not passes(request="refund", auth=False)
    assert not passes(request="answer", auth=False)


def needs(card: AgentCard, skill: str | None = None) -> list[dict[str, list[str]]]:
    """Give what the card, or one of its skills, says that it needs."""
    holder = card if skill is None else next(s for s in card.skills if s.id == skill)
    return [
        {name: list(scopes.list) for name, scopes in needed.schemes.items()}
        for needed in holder.security_requirements
    ]


def test_the_card_declares_what_is_enforced() -> None:
    perimeter = static(scopes=("read",), skill_scopes=SKILLS)
    card = described(perimeter, "answer", "refund", "audit", "other")
    scheme = card.security_schemes["bearer_jwt"].http_auth_security_scheme
    assert (scheme.scheme, scheme.bearer_format) == ("bearer", "JWT")
    for word in (ISSUER, AUDIENCE, "skill_id"):
        assert word in scheme.description
    assert needs(card) == [{"bearer_jwt": ["read"]}]
    assert needs(card, "answer") == [{"bearer_jwt": ["read"]}]
    assert needs(card, "refund") == [{"bearer_jwt": ["read", "orders:refund"]}]
    everything = ["read", "orders:audit", "orders:refund"]
    assert needs(card, "other") == [{"bearer_jwt": everything}]
    declared = " ".join(needs(card)[0]["bearer_jwt"])
    assert ask(perimeter, bearer(token(scope=declared))).status_code == 200
    assert ask(perimeter, bearer(token())).status_code == 403


@pytest.mark.parametrize("skill", ["answer", "refund", "audit", "other"])
def test_what_the_card_says_of_a_skill_is_enough_for_it_and_no_less_is(
    skill: str,
) -> None:
    card = described(static(skill_scopes=SKILLS), *SKILLS, "other")
    [declared] = needs(card, skill)
    scopes = declared["bearer_jwt"]
    assert passes(*scopes, request=skill)
    for left_out in scopes:
        fewer = [scope for scope in scopes if scope != left_out]
        assert not passes(*fewer, request=skill)


def test_the_card_says_nothing_of_skills_without_scopes() -> None:
    card = described(static(), "answer")
    assert needs(card) == [{"bearer_jwt": []}]
    assert needs(card, "answer") == []
    scheme = card.security_schemes["bearer_jwt"].http_auth_security_scheme
    assert "skill_id" not in scheme.description


def test_scopes_for_a_skill_that_is_not_there_stop_the_start() -> None:
    with pytest.raises(ValueError, match=r"no skill has the id 'refund'.*answer"):
        described(static(skill_scopes=SKILLS), "answer")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"issuers": ()}, "name an issuer"),
        ({"issuers": (ISSUER, ISSUER)}, "none twice"),
        ({"issuers": (ISSUER, OTHER)}, "one key for one issuer"),
        ({"issuers": (ISSUER, "a|b")}, "'|' parts"),
        ({"audiences": ()}, "name an audience"),
        ({"audiences": ("",)}, "name an audience"),
        ({"key": ""}, "give jwks_urls or key"),
        ({"jwks_urls": ("https://login.example/keys",)}, "give jwks_urls or key"),
        ({"algorithms": ()}, "algorithms are"),
        ({"algorithms": ("none",)}, "algorithms are"),
        ({"algorithms": ("RS256", "none")}, "algorithms are"),
        ({"algorithms": ("RS256", "HS256")}, "algorithms are"),
        ({"algorithms": ("RS257",)}, "algorithms are"),
        ({"algorithms": ("RS256", "ES256")}, "no ES256 key"),
        ({"algorithms": ("HS256",)}, "no HS256 key"),
        ({"algorithms": ("HS256",), "key": "too-few-bytes"}, "no HS256 key"),
        ({"algorithms": ("HS512",), "key": SHARED}, "no HS512 key"),
        ({"key": SHARED}, "no RS256 key"),
        ({"key": private_pem()}, "private"),
        ({"key": public_pem(rsa("short", 1024))}, "no RS256 key"),
        ({"subject_claim": ""}, "name the claim"),
        ({"leeway_s": -1}, "below zero"),
        ({"jwks_ttl_s": -1}, "below zero"),
    ],
)
def test_values_that_do_not_fit_together_stop_the_start(
    given: Given, problem: str
) -> None:
    key = given.get("key")
    with pytest.raises(ValueError, match=problem.replace("|", r"\|")) as caught:
        static(**given)
    if key:
        assert key not in str(caught.value)
        assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("urls", "algorithms", "problem"),
    [
        ((), ("RS256",), "give jwks_urls or key"),
        (("https://a.example/k", "https://b.example/k"), ("RS256",), "for each"),
        (("https://a.example/k",), ("HS256",), "algorithms are"),
        (("http://a.example/k",), ("RS256",), "URL is https"),
    ],
)
def test_urls_that_do_not_fit_stop_the_start(
    urls: tuple[str, ...], algorithms: tuple[str, ...], problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        BearerJwt(
            issuers=(ISSUER,),
            audiences=(AUDIENCE,),
            jwks_urls=urls,
            algorithms=algorithms,
        )


def test_no_token_and_no_key_is_in_a_log_an_answer_or_a_repr(
    issuer: KeyServer, caplog: pytest.LogCaptureFixture
) -> None:
    texts = [
        token(),
        token(scope="read"),
        token(exp=1),
        token(kid="guess"),
        token(key=rsa("thief")),
        token(iss="https://planted.example"),
        token(aud="planted-audience"),
        token(without="sub"),
        unsigned("none"),
        unsigned("RS256", crit=["planted-extension"]),
        "planted.planted.planted",
    ]
    shared = static(algorithms=("HS256",), key=SHARED)
    issuer.delay_s = 0.01
    shown = [repr(shared)]
    with caplog.at_level(logging.DEBUG):
        for perimeter in (static(scopes=("read",)), by_url(issuer), shared):
            for text in texts:
                answer = ask(perimeter, bearer(text))
                shown.append(f"{answer.text}{answer.headers}")
        issuer.body = b"planted"
        ask(by_url(issuer), bearer(texts[0]))
    lines = [logging.Formatter().format(record) for record in caplog.records]
    assert any(line.startswith("bearer_jwt refused") for line in lines)
    # The answers' bodies say who calls, the log must not even say that.
    log = "\n".join(lines)
    everything = log + "".join(shown)
    for secret in ("planted", SHARED, public_pem().split("\n")[1]):
        assert secret not in everything
    for part in {part for text in texts for part in text.split(".") if part}:
        assert part not in everything
    assert "alice" not in log
    digest = hashlib.sha256(SHARED.encode()).hexdigest()
    assert digest not in everything


def test_the_card_is_open_and_every_other_route_is_not() -> None:
    perimeter = static()
    assert ask(perimeter, method="GET", path=CARD).status_code == 200
    assert ask(perimeter, method="GET", path="/other").status_code == 401
    assert ask(perimeter, bearer(token()), path="/other").status_code == 200
