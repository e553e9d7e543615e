"""Whose token opens the door, as whom, and for what."""

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from time import time

import jwt
import pytest
from a2a.types import AgentCard, AgentSkill

from .callers import (
    Headers,
    TellingAgent,
    assert_adk_lets_nobody_in,
    assert_card_and_health_are_open,
    assert_nobody_reads_it_but,
    assert_refused,
    declared,
    say,
)
from .harness import WIRES, Caller, Json, Reply, Wire
from .signing import PrivateKey, as_pem, key_set, signing_key
from .subject import ENVIRONMENT, executor

NAME = "bearer_jwt"
ISSUERS: tuple[str, ...] = ("https://login.example.com/",)
AUDIENCES: tuple[str, ...] = ("orders",)
JWKS_URLS: tuple[str, ...] = ("https://login.example.com/.well-known/jwks.json",)
KEY: str | None = None
ALGORITHMS: tuple[str, ...] = ("RS256",)
LEEWAY_S: float = 30
SUBJECT_CLAIM = "sub"
SCOPES: tuple[str, ...] = ()
SKILL_SCOPES: dict[str, tuple[str, ...]] | None = None

SKILLS: Mapping[str, tuple[str, ...]] = SKILL_SCOPES or {}
OF_SKILLS = sorted({scope for scopes in SKILLS.values() for scope in scopes})
ALL_SCOPES = [*SCOPES, *OF_SKILLS]
INVALID = 'Bearer error="invalid_token"'

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


def key_of(owner: str, algorithm: str) -> PrivateKey:
    """Give what an owner signs with: an issuer's own key, or another one."""
    shared = KEY if algorithm.startswith("HS") and owner in ISSUERS else None
    return shared or signing_key(owner, algorithm)


def token(
    change: Mapping[str, Json] | None = None,
    *,
    issuer: str = ISSUERS[0],
    signer: str | None = None,
    algorithm: str = ALGORITHMS[0],
) -> str:
    """Sign a token that is right and grants everything, but for what is given."""
    claims: dict[str, Json] = {
        "iss": issuer,
        "aud": AUDIENCES[-1],
        SUBJECT_CLAIM: "ann",
        "exp": int(time()) + 3600,
        "scope": " ".join(ALL_SCOPES),
        **(change or {}),
    }
    key = key_of(signer or issuer, algorithm)
    return jwt.encode(claims, key, algorithm, headers={"kid": f"{issuer} {algorithm}"})


def bearer(text: str) -> Headers:
    """Give the header that carries a token."""
    return {"Authorization": f"Bearer {text}"}


def granting(*scopes: str) -> Headers:
    """Give the header that carries a token with these scopes."""
    return bearer(token({"scope": " ".join(scopes)}))


WRONG: Mapping[str, Callable[[], str]] = {
    "is none": lambda: "not-a-token",
    "issuer": lambda: token({"iss": "https://not-listed.invalid/"}),
    "audience": lambda: token({"aud": "not-listed"}),
    "expired": lambda: token({"exp": int(time() - LEEWAY_S) - 60}),
    "subject": lambda: token({SUBJECT_CLAIM: " "}),
    "signer": lambda: token(signer="somebody else"),
}
"""What is wrong with a token, and such a token."""


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> TellingAgent:
    """An agent that says who calls."""
    return TellingAgent(name="scripted", description="Says who calls.")


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys of the issuers, without a network."""

    async def download(url: str) -> bytes:
        named = [i for i, at in zip(ISSUERS, JWKS_URLS, strict=True) if at == url]
        of_each = [(i, name) for i in named for name in ALGORITHMS]
        return key_set((key_of(*each), each[1], " ".join(each)) for each in of_each)

    download_of_keys = f"{executor.__package__}.recipes.authentication.jwks.download"
    monkeypatch.setattr(download_of_keys, download)
    for name in [name for name, value in ENVIRONMENT.items() if value == KEY]:
        monkeypatch.setenv(name, as_pem(key_of(ISSUERS[0], ALGORITHMS[0])))


@pytest.fixture(autouse=True)
def _skills(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted agent's card has the skills that the spec names."""
    module = import_module(".serving.application", executor.__package__)
    build_card: Callable[..., Awaitable[AgentCard]] = module.build_card

    async def with_skills(*arguments: object, **more: object) -> AgentCard:
        card = await build_card(*arguments, **more)
        card.skills.extend(AgentSkill(id=name, name=name) for name in SKILLS)
        return card

    monkeypatch.setattr(module, "build_card", with_skills)


