"""What token_budget charges, and when a caller's budget is used up."""

from collections.abc import AsyncGenerator
from typing import Literal

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types

from .harness import WIRES, Caller, Content, Reply, Wire
from .scripted import ScriptedAgent, adk_event
from .subject import app

NAME = "token_budget"
HEADER: str | None = None
ON_STORE_ERROR: Literal["closed", "open"] = "closed"
TOKENS = 100_000
"""After how many tokens there are no more."""
WINDOW_S = 86_400
"""For how long at most."""


def is_chosen(value: str, choice: str) -> bool:
    """Tell whether the spec's value is this one."""
    return value == choice


def sent(header: str | None, value: str) -> dict[str, str]:
    """Give the headers of a caller who is known by this value."""
    return {header: value} if header else {}


OPENS = is_chosen(ON_STORE_ERROR, "open")

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


class SpendingAgent(ScriptedAgent):
    """Says its lines, and uses tokens for one event, which it tells in parts first."""

    spends: int = 0

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        for partial in (True, True, False):
            event = adk_event("of a model")
            event.invocation_id = ctx.invocation_id
            event.partial = partial
            event.usage_metadata = types.GenerateContentResponseUsageMetadata(
                total_token_count=self.spends
            )
            yield event
        async for event in super()._run_async_impl(ctx):
            yield event


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> SpendingAgent:
    """An agent that uses tokens."""
    return SpendingAgent(name="scripted", description="Spends.")


def hello(value: str = "first") -> Content:
    """Make a message of a caller."""
    return Content(parts=[{"text": "hello"}], headers=sent(HEADER, value))


def assert_used_up(reply: Reply) -> None:
    """The caller is told to wait."""
    assert reply.error is not None
    assert reply.error["code"] == -32600
    assert reply.error_data["reason"] == "token_budget_used_up"
    assert reply.error_data["policy"] == NAME
    assert 1 <= int(str(reply.error_data["retry_after_s"])) <= WINDOW_S


@each_wire
async def test_a_budget_is_used_up_with_its_last_token(
    caller: Caller, agent: SpendingAgent, wire: Wire
) -> None:
    """Not one before it; and what partial events tell isn't counted."""
    agent.spends = TOKENS - 1
    first = await caller.send(hello(), wire)
    agent.spends = 1
    second = await caller.send(hello(), wire)

    third = await caller.send(hello(), wire)

    assert [first.error, second.error] == [None, None]
    assert_used_up(third)
    assert agent.runs == 2


async def test_a_run_that_fails_is_charged(
    caller: Caller, agent: SpendingAgent
) -> None:
    """What was used was used."""
    agent.spends = TOKENS
    agent.raises = "it broke"
    failed = await caller.send(hello())

    reply = await caller.send(hello())

    assert failed.state == "failed"
    assert_used_up(reply)


async def test_reading_is_free(caller: Caller, agent: SpendingAgent) -> None:
    """Whoever has used all up still reads what there is."""
    agent.spends = TOKENS
    done = await caller.send(hello())

    headers = sent(HEADER, "first")
    read = await caller.call("GetTask", {"id": done.task_id}, headers=headers)

    assert read.state == "completed"


@pytest.mark.skipif(not HEADER, reason="here all callers are one")
async def test_another_caller_has_a_budget_of_their_own(
    caller: Caller, agent: SpendingAgent
) -> None:
    """What tells callers apart is what the spec says."""
    agent.spends = TOKENS
    await caller.send(hello())

    other = await caller.send(hello("second"))

    assert other.error is None


@each_wire
async def test_a_store_that_is_down_opens_or_closes(
    caller: Caller,
    agent: SpendingAgent,
    monkeypatch: pytest.MonkeyPatch,
    wire: Wire,
) -> None:
    """What happens then is the spec's choice, and the caller is told."""

    async def down(*_: object, **_more: object) -> int:
        raise OSError

    memory = f"{app.__package__}.recipes.limits.window_memory.WindowMemory"
    monkeypatch.setattr(f"{memory}.get", down)

    reply = await caller.send(hello(), wire)

    if OPENS:
        assert reply.error is None
        assert reply.metadata("token_budget") == ["unchecked"]
        assert agent.runs == 1
    else:
        assert reply.error_data["reason"] == "token_budget_unavailable"
        assert agent.runs == 0
