"""A caller sends so many messages in a time; one too many is refused, or marked."""

import time
from collections.abc import Awaitable, Callable
from typing import Literal, TypedDict

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.types import Task, TaskState, TaskStatus, TaskStatusUpdateEvent

from runtime.recipes.limits.key import CountedBy
from runtime.recipes.limits.rate_limit import RateLimit
from runtime.recipes.limits.rate_window import Strategy
from runtime.recipes.limits.store import LimitStore, StoreDown
from runtime.recipes.limits.window_memory import WindowMemory
from runtime.seams.exchange import Exchange, exchange_of
from runtime.seams.interceptor import RequestFacts
from runtime.seams.rejection import Rejected

from .scripted import request_context

pytestmark = pytest.mark.anyio

PAUSED = TaskState.TASK_STATE_INPUT_REQUIRED
WORKING = TaskState.TASK_STATE_WORKING


class Given(TypedDict, total=False):
    """Settings of the recipe."""

    limit: str
    strategy: Strategy
    by: CountedBy
    header: str
    remembered: int
    store: str
    store_timeout_s: float


class Clock:
    """Shows the time that a test sets, from the beginning of a minute on."""

    now = 60_000_000.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands still."""
    made = Clock()
    monkeypatch.setattr(time, "time", lambda: made.now)
    return made


def asked(
    caller: str = "ann", *, tenant: str = "", task: Task | None = None
) -> RequestContext:
    """Make a request."""
    context = request_context()
    if task is not None:
        context.current_task = task
    headers = {"x-tenant": tenant} if tenant else {}
    Exchange(RequestFacts(caller=caller, headers=headers)).go_with(context)
    return context


async def refusal(recipe: RateLimit, context: RequestContext) -> Rejected | None:
    """Give how a message is refused, if it is."""
    try:
        assert await recipe.before_agent(context) is context
    except Rejected as refused:
        return refused
    return None


async def let_in(recipe: RateLimit, *contexts: RequestContext) -> list[bool]:
    """Tell of each message whether it is let in."""
    return [await refusal(recipe, each) is None for each in contexts]


def mark(recipe: RateLimit, context: RequestContext) -> object:
    """Give the mark of the last status, if there is one."""
    state = TaskState.TASK_STATE_COMPLETED
    update = TaskStatusUpdateEvent(status=TaskStatus(state=state))
    with exchange_of(context).entered():
        recipe.on_send(update)
    return dict(update.metadata).get("rate_limit")


def break_down(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Let stores be down after so many answers."""
    ask, asked_for = LimitStore.ask, list[object]()

    async def asking(
        store: LimitStore, question: Callable[[], Awaitable[object]]
    ) -> object:
        if len(asked_for) == after:
            raise StoreDown("no route")
        asked_for.append(question)
        return await ask(store, question)

    monkeypatch.setattr(LimitStore, "ask", asking)


@pytest.mark.parametrize(
    "strategy", ["fixed_window", "sliding_window", "moving_window"]
)
async def test_each_caller_sends_so_many(clock: Clock, strategy: Strategy) -> None:
    """Whoever sends more is told the limit, and when to come back."""
    recipe = RateLimit(limit="2/minute", strategy=strategy)

    assert await let_in(recipe, *(asked() for _ in range(3))) == [True, True, False]
    assert await let_in(recipe, asked("bob")) == [True]
    clock.now += 20
    refused = await refusal(recipe, asked())
    assert refused
    assert (refused.reason, str(refused)) == ("rate_limited", "at most 2 per 1 minute")
    assert refused.retry_after_s == 41


async def test_each_of_several_limits_holds() -> None:
    """The one that is full is told."""
    recipe = RateLimit(limit="2/second; 3/minute", remembered=1)

    assert await let_in(recipe, *(asked() for _ in range(2))) == [True, True]
    refused = await refusal(recipe, asked())
    assert refused
    assert str(refused) == "at most 2 per 1 second"


async def test_a_header_may_tell_callers_apart() -> None:
    """In place of the name."""
    recipe = RateLimit(limit="1/minute", by="tenant", header="X-Tenant")

    messages = [asked(tenant="a"), asked("bob", tenant="a"), asked(tenant="b")]
    assert await let_in(recipe, *messages) == [True, False, True]


