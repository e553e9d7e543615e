"""What of a request reaches the agent's state, and what is refused."""

from collections.abc import AsyncGenerator
from json import dumps, loads
from typing import Literal

import httpx
import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from starlette.authentication import AuthCredentials, SimpleUser
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from .harness import WIRES, Caller, Content, Json, Wire, running
from .scripted import Factory, ScriptedAgent, adk_event
from .subject import PATH, create_app

NAME = "request_state"
KEY = "tenant"
HEADER: str | None = "X-Tenant"
CLAIM: str | None = None
METADATA: str | None = None
SCOPE: Literal["temp", "session", "user"] = "temp"
KIND: Literal["str", "int", "float", "bool"] = "str"
MAX_LENGTH = 1024
ON_MISSING: Literal["reject", "keep", "default"] = "reject"
DEFAULT: str | float | None = None
ON_REPEATED: Literal["reject", "first"] = "reject"
VALUE: str | float = "given"
"""A value that is taken."""

PREFIX = {"temp": "temp:", "session": "", "user": "user:"}[SCOPE]

SOURCE = "header" if HEADER else "claim" if CLAIM else "metadata"
SOURCE_NAME = HEADER or CLAIM or METADATA or ""
CLAIMS = "X-Claims-Of-The-Test"
"""The header that tells the stand-in below what is proved of a caller."""

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


def is_text(kind: str) -> bool:
    """Tell whether a text is of the kind."""
    return kind == "str"


class ReadingAgent(ScriptedAgent):
    """Says what stands in its state, and of which type it is."""

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        self.runs += 1
        found: object = ctx.session.state.get(PREFIX + KEY)
        event = adk_event(f"{type(found).__name__} {found}")
        event.invocation_id = ctx.invocation_id
        yield event


class Proved(AuthCredentials):
    """What the stand-in proves of a caller."""

    def __init__(self, claims: dict[str, Json]) -> None:
        """Hold the claims."""
        super().__init__()
        self.claims = claims


class Verifier:
    """Stands for the recipe that verifies callers."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around the application."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let each caller in, with the claims that the test gives them."""
        claims = loads(Headers(scope=scope).get(CLAIMS, "{}"))
        proved = {"auth": Proved(claims), "user": SimpleUser("ann")}
        await self.app({**scope, **proved}, receive, send)


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> ReadingAgent:
    """An agent that reads its state."""
    return ReadingAgent(name="scripted", description="Reads its state.")


@pytest.fixture
async def caller(agent: ReadingAgent, factory: Factory) -> AsyncGenerator[Caller, None]:
    """A caller of the service, who is verified if a claim is looked for."""
    app = create_app(agent=agent, runner_factory=factory)
    if SOURCE == "claim":
        app.add_middleware(Verifier)
    async with running(app, PATH) as caller:
        yield caller


def carrying(value: Json) -> Content:
    """Make a message that carries a value where the recipe looks for it."""
    parts: list[dict[str, Json]] = [{"text": "hello"}]
    if SOURCE == "header":
        return Content(parts=parts, headers={SOURCE_NAME: str(value)})
    if SOURCE == "claim":
        return Content(parts=parts, headers={CLAIMS: dumps({SOURCE_NAME: value})})
    return Content(parts=parts, metadata={SOURCE_NAME: value})


@each_wire
async def test_the_value_is_in_the_state_from_the_first_step(
    caller: Caller, wire: Wire
) -> None:
    """It has the type that the spec says."""
    reply = await caller.send(carrying(VALUE), wire)

    assert f"{KIND} {VALUE}" in reply.text


@each_wire
async def test_without_a_value_the_spec_decides(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """It is refused by name, or the default or nothing stands there."""
    reply = await caller.send("hello", wire)

    if ON_MISSING == "reject":
        assert reply.error_data["reason"] == f"missing_{SOURCE}"
        assert reply.error_data["policy"] == NAME
        assert SOURCE_NAME in reply.text
        assert agent.runs == 0
    else:
        assert f"{type(DEFAULT).__name__} {DEFAULT}" in reply.text


@each_wire
async def test_a_value_that_is_too_long_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """It isn't cut, and it isn't repeated."""
    # No id, of which an answer has some, holds the character.
    long = "~" * (MAX_LENGTH + 1)

    reply = await caller.send(carrying(long), wire)

    assert reply.error_data["reason"] == f"invalid_{SOURCE}"
    assert long not in str(reply.answers)
    assert agent.runs == 0


@pytest.mark.skipif(not HEADER, reason="it comes from no header")
@each_wire
async def test_a_header_that_came_twice_is_as_the_spec_says(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """A proxy and the service could each read another one."""
    twice = [(SOURCE_NAME, str(VALUE)), (SOURCE_NAME, "another")]
    caller.http.headers = httpx.Headers(twice)

    reply = await caller.send("hello", wire)

    if ON_REPEATED == "reject":
        assert reply.error_data["reason"] == "repeated_header"
        assert SOURCE_NAME in reply.text
        assert agent.runs == 0
    else:
        assert f"{KIND} {VALUE}" in reply.text


@pytest.mark.skipif(is_text(KIND), reason="every text is a text")
@each_wire
async def test_a_value_of_another_kind_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """Nothing is guessed."""
    reply = await caller.send(carrying("neither"), wire)

    assert reply.error_data["reason"] == f"invalid_{SOURCE}"
    assert agent.runs == 0


@pytest.mark.skipif(not CLAIM, reason="it comes from no claim")
@each_wire
async def test_a_client_can_not_set_what_a_claim_sets(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """What it writes under the claim's name or the key counts as nothing."""
    forged: dict[str, Json] = {SOURCE_NAME: VALUE, KEY: VALUE}

    reply = await caller.send(Content(parts=[{"text": "hi"}], metadata=forged), wire)

    if ON_MISSING == "reject":
        assert reply.error_data["reason"] == f"missing_{SOURCE}"
        assert agent.runs == 0
    else:
        assert f"{type(DEFAULT).__name__} {DEFAULT}" in reply.text
