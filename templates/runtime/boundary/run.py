"""One run of the agent, in a task of its own.

So a deadline can end it, and an agent that ignores its cancellation is left
behind rather than waited for.
"""

import asyncio
import logging
from collections.abc import Coroutine

from .outgoing import OutgoingQueue
from .policy import Policy

__all__ = ["Run"]

_log = logging.getLogger(__name__)

# How long a run may take to end after it was told to.
_GRACE_SECONDS = 1.0
# Without a reference the loop may forget a task that still runs.
_left_behind: set[asyncio.Task[None]] = set()


class Run:
    """A run that has been started."""

    def __init__(
        self, work: Coroutine[None, None, None], out: OutgoingQueue, policy: Policy
    ) -> None:
        """Start it.

        Args:
            work: What to run.
            out: Where it publishes.
            policy: Its deadlines.
        """
        self._task = asyncio.create_task(work)
        self._out = out
        self._policy = policy
        loop = asyncio.get_running_loop()
        self._started = loop.time()
        # A future of its own: who cancels the wait doesn't cancel the run.
        self._ended: asyncio.Future[None] = loop.create_future()
        self._task.add_done_callback(self._note_end)

    @property
    def error(self) -> BaseException | None:
        """What it raised; of a hook that raised it, a CancelledError too."""
        if not self._task.done():
            return None
        if self._task.cancelled():
            return asyncio.CancelledError()
        return self._task.exception()

    async def ends_in_time(self) -> bool:
        """Wait for its end, or until a deadline has passed."""
        if self._policy.deadline_s is self._policy.idle_deadline_s is None:
            await self._ended
        while not self._task.done():
            left = self._seconds_left()
            if left is not None and left <= 0:
                return False
            await asyncio.wait({self._task}, timeout=left)
        return True

    async def give_up(self) -> None:
        """Cancel it, drop what it still publishes, and wait a moment for its end."""
        self._out.close()
        self._task.cancel()
        await asyncio.wait({self._task}, timeout=_GRACE_SECONDS)
        if not self._task.done():
            _log.warning("a run goes on though it was canceled; it is left behind")
            _left_behind.add(self._task)
            self._task.add_done_callback(_left_behind.discard)

    def _note_end(self, _: asyncio.Task[None]) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    def _seconds_left(self) -> float | None:
        total, idle = self._policy.deadline_s, self._policy.idle_deadline_s
        ends: list[float] = []
        if total is not None:
            ends.append(self._started + total)
        if idle is not None:
            ends.append(self._out.moved_at + idle)
        now = asyncio.get_running_loop().time()
        return min(ends) - now if ends else None