@pytest.mark.parametrize("state", [PAUSED, TaskState.TASK_STATE_AUTH_REQUIRED, WORKING])
@pytest.mark.parametrize("count_replies", [True, False])
async def test_a_reply_to_a_paused_task_counts_or_not(
    state: TaskState, *, count_replies: bool
) -> None:
    """Any other message does."""
    recipe = RateLimit(limit="1/minute", count_replies=count_replies)
    task = Task(status=TaskStatus(state=state))
    is_free = not count_replies and state != WORKING

    assert await let_in(recipe, asked(task=task), asked()) == [True, is_free]
    assert await let_in(recipe, asked(task=task)) == [is_free]


async def test_one_too_many_may_be_marked(caplog: pytest.LogCaptureFixture) -> None:
    """And is told in the log, without the caller's name."""
    recipe = RateLimit(limit="1/minute", action="warn")
    first, second = asked(), asked()

    assert await let_in(recipe, first, second) == [True, True]

    assert [mark(recipe, each) for each in (first, second)] == [None, "exceeded"]
    (record,) = caplog.records
    correlation_id = exchange_of(second).facts.correlation_id
    assert record.getMessage().startswith(f"request {correlation_id}: user/")
    assert record.getMessage().endswith(" is over 1 per 1 minute and let in")
    assert "ann" not in record.getMessage()
    assert record.name.endswith(".recipes.limits.rate_limit")


@pytest.mark.parametrize("door", ["closed", "open"])
async def test_a_store_that_is_down(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    door: Literal["closed", "open"],
) -> None:
    """It closes the door, or leaves it open; the log says why."""
    break_down(monkeypatch, after=0)
    recipe, context = RateLimit(limit="1/minute", on_store_error=door), asked()

    refused = await refusal(recipe, context)

    assert caplog.messages[0].endswith(": no route")
    if door == "open":
        assert refused is None
        assert mark(recipe, context) == "unchecked"
        return
    assert refused
    assert refused.reason == "rate_limit_unavailable"


async def test_a_store_that_goes_down_in_between(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it has refused is refused, for as long as the limit lasts."""
    recipe = RateLimit(limit="1/minute", on_store_error="open")
    await refusal(recipe, asked())
    break_down(monkeypatch, after=1)

    refused = await refusal(recipe, asked())

    assert refused
    assert (refused.reason, refused.retry_after_s) == ("rate_limited", 60)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (Given(limit="many"), "limit"),
        (Given(strategy="moving_window", limit="1001/hour"), "1001 for each caller"),
        (Given(by="tenant"), "header"),
        (Given(header="X-Tenant"), "header"),
        (Given(store="other://"), "a store's URL"),
        (Given(store_timeout_s=0), "above zero"),
        (Given(remembered=0), "above zero"),
    ],
    ids=range(7),
)
def test_settings_that_do_not_fit_stop_the_start(given: Given, rule: str) -> None:
    """By what they break."""
    least: Given = {"limit": "1/minute", "remembered": 1}
    assert RateLimit(**least)
    whole: Given = {**least, **given}

    with pytest.raises(ValueError, match=rule):
        RateLimit(**whole)


async def test_keys_begin_with_the_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    """All else has its default."""
    keys: list[str] = []

    async def hit(_: WindowMemory, key: str, *_more: int) -> bool:
        keys.append(key.partition("/user/")[0])
        return True

    monkeypatch.setattr(WindowMemory, "acquire_sliding_window_entry", hit)
    recipe = RateLimit(limit="1/minute")

    await recipe.before_agent(asked())
    await RateLimit(limit="1/minute", namespace="mine").before_agent(asked())

    assert keys == ["rate_limit", "mine"]
    assert (recipe.action, recipe.count_replies) == ("reject", True)
    assert (recipe.on_store_error, recipe.remembered) == ("closed", 100_000)
    assert recipe.store_timeout_s == 0.5


def test_a_password_of_the_store_is_not_shown() -> None:
    """Where the recipe is printed."""
    recipe = RateLimit(limit="1/minute", store="redis://:secret@r.example")

    assert "secret" not in repr(recipe)
