"""Windows in this process count as those of a store do, and don't pile up."""

import pytest

from runtime.recipes.limits import window_memory
from runtime.recipes.limits.window_memory import WindowMemory

pytestmark = pytest.mark.anyio


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
    monkeypatch.setattr(window_memory, "time", made)
    return made


async def test_a_fixed_window_begins_with_its_first_hit(clock: Clock) -> None:
    """And another one when it has ended."""
    memory = WindowMemory(10)

    assert [await memory.incr("a", 60) for _ in range(2)] == [1, 2]
    assert await memory.incr("a", 60, 3) == await memory.get("a") == 5
    assert await memory.get_expiry("a") == 1060
    clock.now += 59
    assert await memory.get("a") == 5
    clock.now += 1
    assert await memory.get("a") == 0
    assert await memory.incr("a", 60, 2) == 2
    assert await memory.get_expiry("a") == 1120
    assert (await memory.get("b"), await memory.get_expiry("b")) == (0, clock.now)


async def test_a_moving_window_forgets_each_hit_in_its_time(clock: Clock) -> None:
    """What is refused doesn't count."""
    memory = WindowMemory(10)

    assert await memory.acquire_entry("a", 2, 60)
    clock.now += 20
    assert await memory.acquire_entry("a", 2, 60)
    assert not await memory.acquire_entry("a", 2, 60)
    assert await memory.get_moving_window("a", 2, 60) == (1000, 2)
    assert await memory.get_moving_window("a", 1, 60) == (1020, 1)
    clock.now += 40
    assert await memory.get_moving_window("a", 2, 60) == (1000, 2)
    assert not await memory.acquire_entry("a", 2, 60)
    clock.now += 1
    assert await memory.get_moving_window("a", 2, 60) == (1020, 1)
    assert not await memory.acquire_entry("a", 2, 60, 2)
    assert await memory.acquire_entry("a", 3, 60, 2)
    assert await memory.get_moving_window("b", 2, 60) == (clock.now, 0)


async def test_a_sliding_window_counts_a_share_of_the_one_before(
    clock: Clock,
) -> None:
    """As much of it as still lies within the time."""
    memory = WindowMemory(10)
    hit = memory.acquire_sliding_window_entry

    assert await hit("a", 4, 60, 4)
    assert not await hit("a", 4, 60)
    assert await memory.get_sliding_window("a", 60) == (0, 60, 4, 120)
    clock.now += 60
    assert not await hit("a", 4, 60)
    assert await memory.get_sliding_window("a", 60) == (4, 60, 0, 120)
    clock.now += 15
    assert not await hit("a", 4, 60, 2)
    assert await hit("a", 4, 60)
    assert await memory.get_sliding_window("a", 60) == (4, 45, 1, 105)
    clock.now += 45
    assert await memory.get_sliding_window("a", 60) == (1, 60, 0, 120)
    assert await hit("a", 4, 60)
    clock.now += 130
    assert await memory.get_sliding_window("a", 60) == (0, 60, 0, 120)


async def test_no_more_callers_are_held_than_allowed(clock: Clock) -> None:
    """Who wasn't seen for longest goes first."""
    memory = WindowMemory(2)

    for key in ("a", "b", "a", "c"):
        await memory.incr(key, 60)
        clock.now += 1

    assert len(memory) == 2
    assert [await memory.get(key) for key in "abc"] == [2, 0, 1]


async def test_what_counts_no_more_is_not_held(clock: Clock) -> None:
    """A window counts for twice its time."""
    memory = WindowMemory(10)
    await memory.incr("a", 60)
    await memory.incr("b", 600)

    clock.now += 119
    await memory.incr("c", 60)
    assert len(memory) == 3
    clock.now += 1
    await memory.incr("d", 60)
    assert len(memory) == 3


async def test_it_can_be_told_to_forget(clock: Clock) -> None:
    """One caller, or all."""
    memory = WindowMemory(10)
    for key in "abc":
        await memory.incr(key, 60)

    await memory.clear("a")
    await memory.clear_sliding_window("b", 60)
    await memory.clear("d")
    await memory.clear_sliding_window("d", 60)

    assert [await memory.get(key) for key in "abc"] == [0, 0, 1]
    assert await memory.reset() == 1
    assert len(memory) == await memory.reset() == 0
    assert await memory.check() is True
    assert memory.base_exceptions is MemoryError
    assert clock.now
