import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types
from tests.runtime.limited import (
    Namespace,
    from_user,
    identity,
    proxied,
    redis_keys,
)
from tests.runtime.messages import Verified, call_context, message_context
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.recipes.limits.token_budget import TokenBudget
from runtime.seams.exchange import Exchange
from runtime.seams.request import Outcome, RequestFacts
from testing.harness import running
from testing.scripted import (
    adk_event,
)

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)


class Agent:
    """Uses tokens: in one event of two parts, partial ones before it, and another."""

    def __init__(self, *used: int) -> None:
        self.used = used
        self.does = "answer"
        self.runs = 0

    async def __call__(self, _: InvocationContext) -> AsyncGenerator[Event, None]:
        self.runs += 1
        for tokens in self.used:
            yield using(tokens, partial=True)
            yield using(tokens, partial=True)
            yield using(tokens)
        yield adk_event("of no model")
        if self.does == "raise":
            raise ConnectionError
        if self.does == "wait":
            await asyncio.sleep(3600)


def using(tokens: int, *, partial: bool = False) -> Event:
    usage = types.GenerateContentResponseUsageMetadata(total_token_count=tokens)
    parts = [types.Part(text="one"), types.Part(text="two")]
    content = types.Content(role="model", parts=parts)
    return Event(
        author="scripted", content=content, usage_metadata=usage, partial=partial
    )


def budget(namespace: Namespace | None = None, **more: Any) -> TokenBudget:  # noqa: ANN401
    values: dict[str, Any] = {"limit": "100/minute", **more}
    if namespace is not None:
        values["namespace"] = namespace.name
        values.setdefault("store", namespace.url)
        values.setdefault("store_timeout_s", 5)
    return TokenBudget(**values)


@each_cell
async def test_what_is_used_is_charged_once(cell: Cell) -> None:
    """Three runs of 40 go over 100, of which the third is the last to begin."""
    agent = Agent(30, 10)
    hooks: dict[str, object] = {"who": identity(), "budget": budget()}
    async with served(Setup(script=agent, hooks=hooks, pin=cell.pin)) as it:
        replies = [
            await it.send(from_user("u1"), cell.wire, extension=cell.extension)
            for _ in range(4)
        ]
        other = await it.send(from_user("u2"), cell.wire, extension=cell.extension)
    assert [reply.error is None for reply in replies] == [True, True, True, False]
    told = replies[-1]
    assert told.error is not None
    assert told.error["code"] == -32600
    assert told.error["message"] == "at most 100 per 1 minute, in tokens"
    assert told.error_data["reason"] == "token_budget_used_up"
    assert 1 <= int(str(told.error_data["retry_after_s"])) <= 60
    assert other.state == "completed"
    assert agent.runs == 4


async def test_one_caller_is_remembered_for_each_limit() -> None:
    several = budget(limit="100/minute; 1000/day", remembered=1)
    hooks: dict[str, object] = {"who": identity(), "budget": several}
    async with served(Setup(script=Agent(100), hooks=hooks)) as it:
        replies = [await it.send(from_user("u1")) for _ in range(2)]
    assert [reply.error is None for reply in replies] == [True, False]


@pytest.mark.parametrize("pin", ["legacy", "new"])
@pytest.mark.parametrize("does", ["raise", "wait"])
async def test_a_run_that_ends_badly_is_charged_too(pin: str, does: str) -> None:
    agent = Agent(100)
    agent.does = does
    hooks: dict[str, object] = {"who": identity(), "budget": budget()}
    async with served(Setup(script=agent, hooks=hooks, pin=pin)) as it:
        begun = await it.send(from_user("u1"), wait=does == "raise")
        answer: Any = begun.answers[0]
        if does == "wait":
            await asyncio.sleep(0.1)
            task_id = str(answer["result"]["task"]["id"])
            headers = from_user("u1").headers
            await it.call("CancelTask", {"id": task_id}, headers=headers)
        reply = await it.send(from_user("u1"))
    assert reply.error_data["reason"] == "token_budget_used_up"