def assert_lacks_scope(reply: Reply, agent: TellingAgent) -> None:
    """The caller is told so, and nothing has run."""
    assert reply.error_data["reason"] == "insufficient_scope"
    assert reply.error_data["policy"] == NAME
    assert agent.runs == 0


@pytest.mark.parametrize("issuer", ISSUERS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@each_wire
async def test_the_subject_of_the_token_is_the_caller(
    caller: Caller, issuer: str, algorithm: str, wire: Wire
) -> None:
    """ADK's user; of several issuers each has its own subjects."""
    reply = await say(caller, bearer(token(issuer=issuer, algorithm=algorithm)), wire)

    name = "ann" if len(ISSUERS) == 1 else f"{issuer}|ann"
    assert reply.state == "completed"
    assert f"caller <{name}>" in reply.text


async def test_without_a_token_every_method_is_refused(
    caller: Caller, agent: TellingAgent
) -> None:
    """Also reading, listing, canceling and subscribing."""
    await assert_refused(caller, {}, 401, "Bearer")
    assert agent.runs == 0


@pytest.mark.parametrize("wrong", WRONG)
async def test_a_token_with_something_wrong_is_refused(
    caller: Caller, agent: TellingAgent, wrong: str
) -> None:
    """Whatever it is, the caller reads the same."""
    await assert_refused(caller, bearer(WRONG[wrong]()), 401, INVALID)
    assert agent.runs == 0


@pytest.mark.skipif(LEEWAY_S < 10, reason="clocks may hardly differ")
@each_wire
async def test_clocks_may_differ_as_the_spec_says(caller: Caller, wire: Wire) -> None:
    """A token that has just expired gets in."""
    late = token({"exp": int(time() - LEEWAY_S / 2)})

    assert (await say(caller, bearer(late), wire)).state == "completed"


async def test_there_is_no_way_around_the_service(agent: TellingAgent) -> None:
    """Served by ADK's own application, it answers nobody."""
    await assert_adk_lets_nobody_in(agent, bearer(token()))


async def test_card_and_health_are_open(caller: Caller) -> None:
    """A client reads there what it has to send."""
    await assert_card_and_health_are_open(caller)


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_the_task_of_another_is_not_found(caller: Caller, version: str) -> None:
    """It belongs to the subject that began it."""
    ann, bob = bearer(token()), bearer(token({SUBJECT_CLAIM: "bob"}))

    await assert_nobody_reads_it_but(caller, ann, bob, version)


@each_wire
async def test_the_card_declares_what_is_enforced(caller: Caller, wire: Wire) -> None:
    """The scopes that it names are enough, and none of them is too many."""
    card = await declared(caller)

    reply = await say(caller, granting(*card.scopes, *OF_SKILLS), wire)

    assert (card.scheme["type"], card.scheme["scheme"]) == ("http", "bearer")
    assert sorted(card.scopes) == sorted(SCOPES)
    assert reply.state == "completed"


@pytest.mark.parametrize("missing", SCOPES)
async def test_without_a_scope_every_method_is_refused(
    caller: Caller, agent: TellingAgent, missing: str
) -> None:
    """The answer names what is needed."""
    too_few = granting(*(scope for scope in ALL_SCOPES if scope != missing))
    challenge = f'Bearer error="insufficient_scope", scope="{" ".join(SCOPES)}"'

    await assert_refused(caller, too_few, 403, challenge)
    assert agent.runs == 0


@pytest.mark.parametrize("skill", SKILLS)
@each_wire
async def test_a_skill_needs_its_scopes_and_no_others(
    caller: Caller, agent: TellingAgent, wire: Wire, skill: str
) -> None:
    """A message names its skill in metadata."""
    needed, named = SKILLS[skill], {"skill_id": skill}

    refused = await say(caller, granting(*SCOPES), wire, metadata=named)
    if set(needed) - set(SCOPES):
        assert_lacks_scope(refused, agent)
    else:
        assert refused.state == "completed"
    taken = await say(caller, granting(*SCOPES, *needed), wire, metadata=named)

    assert taken.state == "completed"


@pytest.mark.skipif(not set(OF_SKILLS) - set(SCOPES), reason="no skill needs more")
@each_wire
async def test_who_names_no_skill_needs_the_scopes_of_all(
    caller: Caller, agent: TellingAgent, wire: Wire
) -> None:
    """Nobody gets further by naming none."""
    assert_lacks_scope(await say(caller, granting(*SCOPES), wire), agent)
