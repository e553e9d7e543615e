"""A caller uses so many tokens in a time; what a run has used is charged after it."""

import time
from collections.abc import Awaitable, Callable
from typing import TypedDict

import pytest
from a2a.server.agent_execution import RequestContext
from google.adk.events.event import Event
from google.genai.types import GenerateContentResponseUsageMetadata

from runtime.recipes.limits.key import CountedBy
from runtime.recipes.limits.store import LimitStore, StoreDown
from runtime.recipes.limits.token_budget import TokenBudget
from runtime.recipes.limits.window_memory import WindowMemory
from runtime.seams.exchange import Exchange, exchange_of
from runtime.seams.interceptor import Outcome, RequestFacts
from runtime.seams.rejection import Rejected

from .scripted import request_context

pytestmark = pytest.mark.anyio


class Given(TypedDict, total=False):
    """Settings of the recipe."""

    limit: str
    by: CountedBy
    header: str
    remembered: int
    store: str
    store_timeout_s: float


class Clock:
    """Shows the time that a test sets."""

    now = 60_000_000.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands still."""
    made = Clock()
    monkeypatch.setattr(time, "time", lambda: made.now)
    return made


def asked(caller: str = "ann", tenant: str = "") -> RequestContext:
    """Make a request."""
    context = request_context()
    headers = {"x-tenant": tenant} if tenant else {}
    Exchange(RequestFacts(caller=caller, headers=headers)).go_with(context)
    return context


def used(tokens: int | None, event_id: str, *, partial: bool = False) -> Event:
    """Make an event of a model that has used so many tokens."""
    usage = GenerateContentResponseUsageMetadata(total_token_count=tokens)
    return Event(author="a", id=event_id, usage_metadata=usage, partial=partial)


async def run(recipe: TokenBudget, context: RequestContext, *events: Event) -> None:
    """Let a run have these events, and end."""
    exchange = exchange_of(context)
    with exchange.entered():
        for event in events:
            recipe.on_adk_event(event)
        await recipe.on_exit(Outcome(kind="failed", request=exchange.facts))


async def refusal(recipe: TokenBudget, context: RequestContext) -> Rejected | None:
    """Give how a message is refused, if it is."""
    try:
        assert await recipe.before_agent(context) is context
    except Rejected as refused:
        return refused
    return None


@pytest.mark.parametrize(
    ("events", "is_used_up"),
    [
        ([used(10, "1")], True),
        ([used(9, "1")], False),
        ([used(11, "1")], True),
        ([used(9, "1"), used(1, "2")], True),
        ([used(9, "1"), used(9, "1")], False),
        ([used(99, "1"), used(9, "1")], False),
        ([used(9, "1"), used(1, "2", partial=True)], False),
        ([used(9, "1"), used(None, "2")], False),
        ([used(9, "1"), Event(author="a", id="2")], False),
        ([], False),
    ],
    ids=range(10),
)
async def test_what_each_event_has_used_is_added(
    events: list[Event], *, is_used_up: bool
) -> None:
    """Each event once: as its last form tells it."""
    recipe = TokenBudget(limit="10/minute")

    await run(recipe, asked(), *events)

    assert (await refusal(recipe, asked()) is not None) is is_used_up


async def test_a_budget_is_new_in_the_next_window(clock: Clock) -> None:
    """Of each caller; what is over it is charged too, and told with the wait."""
    recipe = TokenBudget(limit="10/minute")
    await run(recipe, asked(), used(4, "1"))
    clock.now += 20
    assert await refusal(recipe, asked()) is None
    await run(recipe, asked(), used(70, "1"))

    refused = await refusal(recipe, asked())

    assert refused
    assert refused.reason == "token_budget_used_up"
    assert str(refused) == "at most 10 per 1 minute, in tokens"
    assert refused.retry_after_s is not None
    assert 40 <= refused.retry_after_s <= 41
    assert await refusal(recipe, asked("bob")) is None
    clock.now += refused.retry_after_s
    assert await refusal(recipe, asked()) is None


async def test_each_of_several_limits_holds() -> None:
    """All of them are charged."""
    recipe = TokenBudget(limit="20/minute; 10/hour", remembered=1)
    await run(recipe, asked(), used(10, "1"))

    hour = await refusal(recipe, asked())
    assert hour
    assert str(hour) == "at most 10 per 1 hour, in tokens"
    await run(recipe, asked(), used(10, "2"))
    minute = await refusal(recipe, asked())
    assert minute
    assert str(minute) == "at most 20 per 1 minute, in tokens"


async def test_a_header_may_tell_callers_apart() -> None:
    """In place of the name."""
    recipe = TokenBudget(limit="10/minute", by="tenant", header="X-Tenant")
    await run(recipe, asked(tenant="a"), used(10, "1"))

    assert await refusal(recipe, asked("bob", tenant="a"))
    assert await refusal(recipe, asked(tenant="b")) is None


async def test_two_budgets_count_by_themselves() -> None:
    """What one has noted, the other has too, and once."""
    small, large = TokenBudget(limit="10/hour"), TokenBudget(limit="20/hour")
    context = asked()
    for recipe in (small, large):
        await run(recipe, context, used(10, "1"))

    assert await refusal(small, asked())
    assert await refusal(large, asked()) is None


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_store_that_is_down(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, *, is_open: bool
) -> None:
    """It closes the door, or leaves it open; nothing can be charged."""

    async def ask(_: LimitStore, question: Callable[[], Awaitable[object]]) -> object:
        raise StoreDown(f"no route for {type(question).__name__}")

    recipe, context = (
        TokenBudget(limit="10/minute", on_store_error="open" if is_open else "closed"),
        asked(),
    )
    monkeypatch.setattr(LimitStore, "ask", ask)

    refused = await refusal(recipe, context)

    assert (refused is None) is is_open
    assert refused is None or refused.reason == "token_budget_unavailable"
    assert caplog.messages[0].endswith(": no route for partial")
    caplog.clear()
    await run(recipe, context)
    assert not caplog.records
    await run(recipe, context, used(7, "1"))
    (record,) = caplog.records
    assert record.getMessage() == (
        f"request {exchange_of(context).facts.correlation_id}: 7 tokens are not "
        "charged, the store is down: no route for partial"
    )
    assert record.name.endswith(".recipes.limits.token_budget")


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (Given(limit="many"), "limit"),
        (Given(by="tenant"), "header"),
        (Given(header="X-Tenant"), "header"),
        (Given(store="other://"), "a store's URL"),
        (Given(store_timeout_s=0), "above zero"),
        (Given(remembered=0), "above zero"),
    ],
    ids=range(6),
)
def test_settings_that_do_not_fit_stop_the_start(given: Given, rule: str) -> None:
    """By what they break."""
    least: Given = {"limit": "1/minute", "remembered": 1}
    assert TokenBudget(**least)
    whole: Given = {**least, **given}

    with pytest.raises(ValueError, match=rule):
        TokenBudget(**whole)


async def test_keys_in_the_store_begin_with_the_namespace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All else has its default."""
    keys: list[str] = []

    async def incr(_: WindowMemory, key: str, *_more: int, amount: int) -> int:
        keys.append(key.partition("/user/")[0])
        return amount

    monkeypatch.setattr(WindowMemory, "incr", incr)
    recipe = TokenBudget(limit="1/minute")

    for each in (recipe, TokenBudget(limit="1/minute", namespace="mine")):
        await run(each, asked(), used(1, "1"))

    assert keys == ["token_budget", "mine"]
    assert (recipe.on_store_error, recipe.store_timeout_s) == ("closed", 0.5)
    assert recipe.remembered == 100_000


def test_a_password_of_the_store_is_not_shown() -> None:
    """Where the recipe is printed."""
    recipe = TokenBudget(limit="1/minute", store="redis://:secret@r.example")

    assert "secret" not in repr(recipe)