async def test_a_budget_used_to_the_last_token_is_used_up() -> None:
    replies: list[object] = []
    for used in (99, 100):
        agent = Agent(used)
        hooks: dict[str, object] = {"who": identity(), "budget": budget()}
        async with served(Setup(script=agent, hooks=hooks)) as it:
            await it.send(from_user("u1"))
            again = await it.send(from_user("u1"))
            replies.append(again.error_data.get("reason"))
    assert replies == [None, "token_budget_used_up"]


async def test_the_wait_is_true_and_the_longest_window_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    hooks: dict[str, object] = {
        "who": identity(),
        "budget": budget(limit="150/hour; 100/minute"),
    }
    async with served(Setup(script=Agent(100), hooks=hooks)) as it:
        await it.send(from_user("u1"))
        minute = await it.send(from_user("u1"))
        now += int(str(minute.error_data["retry_after_s"]))
        again = await it.send(from_user("u1"))
        now += 61
        hour = await it.send(from_user("u1"))
    assert minute.error_data["retry_after_s"] == "60"
    assert again.state == "completed"
    assert hour.error_data["retry_after_s"] == str(3600 - 60 - 61 + 1)


async def test_a_usage_without_a_total_costs_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def agent(_: InvocationContext) -> AsyncGenerator[Event, None]:
        event = using(1)
        event.usage_metadata = types.GenerateContentResponseUsageMetadata()
        yield event

    hooks: dict[str, object] = {"who": identity(), "budget": budget(limit="1/hour")}
    async with served(Setup(script=agent, hooks=hooks)) as it:
        states = [(await it.send(from_user("u1"))).state for _ in range(3)]
    assert states == ["completed"] * 3
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]


async def test_an_event_that_is_sent_in_several_is_charged_once() -> None:
    each, event, facts = budget(), using(60), RequestFacts(caller="u1")
    with Exchange(facts).entered():
        for _ in range(2):
            each.on_adk_event(event)
        await each.on_exit(Outcome(kind="completed", request=facts))
    call = call_context(user=Verified("u1"))
    await each.before_agent(message_context(call=call))


@pytest.mark.redis
async def test_two_services_share_a_budget_in_redis() -> None:
    agent = Agent(60)
    async with redis_keys() as namespace:
        both = [budget(namespace) for _ in range(2)]
        apps = [
            Setup(script=agent, hooks={"who": identity(), "b": each}).application()
            for each in both
        ]
        async with running(apps[0]) as one, running(apps[1]) as two:
            replies = [
                await it.send(from_user("somebody")) for it in (one, two, one, two)
            ]
            keys = str(await namespace.keys())
        for each in both:
            await each.close()
    assert [reply.error is None for reply in replies] == [True, True, False, False]
    assert "/user/" in keys
    assert "somebody" not in keys


@pytest.mark.redis
@pytest.mark.parametrize("door", ["closed", "open"])
async def test_a_store_that_is_down_and_comes_back(
    door: str, caplog: pytest.LogCaptureFixture
) -> None:
    agent = Agent(60)
    async with redis_keys() as namespace, proxied() as proxy:
        each = budget(
            namespace, store=proxy.url, store_timeout_s=0.3, on_store_error=door
        )
        hooks: dict[str, object] = {"who": identity(), "budget": each}
        async with served(Setup(script=agent, hooks=hooks)) as it:
            await it.send(from_user("u1"))
            await proxy.be("down")
            failed = await it.send(from_user("u1"))
            await proxy.be("up")
            back = [await it.send(from_user("u1")) for _ in range(2)]
        await each.close()
    if door == "open":
        assert failed.metadata("token_budget") == ["unchecked"]
        assert "60 tokens are not charged" in caplog.text
    else:
        assert failed.error_data["reason"] == "token_budget_unavailable"
    assert [reply.error is None for reply in back] == [True, False]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"limit": "many"}, "couldn't parse"),
        ({"by": "tenant"}, "header goes with"),
        ({"remembered": 0}, "above zero"),
    ],
)
def test_values_that_cannot_be_used(values: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        budget(**values)
