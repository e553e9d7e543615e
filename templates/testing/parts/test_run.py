"""A run ends in its time, or is given up."""

import asyncio

import pytest
from a2a.server.events import Event, EventQueue

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
    ],
    ids=range(6),
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
