"""Writes rows of the audit in their order, off the event loop."""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Protocol
from uuid import uuid4

from .row import AuditRow
from .thread import AuditThread

__all__ = ["AuditWriter", "Sink", "SinkDown", "utc_now"]

_log = logging.getLogger(__name__)

_MOST_AT_ONCE = 1000
_RETRY_SECONDS = 1.0
# A synced write costs as much as several requests: after one, rows gather for a moment.
_PAUSE_SECONDS = 0.1
# A sink that was written to just now isn't asked again whether it is there.
_FRESH_SECONDS = 1.0
_CLOSE_SECONDS = 10.0
# What a sink raises that can't be written to; ValueError for one that isn't one.
_SINK_ERRORS = (OSError, sqlite3.Error, ValueError)


class Sink(Protocol):
    """Takes rows, from one thread."""

    def append(self, rows: Sequence[AuditRow]) -> None:
        """Write all rows to the disk or none; without a row, see if that works.

        Rows that couldn't be written come again as they were, before any others.

        Raises:
            OSError, sqlite3.Error, ValueError: If it doesn't.
        """

    def close(self) -> None:
        """Let go of what is open."""


class SinkDown(Exception):
    """A row can't be promised."""


class AuditWriter:
    """A bounded queue before a sink.

    Rows wait in it while the sink is down. A row that has a place is never
    dropped; another one is if there is no room, and counted.
    """

    def __init__(self, sink: Sink, *, most: int, timeout_s: float) -> None:
        """Begin with an empty queue.

        Args:
            sink: Where rows go.
            most: How many rows may wait, places included.
            timeout_s: For how many seconds the sink is waited for.
        """
        self._sink = sink
        self._most = most
        self._timeout_s = timeout_s
        self._rows: deque[AuditRow] = deque()
        self._places = self._dropped = 0
        self._thread = AuditThread()
        self._drain: asyncio.Task[None] | None = None
        self._probe: asyncio.Future[None] | None = None
        self._is_down = False
        self._fresh_until = 0.0
        self._rests_until = 0.0
        self._hurries = asyncio.Event()
        self._closing = asyncio.Event()

    def take_place(self) -> None:
        """Keep room for a row.

        Raises:
            SinkDown: If there is none.
        """
        if not self._has_room():
            raise SinkDown("its queue is full")
        self._places += 1

    def put(self, row: AuditRow, *, has_place: bool) -> None:
        """Queue a row, or count it as dropped.

        Args:
            row: The row.
            has_place: Whether `take_place` kept room for it.
        """
        # A place that is given up is room for the row.
        self._places -= has_place
        if self._has_room():
            self._rows.append(row)
        else:
            self._dropped += 1
        if 2 * (len(self._rows) + self._places) >= self._most:
            self._hurries.set()
        if self._drain is None or self._drain.done():
            self._drain = asyncio.create_task(self._write())

    async def check(self) -> None:
        """See whether the sink can be written to.

        Raises:
            SinkDown: If not, or if it doesn't say so in time.
        """
        if asyncio.get_running_loop().time() < self._fresh_until:
            return
        # One probe for all who ask while it lasts.
        if self._probe is None or self._probe.done():
            self._probe = asyncio.ensure_future(self._append(()))
            self._probe.add_done_callback(_noted)
        done, _ = await asyncio.wait({self._probe}, timeout=self._timeout_s)
        if not done:
            raise SinkDown(f"no answer within {self._timeout_s} s")
        problem = self._probe.exception()
        if problem is not None:
            raise SinkDown(str(problem)) from problem

    async def close(self) -> None:
        """Write what waits; say how much of it could not be written."""
        self._closing.set()
        self._hurries.set()
        if self._drain is not None:
            await asyncio.wait({self._drain}, timeout=_CLOSE_SECONDS)
        lost = len(self._rows) + self._dropped
        if lost:
            _log.error("%s rows of the audit are lost: its sink is down", lost)
        await self._thread.end(self._sink.close)

    def _has_room(self) -> bool:
        return len(self._rows) + self._places < self._most

    async def _write(self) -> None:
        while self._rows or self._dropped:
            await self._gather()
            rows = [self._rows[at] for at in range(min(len(self._rows), _MOST_AT_ONCE))]
            dropped = self._dropped
            told = [_row_of_dropped(dropped)] if dropped else []
            if not await self._is_written([*rows, *told]):
                return
            self._dropped -= dropped
            for _ in rows:
                self._rows.popleft()

    async def _gather(self) -> None:
        """Let rows gather after a batch, unless half of the room is taken."""
        left = self._rests_until - asyncio.get_running_loop().time()
        if left > 0 and not self._closing.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._hurries.wait()
        self._hurries.clear()

    async def _is_written(self, rows: Sequence[AuditRow]) -> bool:
        """Try until the rows are written; tell at the end if they aren't."""
        while True:
            # A try that began before the end is not the last one.
            is_last = self._closing.is_set()
            try:
                await self._append(rows)
            except _SINK_ERRORS:
                if is_last:
                    return False
                await self._wait()
            else:
                return True

    async def _append(self, rows: Sequence[AuditRow]) -> None:
        try:
            await self._thread.call(partial(self._sink.append, rows))
        except _SINK_ERRORS as problem:
            self._fresh_until = 0.0
            if not self._is_down:
                _log.warning("the sink of the audit is down: %s", problem)
            self._is_down = True
            raise
        if self._is_down:
            _log.warning("the sink of the audit is back")
        self._is_down = False
        now = asyncio.get_running_loop().time()
        self._fresh_until = now + _FRESH_SECONDS
        if rows:
            self._rests_until = now + _PAUSE_SECONDS

    async def _wait(self) -> None:
        """Wait a moment before another try, but not for long at the end."""
        closing = asyncio.ensure_future(self._closing.wait())
        await asyncio.wait({closing}, timeout=_RETRY_SECONDS)
        closing.cancel()


def utc_now() -> str:
    """Give the time as ISO 8601 has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _row_of_dropped(count: int) -> AuditRow:
    # With a name of its own, so that a sink can tell whether it has the row.
    return AuditRow(
        kind="dropped", ended=utc_now(), correlation_id=uuid4().hex, dropped=count
    )


def _noted(probe: asyncio.Future[None]) -> None:
    # Nobody may wait for it any more; what it found was logged.
    if not probe.cancelled():
        probe.exception()
