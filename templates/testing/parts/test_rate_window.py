"""When there is room, and when there is again."""

from unittest.mock import Mock

import pytest
from limits.aio.storage import Storage

from runtime.recipes.limits import rate_window, window_memory
from runtime.recipes.limits.rate_window import RateWindow, Strategy, parse_limits
from runtime.recipes.limits.window_memory import WindowMemory

pytestmark = pytest.mark.anyio
each_strategy = pytest.mark.parametrize(
    "strategy", ["fixed_window", "sliding_window", "moving_window"]
)


class Clock:
    """Stands still until it is moved."""

    now = 1000.0

    def time(self) -> float:
        """Tell the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The time of this test."""
    made = Clock()
    for module in (rate_window, window_memory):
        monkeypatch.setattr(module, "time", made)
    return made


def test_limits_are_read_with_the_shortest_first() -> None:
    """What a short window refuses doesn't count in a long one."""
    limits = parse_limits("100/90 minutes; 5/second; 7/hour", "mine")

    found = [(each.amount, each.get_expiry()) for each in limits]
    assert found == [(5, 1), (7, 3600), (100, 5400)]
    assert {each.namespace for each in limits} == {"mine"}


@pytest.mark.parametrize("text", ["", "many", "0/second"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    """When the service starts."""
    with pytest.raises(ValueError, match="limit"):
        parse_limits(text, "mine")


@each_strategy
async def test_after_the_wait_there_is_room(clock: Clock, strategy: Strategy) -> None:
    """And not a second before."""
    (limit,) = parse_limits("3/minute", "mine")
    window = RateWindow(strategy, (limit,), WindowMemory(10))
    for _ in range(3):
        assert await window.has_room(limit, "ann")
        assert await window.hit(limit, "ann")
        clock.now += 5
    clock.now += 0.5
    assert not await window.has_room(limit, "ann")
    if strategy != "fixed_window":
        assert not await window.hit(limit, "ann")
    assert await window.has_room(limit, "bob")

    wait_s = await window.wait_s(limit, "ann")

    assert 1 <= wait_s <= 60
    clock.now += wait_s - 1
    assert not await window.has_room(limit, "ann")
    clock.now += 1
    assert await window.has_room(limit, "ann")


async def test_after_the_wait_there_is_room_with_a_window_before(clock: Clock) -> None:
    """Its share shrinks as time goes by."""
    (limit,) = parse_limits("10/minute", "mine")
    window = RateWindow("sliding_window", (limit,), WindowMemory(10))
    assert await window.hit(limit, "ann", 10)
    clock.now += 70
    assert await window.hit(limit, "ann")
    assert await window.hit(limit, "ann")
    assert not await window.has_room(limit, "ann")

    wait_s = await window.wait_s(limit, "ann")

    clock.now += wait_s - 1
    assert not await window.has_room(limit, "ann")
    clock.now += 1
    assert await window.has_room(limit, "ann")


@each_strategy
async def test_a_hit_may_cost_more(clock: Clock, strategy: Strategy) -> None:
    """All of it has to fit."""
    (limit,) = parse_limits("10/minute", "mine")
    window = RateWindow(strategy, (limit,), WindowMemory(10))

    assert await window.hit(limit, "ann", 8)
    assert not await window.hit(limit, "ann", 3)
    assert await window.wait_s(limit, "bob") >= 1
    (short,) = parse_limits("1/second", "mine")
    assert await window.wait_s(short, "bob") == 1
    assert clock.now


def test_a_store_has_to_know_the_strategy() -> None:
    """Not each keeps the time of each hit."""
    limits, plain = parse_limits("1/minute", "mine"), Mock(spec=Storage)

    RateWindow("fixed_window", limits, plain)
    said = "^this store can't count by moving_window; use sliding_window$"
    with pytest.raises(ValueError, match=said):
        RateWindow("moving_window", limits, plain)


def test_a_moving_window_is_for_few() -> None:
    """It keeps the time of each hit."""
    memory = WindowMemory(10)

    RateWindow("moving_window", parse_limits("1000/hour; 2/second", "m"), memory)
    RateWindow("sliding_window", parse_limits("1001/hour", "m"), memory)
    with pytest.raises(ValueError, match="1001 for each caller"):
        RateWindow("moving_window", parse_limits("1001/hour; 2/second", "m"), memory)
