"""The thread in which the audit is written."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

__all__ = ["AuditThread"]

_CLOSE_SECONDS = 1.0

_Call: TypeAlias = tuple[Callable[[], None], Future[None]]


class AuditThread:
    """Makes calls off the event loop, one after another.

    Not one of an executor's: Python waits for those when a process ends, and a
    sink that hangs would hold it for ever.
    """

    def __init__(self) -> None:
        """Start nothing yet."""
        # None is the end of it.
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._thread: Thread | None = None

    async def call(self, function: Callable[[], None]) -> None:
        """Make a call when those before it are done; raises what it raises."""
        await self._queued(function)

    async def end(self, last: Callable[[], None]) -> None:
        """Make a last call, but don't wait long for it."""
        if self._thread is None:
            return
        ended = self._queued(last)
        self._calls.put(None)
        self._thread = None
        await asyncio.wait({ended}, timeout=_CLOSE_SECONDS)
        ended.cancel()

    def _queued(self, function: Callable[[], None]) -> asyncio.Future[None]:
        if self._thread is None:
            self._thread = Thread(target=self._work, name="audit", daemon=True)
            self._thread.start()
        future: Future[None] = Future()
        self._calls.put((function, future))
        return asyncio.wrap_future(future)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            function, future = call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                function()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(None)
