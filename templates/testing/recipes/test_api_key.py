"""Who gets in with a key, and as whom."""

import pytest

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
from .harness import WIRES, Caller, Wire

NAME = "api_key"
KEYS = "ann:a-key-of-the-tests-for-ann,bob:a-key-of-the-tests-for-bob"
HEADER = "X-API-Key"

ANN, BOB = (
    {HEADER: key} for key in (pair.partition(":")[2] for pair in KEYS.split(","))
)
NOBODY: Headers = {}

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> TellingAgent:
    """An agent that says who calls."""
    return TellingAgent(name="scripted", description="Says who calls.")


@each_wire
async def test_the_name_of_the_key_is_the_caller(caller: Caller, wire: Wire) -> None:
    """ADK's user is who the key was given to."""
    reply = await say(caller, ANN, wire)

    assert reply.state == "completed"
    assert "caller <ann>" in reply.text


async def test_without_a_key_every_method_is_refused(
    caller: Caller, agent: TellingAgent
) -> None:
    """Also reading, listing, canceling and subscribing."""
    await assert_refused(caller, NOBODY, 401, "ApiKey")
    assert agent.runs == 0


@pytest.mark.parametrize("key", ["", "another-key-of-nobody", ANN[HEADER][:-1]])
async def test_what_is_no_key_is_refused(
    caller: Caller, agent: TellingAgent, key: str
) -> None:
    """A part of a key is none."""
    await assert_refused(caller, {HEADER: key}, 401, "ApiKey")
    assert agent.runs == 0


async def test_there_is_no_way_around_the_service(agent: TellingAgent) -> None:
    """Served by ADK's own application, it answers nobody."""
    await assert_adk_lets_nobody_in(agent, ANN)


async def test_card_and_health_are_open(caller: Caller) -> None:
    """A client reads there what it has to send."""
    await assert_card_and_health_are_open(caller)


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_the_task_of_another_is_not_found(caller: Caller, version: str) -> None:
    """It belongs to whose key began it."""
    await assert_nobody_reads_it_but(caller, ANN, BOB, version)


@each_wire
async def test_the_card_declares_what_is_enforced(caller: Caller, wire: Wire) -> None:
    """A key in the header that the card names opens the door."""
    card = await declared(caller)

    reply = await say(caller, {str(card.scheme["name"]): ANN[HEADER]}, wire)

    assert (card.scheme["type"], card.scheme["in"]) == ("apiKey", "header")
    assert card.scopes == []
    assert reply.state == "completed"
