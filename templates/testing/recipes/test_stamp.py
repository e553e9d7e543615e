"""What stamp tells on the last status, and that nothing else is told."""

import json
from asyncio import sleep
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types

from .harness import WIRES, Caller, Json, Reply, Wire
from .scripted import ScriptedAgent, adk_event

NAME = "stamp"
KEY = "stamp"
FIELDS: tuple[str, ...] = ("usage", "ids", "timings")
PRICES: dict[str, str] | None = None
CURRENCY = "USD"
TAGS: tuple[str, ...] = ()
SESSION_STATE: tuple[str, ...] = ()
MAX_BYTES = 4096

GIVEN_PRICES: Mapping[str, str] = PRICES or {}
ENTRIES = {
    "ids": ["correlation_id", "invocation_id"],
    "timings": ["started_at", "duration_ms"],
    "usage": ["usage"],
}
WANTED = [
    *(name for field in ENTRIES if field in FIELDS for name in ENTRIES[field]),
    *(["cost", "currency"] if GIVEN_PRICES else []),
    *(["tags"] if TAGS else []),
    *(["session_state"] if SESSION_STATE else []),
]

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


class UsingAgent(ScriptedAgent):
    """Uses 120 tokens, and 34 for the answer, which it tells in parts first.

    Attributes:
        model: What it says that it asked.
        value: What it puts into the session's state.
        thinks_s: How many seconds it takes before it says anything.
    """

    model: str = "some model"
    value: str = "new"
    thinks_s: float = 0

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        await sleep(self.thinks_s)
        for partial in (True, True, False):
            event = adk_event("of a model")
            event.invocation_id = ctx.invocation_id
            event.partial = partial
            event.model_version = self.model
            event.usage_metadata = types.GenerateContentResponseUsageMetadata(
                prompt_token_count=100,
                tool_use_prompt_token_count=20,
                candidates_token_count=30,
                thoughts_token_count=4,
                total_token_count=154,
            )
            if not partial:
                event.actions.state_delta.update(
                    dict.fromkeys(SESSION_STATE, self.value)
                )
            yield event
        async for event in super()._run_async_impl(ctx):
            yield event


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> UsingAgent:
    """An agent that uses tokens."""
    return UsingAgent(name="scripted", description="Uses tokens.")


def stamp_of(reply: Reply) -> dict[str, Json]:
    """Give what the last status tells."""
    found = reply.metadata(KEY)[-1]
    assert isinstance(found, dict)
    return found


def assert_whole(stamp: dict[str, Json]) -> None:
    """All that is wanted is there, or named as left out, in the size allowed."""
    left_out = stamp.get("left_out", [])
    assert isinstance(left_out, list)
    told = [name for name in stamp if name != "left_out"]
    assert sorted([*told, *map(str, left_out)]) == sorted(WANTED)
    assert len(json.dumps(stamp, ensure_ascii=False).encode()) <= MAX_BYTES


@each_wire
async def test_the_last_status_tells_what_is_asked_for(
    caller: Caller, wire: Wire
) -> None:
    """Tokens that partial events tell are told again, so they aren't counted."""
    before = datetime.now(UTC)

    reply = await caller.send("hello", wire)

    stamp = stamp_of(reply)
    assert reply.state == "completed"
    assert len(reply.metadata(KEY)) == 1
    assert_whole(stamp)
    if "usage" in FIELDS:
        assert stamp["usage"] == {
            "prompt_tokens": 120,
            "output_tokens": 34,
            "total_tokens": 154,
        }
    if "ids" in FIELDS:
        assert len(str(stamp["correlation_id"])) == 32
        assert str(stamp["invocation_id"]).startswith("e-")
    if "timings" in FIELDS:
        started_at = datetime.fromisoformat(str(stamp["started_at"]))
        assert before <= started_at <= datetime.now(UTC)
        assert 0 <= float(str(stamp["duration_ms"])) < 60_000
    if "tags" in stamp:
        assert stamp["tags"] == sorted(set(TAGS))
    if "session_state" in stamp:
        assert stamp["session_state"] == dict.fromkeys(SESSION_STATE, "new")


@each_wire
@pytest.mark.parametrize("ends", ["raises", "reports"])
async def test_a_failure_is_stamped(
    caller: Caller, agent: UsingAgent, wire: Wire, ends: str
) -> None:
    """What was used was used, and the id is the one to ask about."""
    setattr(agent, ends, "it broke")

    reply = await caller.send("hello", wire)

    stamp = stamp_of(reply)
    assert reply.state == "failed"
    assert_whole(stamp)
    if "usage" in FIELDS:
        assert stamp["usage"] != {
            "prompt_tokens": 0,
            "output_tokens": 0,
            "total_tokens": 0,
        }
    if "ids" in FIELDS:
        assert stamp["correlation_id"] in reply.metadata("correlation_id")


@each_wire
async def test_a_pause_is_stamped(
    caller: Caller, agent: UsingAgent, wire: Wire
) -> None:
    """Whoever is asked is told what it took so far."""
    agent.pauses = True

    reply = await caller.send("hello", wire)

    assert reply.state == "input-required"
    assert_whole(stamp_of(reply))


@pytest.mark.parametrize("model", GIVEN_PRICES)
async def test_a_cost_is_what_the_prices_make_of_it(
    caller: Caller, agent: UsingAgent, model: str
) -> None:
    """To the sixth place, whatever the price."""
    agent.model = model
    prompt, output = map(Decimal, GIVEN_PRICES[model].split("/"))

    stamp = stamp_of(await caller.send("hello"))

    exact = (prompt * 120 + output * 34) / 1_000_000
    assert abs(Decimal(str(stamp["cost"])) - exact) <= Decimal("0.0000005")
    assert str(stamp["cost"])[-7] == "."
    assert stamp["currency"] == CURRENCY


@pytest.mark.skipif(
    not GIVEN_PRICES or "*" in GIVEN_PRICES, reason="each model has a price here"
)
async def test_a_model_without_a_price_has_no_cost(
    caller: Caller, agent: UsingAgent
) -> None:
    """A cost that leaves something out would be a wrong one."""
    agent.model = "of which nobody has heard"

    stamp = stamp_of(await caller.send("hello"))

    assert stamp["cost"] is None


@pytest.mark.skipif(not SESSION_STATE, reason="nothing of the state is told here")
async def test_what_is_too_large_is_left_out_and_named(
    caller: Caller, agent: UsingAgent
) -> None:
    """The rest is told, and the run has succeeded."""
    agent.value = "x" * MAX_BYTES

    reply = await caller.send("hello")

    stamp = stamp_of(reply)
    assert reply.state == "completed"
    assert_whole(stamp)
    assert "session_state" in str(stamp["left_out"])


def _tells(field: str) -> bool:
    return field in FIELDS


@pytest.mark.skipif(not _tells("timings"), reason="no times are told")
async def test_time_begins_before_the_agent_does(
    caller: Caller, agent: UsingAgent
) -> None:
    """What an agent thinks about before it says anything counts."""
    agent.thinks_s = 0.1

    stamp = stamp_of(await caller.send("hello"))

    assert float(str(stamp["duration_ms"])) >= 99
