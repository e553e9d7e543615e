"""What leaves in metadata, and what doesn't."""

from collections.abc import AsyncGenerator
from typing import Literal

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types

from .harness import WIRES, Caller, Wire
from .scripted import ScriptedAgent

NAME = "outbound_allowlist"
METADATA: tuple[str, ...] = ()
STATE: tuple[str, ...] = ()
CUSTOM_METADATA: tuple[str, ...] = ()
USAGE = False
THOUGHTS: Literal["drop", "keep"] = "drop"

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


class TellingAgent(ScriptedAgent):
    """Says a line, and with it all that metadata can carry."""

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        self.runs += 1
        parts = [types.Part(text="a thought", thought=True), types.Part(text="a word")]
        yield Event(
            author=self.name,
            invocation_id=ctx.invocation_id,
            content=types.Content(role="model", parts=parts),
            actions=EventActions(state_delta=told("state", STATE)),
            custom_metadata=told("custom", CUSTOM_METADATA),
            usage_metadata=types.GenerateContentResponseUsageMetadata(
                prompt_token_count=7654321
            ),
        )


def told(kind: str, listed: tuple[str, ...]) -> dict[str, object]:
    """Give a value for each listed key, and one for a key that isn't."""
    return {key: f"{kind} of {key}" for key in (*listed, "not_listed")}


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> TellingAgent:
    """An agent that tells too much."""
    return TellingAgent(name="scripted", description="Tells too much.")


async def everything(caller: Caller, wire: Wire) -> str:
    """Give all that the caller gets, then and later."""
    reply = await caller.send("hello", wire)
    stored = await caller.call("GetTask", {"id": reply.task_id})
    assert reply.state == "completed"
    assert "a word" in reply.text
    return f"{reply.answers} {stored.answers}"


@each_wire
async def test_what_is_not_listed_stays_inside(caller: Caller, wire: Wire) -> None:
    """Neither the answer nor the stored task has it."""
    text = await everything(caller, wire)

    assert "state of not_listed" not in text
    assert "custom of not_listed" not in text


@pytest.mark.parametrize("key", STATE)
@each_wire
async def test_a_listed_key_of_the_state_leaves(
    caller: Caller, wire: Wire, key: str
) -> None:
    """A client that is to see it does."""
    assert f"state of {key}" in await everything(caller, wire)


@pytest.mark.parametrize("key", CUSTOM_METADATA)
@each_wire
async def test_a_listed_key_of_custom_metadata_leaves(
    caller: Caller, wire: Wire, key: str
) -> None:
    """A client that is to see it does."""
    assert f"custom of {key}" in await everything(caller, wire)


@each_wire
async def test_token_counts_leave_as_the_spec_says(caller: Caller, wire: Wire) -> None:
    """What a run cost is the caller's to know, or not."""
    listed = USAGE or "adk_usage_metadata" in METADATA

    assert ("7654321" in await everything(caller, wire)) is listed


@each_wire
async def test_thoughts_leave_as_the_spec_says(caller: Caller, wire: Wire) -> None:
    """What the model thought is the caller's to know, or not."""
    kept = {"drop": False, "keep": True}

    assert ("a thought" in await everything(caller, wire)) is kept[THOUGHTS]
