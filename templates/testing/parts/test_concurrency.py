"""A caller has so many requests at once, and a place comes back on every exit."""

from typing import TypedDict

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.types import TaskState, TaskStatus, TaskStatusUpdateEvent

from runtime.recipes.limits.concurrency import Concurrency, Sharing
from runtime.recipes.limits.store import StoreDown
from runtime.seams.exchange import Exchange, exchange_of
from runtime.seams.interceptor import Outcome, RequestFacts
from runtime.seams.rejection import Rejected

from .scripted import request_context

pytestmark = pytest.mark.anyio


class Given(TypedDict, total=False):
    """Settings of the recipe."""

    most: int
    by: Sharing
    header: str
    store: str
    lease_s: float


class Down:
    """Stands in for places in a store that is down."""

    async def take(self, key: str, holder: str) -> bool:
        """Fail."""
        raise StoreDown(f"no {key[:4]} for {holder}")

    async def give_back(self, key: str, holder: str) -> None:
        """Fail."""
        raise StoreDown(f"no {key[:4]} of {holder}")


def asked(caller: str = "ann", tenant: str = "", address: str = "") -> RequestContext:
    """Make a request."""
    context = request_context()
    headers = {"x-tenant": tenant} if tenant else {}
    facts = RequestFacts(caller=caller, headers=headers, address=address)
    Exchange(facts).go_with(context)
    return context


async def lets_in(recipe: Concurrency, context: RequestContext) -> bool:
    """Tell whether a request gets a place."""
    try:
        found = await recipe.before_agent(context)
    except Rejected as rejected:
        refused = rejected
    else:
        return found is context
    assert (refused.reason, refused.retry_after_s) == ("too_many_at_once", 1)
    return str(refused) != f"at most {recipe.most} at once"


async def ended(recipe: Concurrency, context: RequestContext) -> None:
    """Let a request end."""
    facts = exchange_of(context).facts
    await recipe.on_exit(Outcome(kind="completed", request=facts))


async def test_a_caller_has_so_many_at_once() -> None:
    """Whoever has none has nothing to give back."""
    recipe = Concurrency(most=2)
    first, second, third = asked(), asked(), asked()

    assert [await lets_in(recipe, each) for each in (first, second)] == [True, True]
    for _ in range(2):
        assert not await lets_in(recipe, third)
        await ended(recipe, third)
    assert await lets_in(recipe, asked("bob"))
    for _ in range(2):
        await ended(recipe, first)
    assert await lets_in(recipe, third)
    assert not await lets_in(recipe, asked())


async def test_all_may_share_them() -> None:
    """Whoever calls."""
    recipe = Concurrency(most=1, by="all")
    first = asked("ann", address="192.0.2.1")

    assert await lets_in(recipe, first)
    assert not await lets_in(recipe, asked("bob", address="192.0.2.2"))
    await ended(recipe, first)
    assert await lets_in(recipe, asked("bob"))


async def test_a_header_may_tell_who_shares_them() -> None:
    """As with the other limits; in memory by its URL too."""
    recipe = Concurrency(most=1, by="tenant", header="X-Tenant", store="memory://")

    assert await lets_in(recipe, asked("ann", "acme"))
    assert not await lets_in(recipe, asked("bob", "acme"))
    assert await lets_in(recipe, asked("ann", "other"))


async def test_a_store_that_is_down_closes_the_door(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What it may have taken is given back all the same."""
    recipe, context = Concurrency(most=1, lease_s=60), asked()
    monkeypatch.setattr(recipe, "_slots", Down())

    with pytest.raises(Rejected) as refused:
        await recipe.before_agent(context)
    assert refused.value.reason == "concurrency_unavailable"
    await ended(recipe, context)
    await ended(recipe, context)

    holder = exchange_of(context).facts.correlation_id
    first, second = caplog.messages
    assert caplog.records[1].name.endswith(".recipes.limits.concurrency")
    down = "the store of concurrency is down, so it is refused"
    late = "its place is free in 60 seconds, the store is down"
    assert first == f"request {holder}: {down}: no user for {holder}"
    assert second == f"request {holder}: {late}: no user of {holder}"


async def test_a_store_that_is_down_may_leave_it_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The last status says so."""
    recipe, context = Concurrency(most=1, on_store_error="open"), asked()
    monkeypatch.setattr(recipe, "_slots", Down())
    state = TaskState.TASK_STATE_COMPLETED
    update = TaskStatusUpdateEvent(status=TaskStatus(state=state))

    assert await lets_in(recipe, context)
    with exchange_of(context).entered():
        recipe.on_send(update)

    assert dict(update.metadata) == {"concurrency": "unchecked"}


async def test_places_in_redis_have_a_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their keys begin with the namespace."""
    commands: list[tuple[object, ...]] = []

    async def execute(_: object, *command: object, **more: object) -> int:
        assert not more.get("password")
        commands.append(command)
        return 1

    monkeypatch.setattr("redis.asyncio.Redis.execute_command", execute)
    recipe, context = Concurrency(most=3, store="redis://r.example"), asked()

    assert await lets_in(recipe, context)
    await ended(recipe, context)
    await recipe.close()

    holder = exchange_of(context).facts.correlation_id
    (_, _, *taken), (*given_back,) = commands
    assert taken[2:] == [3, 3_600_000, holder]
    assert given_back == ["ZREM", taken[1], holder]
    assert str(taken[1]).startswith("concurrency/user/")
    assert recipe.store_timeout_s == 0.5


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (Given(most=0), "^most and lease_s must be above zero$"),
        (Given(lease_s=0), "^most and lease_s must be above zero$"),
        (Given(by="all", header="X-Tenant"), "^header is of no use with by: all$"),
        (Given(by="tenant"), "header"),
        (Given(store="other://"), "a store's URL"),
    ],
    ids=range(5),
)
def test_settings_that_do_not_fit_stop_the_start(given: Given, rule: str) -> None:
    """By what they break."""
    least: Given = {"most": 1, "lease_s": 0.1}
    assert Concurrency(**least)
    whole: Given = {**least, **given}

    with pytest.raises(ValueError, match=rule):
        Concurrency(**whole)


def test_a_password_of_the_store_is_not_shown() -> None:
    """Where the recipe is printed."""
    recipe = Concurrency(most=1, store="redis://:secret@r.example")

    assert "secret" not in repr(recipe)
