"""A run ends in its time, or is given up."""

import asyncio
import gc
import logging
import weakref
from contextlib import suppress

import pytest
from a2a.server.events import Event, EventQueue

from runtime.boundary import run as module
from runtime.boundary.failures import Failures
from runtime.boundary.outgoing import OutgoingQueue
from runtime.boundary.policy import Policy
from runtime.boundary.run import Run
from runtime.boundary.safe_errors import SafeErrors
from runtime.seams.exchange import exchange_of

from .scripted import request_context

pytestmark = pytest.mark.anyio


class Nowhere(EventQueue):
    """Takes whatever comes."""

    def __init__(self) -> None:
        """Begin."""

    async def enqueue_event(self, event: Event) -> None:
        """Take an event."""


def queue() -> OutgoingQueue:
    """Make a queue that nobody reads."""
    context = request_context()
    failures = Failures(SafeErrors())
    return OutgoingQueue(Nowhere(), context, exchange_of(context), failures, [])


async def lasting(seconds: float) -> None:
    """Run for so long."""
    await asyncio.sleep(seconds)


@pytest.mark.parametrize(
    ("policy", "in_time"),
    [
        (Policy(), True),
        (Policy(deadline_s=5), True),
        (Policy(deadline_s=5, idle_deadline_s=5), True),
        (Policy(deadline_s=0.01), False),
        (Policy(deadline_s=5, idle_deadline_s=0.01), False),
        (Policy(deadline_s=0.01, idle_deadline_s=5), False),
        (Policy(deadline_s=0.01, idle_deadline_s=0.01), False),
    ],
    ids=range(7),
)
async def test_the_first_deadline_counts(policy: Policy, *, in_time: bool) -> None:
    """Without one, a run takes as long as it takes."""
    run = Run(lasting(0.2), queue(), policy)

    assert await run.ends_in_time() is in_time
    await run.give_up()
    assert (run.error is None) is in_time


async def test_each_event_moves_the_idle_deadline() -> None:
    """A run that says something isn't idle."""
    out = queue()

    async def working() -> None:
        for _ in range(10):
            await asyncio.sleep(0.05)
            out.moved_at = asyncio.get_running_loop().time()

    assert await Run(working(), out, Policy(idle_deadline_s=0.3)).ends_in_time()


async def test_what_it_raised_is_kept() -> None:
    """So is that it was canceled."""

    async def fail() -> None:
        raise ConnectionError

    failed, canceled = (
        Run(fail(), queue(), Policy()),
        Run(lasting(9), queue(), Policy()),
    )
    assert canceled.error is None

    assert await failed.ends_in_time()
    await canceled.give_up()

    assert isinstance(failed.error, ConnectionError)
    assert isinstance(canceled.error, asyncio.CancelledError)


async def test_who_stops_waiting_does_not_cancel_it() -> None:
    """Only giving up does."""
    ended = asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0.05)
        ended.set()

    run = Run(work(), queue(), Policy())
    waiting = asyncio.ensure_future(run.ends_in_time())
    await asyncio.sleep(0.01)

    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)

    await asyncio.wait_for(ended.wait(), 5)
    assert run.error is None


async def test_one_that_goes_on_though_it_was_canceled_is_left_behind(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is waited for a moment, and not forgotten before it ends."""
    monkeypatch.setattr(module, "_GRACE_SECONDS", 0.01)
    others = asyncio.all_tasks()

    async def stubborn() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(9)
        await asyncio.get_running_loop().create_future()

    async def give_up() -> None:
        run = Run(stubborn(), queue(), Policy())
        await asyncio.sleep(0)
        await run.give_up()
        assert run.error is None

    await asyncio.wait_for(give_up(), 5)
    gc.collect()
    (left,) = asyncio.all_tasks() - others
    told = "a run goes on though it was canceled; it is left behind"
    assert caplog.record_tuples == [(module.__name__, logging.WARNING, told)]

    left.cancel()
    await asyncio.wait({left})
    kept = weakref.ref(left)
    del left
    gc.collect()
    assert kept() is None


async def test_one_that_ends_when_it_is_canceled_is_not_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """That is what giving up is."""
    await Run(lasting(9), queue(), Policy()).give_up()

    assert caplog.messages == []
