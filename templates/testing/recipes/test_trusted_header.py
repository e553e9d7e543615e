"""Whom the gateway names gets in; whom anybody else names doesn't."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from ipaddress import ip_address, ip_network

import httpx
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
from .scripted import Factory
from .subject import PATH, create_app

NAME = "trusted_header"
HEADER = "X-Forwarded-User"
PEERS: tuple[str, ...] = ()
PROOF: dict[str, str] = {"X-Gateway-Secret": "what-the-gateway-of-the-tests-knows"}
"""What the gateway sends to be known; nothing if only its address counts."""
GATEWAYS: tuple[str, ...] = ()
"""An address of each network that it connects from."""

ANN, BOB = ({HEADER: name, **PROOF} for name in ("ann", "bob"))
GATEWAY = next(iter(GATEWAYS), "127.0.0.1")
SOMEWHERE = ("192.0.2.1", "198.51.100.1", "2001:db8::1")

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


def outsiders(networks: tuple[str, ...]) -> list[str]:
    """Give addresses that the gateway doesn't connect from."""
    known = [ip_network(network) for network in networks]
    if not known:
        return []
    found = [a for a in SOMEWHERE if not any(ip_address(a) in n for n in known)]
    return [*found, "not-an-address"]


@asynccontextmanager
async def calling_from(
    address: str, agent: TellingAgent, factory: Factory
) -> AsyncGenerator[Caller, None]:
    """Start the service, and call it from an address."""
    app = create_app(agent=agent, runner_factory=factory)
    transport = httpx.ASGITransport(app, client=(address, 50000))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://service") as http,
    ):
        yield Caller(http, PATH)


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> TellingAgent:
    """An agent that says who calls."""
    return TellingAgent(name="scripted", description="Says who calls.")


@pytest.fixture
async def caller(agent: TellingAgent, factory: Factory) -> AsyncGenerator[Caller, None]:
    """A caller who comes through the gateway."""
    async with calling_from(GATEWAY, agent, factory) as caller:
        yield caller


@each_wire
async def test_the_name_in_the_header_is_the_caller(caller: Caller, wire: Wire) -> None:
    """ADK's user is whom the gateway names."""
    reply = await say(caller, ANN, wire)

    assert reply.state == "completed"
    assert "caller <ann>" in reply.text


@pytest.mark.parametrize("address", GATEWAYS)
async def test_each_network_of_the_gateway_is_believed(
    agent: TellingAgent, factory: Factory, address: str
) -> None:
    """It may connect from several."""
    async with calling_from(address, agent, factory) as caller:
        reply = await say(caller, ANN)

    assert "caller <ann>" in reply.text


@pytest.mark.parametrize("address", outsiders(PEERS))
async def test_another_address_is_refused_whatever_it_sends(
    agent: TellingAgent, factory: Factory, address: str
) -> None:
    """Whoever reaches the service beside the gateway names nobody."""
    async with calling_from(address, agent, factory) as caller:
        forged = {**ANN, "X-Forwarded-For": GATEWAY}
        await assert_refused(caller, forged, 401, "Gateway")
    assert agent.runs == 0


@pytest.mark.parametrize("header", PROOF)
@pytest.mark.parametrize("sent", [None, "", "something-else-of-some-length"])
async def test_without_the_secret_the_name_is_refused(
    caller: Caller, agent: TellingAgent, header: str, sent: str | None
) -> None:
    """The name alone proves nothing."""
    forged = {name: value for name, value in ANN.items() if name != header}
    if sent is not None:
        forged[header] = sent

    await assert_refused(caller, forged, 401, "Gateway")
    assert agent.runs == 0


@pytest.mark.parametrize("name", [None, "", " "])
async def test_without_a_name_every_method_is_refused(
    caller: Caller, agent: TellingAgent, name: str | None
) -> None:
    """Also reading, listing, canceling and subscribing."""
    nobody: Headers = PROOF if name is None else {**PROOF, HEADER: name}

    await assert_refused(caller, nobody, 401, "Gateway")
    assert agent.runs == 0


async def test_there_is_no_way_around_the_service(agent: TellingAgent) -> None:
    """Served by ADK's own application, it answers nobody."""
    await assert_adk_lets_nobody_in(agent, ANN)


async def test_card_and_health_are_open(caller: Caller) -> None:
    """A client reads there what it has to do."""
    await assert_card_and_health_are_open(caller)


@pytest.mark.parametrize("version", ["1.0", "0.3"])
async def test_the_task_of_another_is_not_found(caller: Caller, version: str) -> None:
    """It belongs to whom the gateway named."""
    await assert_nobody_reads_it_but(caller, ANN, BOB, version)


@each_wire
async def test_the_card_declares_what_is_enforced(caller: Caller, wire: Wire) -> None:
    """The name in the header that the card names opens the door."""
    card = await declared(caller)

    reply = await say(caller, {**PROOF, str(card.scheme["name"]): "ann"}, wire)

    assert (card.scheme["type"], card.scheme["in"]) == ("apiKey", "header")
    assert card.scopes == []
    assert reply.state == "completed"
