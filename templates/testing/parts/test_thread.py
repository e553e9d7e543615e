"""Calls are made in a thread of their own, one after another."""

import asyncio
from functools import partial
from threading import Event, current_thread

import pytest

from runtime.recipes.auditing import thread
from runtime.recipes.auditing.thread import AuditThread

pytestmark = pytest.mark.anyio


def wait(go_on: Event) -> None:
    """Wait, but not for ever."""
    assert go_on.wait(9)


async def test_calls_are_made_off_the_event_loop_in_order() -> None:
    """In one thread, which holds up no process that ends."""
    made, threads = list[int](), set[tuple[str, bool]]()
    calls = AuditThread()

    def note(number: int) -> None:
        made.append(number)
        threads.add((current_thread().name, current_thread().daemon))

    await asyncio.gather(*(calls.call(partial(note, at)) for at in range(3)))
    await calls.end(partial(note, 3))

    assert made == [0, 1, 2, 3]
    assert threads == {("audit", True)}


@pytest.mark.parametrize("error", [OSError("down"), SystemExit(1)])
async def test_what_a_call_raises_is_raised(error: BaseException) -> None:
    """And the next one is made all the same."""
    calls, made = AuditThread(), list[str]()

    def fail() -> None:
        raise error

    with pytest.raises(type(error)):
        await calls.call(fail)
    await calls.call(lambda: made.append("next"))

    assert made == ["next"]
    await calls.end(lambda: None)


async def test_without_a_call_there_is_no_last_one() -> None:
    """Nothing was opened that could be closed."""
    made = list[str]()

    await AuditThread().end(lambda: made.append("last"))

    assert made == []


async def test_it_begins_again_after_its_end() -> None:
    """A server may start twice in one process."""
    calls, made = AuditThread(), list[str]()
    for name in "ab":
        await calls.call(partial(made.append, name))
        await calls.end(lambda: made.append("last"))

    assert made == ["a", "last", "b", "last"]


async def test_a_call_that_nobody_waits_for_any_more_is_not_made() -> None:
    """If it hasn't begun."""
    calls, go_on, made = AuditThread(), Event(), list[str]()
    first = asyncio.ensure_future(calls.call(partial(wait, go_on)))
    second = asyncio.ensure_future(calls.call(lambda: made.append("second")))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    go_on.set()

    await first
    await calls.end(lambda: made.append("last"))

    assert made == ["last"]


async def test_a_call_that_hangs_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is left behind."""
    monkeypatch.setattr(thread, "_CLOSE_SECONDS", 0.01)
    calls, go_on, made = AuditThread(), Event(), list[str]()
    first = asyncio.ensure_future(calls.call(partial(wait, go_on)))
    await asyncio.sleep(0)

    await calls.end(lambda: made.append("last"))

    assert not first.done()
    await asyncio.sleep(0)
    go_on.set()
    await first
    assert made == []
