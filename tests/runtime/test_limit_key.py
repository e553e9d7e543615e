from collections.abc import AsyncGenerator

import httpx
import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from tests.runtime.serving import Exits, Setup

from runtime.recipes.limits.key import CountedBy, counted_key
from runtime.seams.request import RequestFacts
from testing.harness import WIRES, Caller, Wire
from testing.scripted import adk_event

pytestmark = pytest.mark.service


async def answers(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("an answer")


@pytest.mark.anyio
@pytest.mark.parametrize("wire", WIRES, ids=str)
@pytest.mark.parametrize("address", ["192.0.2.7", "2001:db8::7"])
async def test_a_request_knows_where_it_came_from(wire: Wire, address: str) -> None:
    exits = Exits()
    app = Setup(script=answers, hooks={"x": exits}).application()
    transport = httpx.ASGITransport(app, client=(address, 50000))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://service") as http,
    ):
        await Caller(http, "").send("hi", wire)
    assert [outcome.request.address for outcome in exits.outcomes] == [address]


def facts(address: str = "192.0.2.7", *repeated: str, **headers: str) -> RequestFacts:
    return RequestFacts(
        address=address,
        caller=headers.pop("caller", None),
        headers={name.replace("_", "-"): text for name, text in headers.items()},
        repeated_headers=frozenset(repeated),
    )


@pytest.mark.parametrize(
    ("by", "one", "other"),
    [
        ("user", facts(caller="a"), facts("192.0.2.8", caller="a")),
        ("user", facts(), facts(x_tenant="t")),
        ("tenant", facts(x_tenant="t"), facts("192.0.2.8", x_tenant="t")),
        ("key", facts(x_tenant="t"), facts("192.0.2.8", x_tenant="t")),
        ("tenant", facts(caller="a"), facts(caller="b")),
        ("tenant", facts("192.0.2.7", "x-tenant", x_tenant="t"), facts()),
        ("address", facts(caller="a"), facts(caller="b")),
        ("address", facts("2001:db8::7"), facts("2001:db8::ffff:0:8")),
        ("address", facts("::ffff:192.0.2.7"), facts("192.0.2.7")),
        ("address", facts("a.sock"), facts("a.sock")),
    ],
)
def test_the_same_caller(by: CountedBy, one: RequestFacts, other: RequestFacts) -> None:
    assert key(by, one) == key(by, other)


@pytest.mark.parametrize(
    ("by", "one", "other"),
    [
        ("user", facts(caller="a"), facts(caller="b")),
        ("user", facts(caller="192.0.2.7"), facts()),
        ("user", facts(), facts("192.0.2.8")),
        ("tenant", facts(x_tenant="t"), facts(x_tenant="u")),
        ("address", facts("2001:db8:0:1::7"), facts("2001:db8:0:2::7")),
        ("address", facts(""), facts()),
    ],
)
def test_another_caller(by: CountedBy, one: RequestFacts, other: RequestFacts) -> None:
    assert key(by, one) != key(by, other)


def test_a_tenant_and_a_key_of_one_text_are_two() -> None:
    given = facts(x_tenant="t")
    assert key("tenant", given) != key("key", given)


def test_a_name_of_any_text_makes_a_key() -> None:
    assert key("user", facts(caller="\udcff")).isascii()


def key(by: CountedBy, given: RequestFacts) -> str:
    return counted_key(given, by, "X-Tenant" if by in ("tenant", "key") else None)
