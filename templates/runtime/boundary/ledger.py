"""Which requests are open, and that each is settled exactly once.

`after_agent` is skipped when a run fails, is canceled or asks again, so what
a hook acquires is released here.
"""

import asyncio
import logging
import weakref
from collections.abc import Sequence

from a2a.server.agent_execution import RequestContext

from ..seams.chain import Interceptor
from ..seams.exchange import Exchange
from ..seams.request import Outcome, OutcomeKind
from .masking import masked_traceback

__all__ = ["Ledger"]

_log = logging.getLogger(__name__)

# A hook that doesn't return mustn't hold the caller for ever.
_EXIT_SECONDS = 5.0


class Ledger:
    """Runs the on_exit hooks, last interceptor first, once for each request."""

    def __init__(self, chain: Sequence[Interceptor]) -> None:
        """Settle with the on_exit hooks of the chain."""
        self._exits = [
            (each.name, each.on_exit) for each in reversed(chain) if each.on_exit
        ]
        self._open: dict[str, set[Exchange]] = {}
        self._canceled: set[str] = set()
        self._running: set[asyncio.Task[None]] = set()

    def open(self, exchange: Exchange) -> None:
        """Note that the request has to be settled."""
        self._open.setdefault(exchange.facts.task_id, set()).add(exchange)

    def watch(self, context: RequestContext, exchange: Exchange) -> None:
        """Settle the request as never started if its context is thrown away.

        The SDK drops a queued message without a word when its task ends, or
        when the caller hangs up before it was queued.
        """
        if self._exits:
            loop = asyncio.get_running_loop()
            weakref.finalize(context, self._dropped, exchange, loop).atexit = False

    async def settle(
        self,
        exchange: Exchange,
        kind: OutcomeKind,
        *,
        error_code: str | None = None,
        error: BaseException | None = None,
    ) -> None:
        """Run the on_exit hooks, unless they ran for the request already."""
        if exchange.ended is not None:
            return
        exchange.ended = kind
        if not self._exits:
            self._close(exchange)
            return
        outcome = Outcome(
            kind=kind, request=exchange.facts, error_code=error_code, error=error
        )
        with exchange.entered():
            task = asyncio.create_task(self._run(exchange, outcome))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        # Waited for, not awaited: who cancels this one doesn't cancel the hooks.
        await asyncio.wait({task}, timeout=_EXIT_SECONDS)

    def cancel(self, task_id: str) -> None:
        """Note that the runs of the task end by a cancel, not by a shutdown."""
        if task_id in self._open:
            self._canceled.add(task_id)

    def running(self, task_id: str) -> Exchange | None:
        """Give the request whose run the task is in; None if it only waits."""
        requests = self._open.get(task_id, ())
        return next((each for each in requests if each.started), None)

    def is_canceled(self, exchange: Exchange) -> bool:
        """Tell whether somebody canceled the request's task."""
        return exchange.facts.task_id in self._canceled

    async def settle_canceled(self, task_id: str) -> None:
        """Settle what of a canceled task never started; wait for what did."""
        for exchange in list(self._open.get(task_id, ())):
            if not exchange.started:
                await self.settle(exchange, "canceled")
        waits = {
            asyncio.ensure_future(exchange.settled.wait())
            for exchange in self._open.get(task_id, ())
        }
        if waits:
            _, late = await asyncio.wait(waits, timeout=_EXIT_SECONDS)
            for wait in late:
                wait.cancel()

    async def close(self) -> None:
        """Settle what is left as shut down, and wait for the hooks."""
        left = [each for exchanges in self._open.values() for each in exchanges]
        await asyncio.gather(*(self.settle(each, "shut_down") for each in left))
        if self._running:
            await asyncio.wait(set(self._running), timeout=_EXIT_SECONDS)

    async def _run(self, exchange: Exchange, outcome: Outcome) -> None:
        for name, on_exit in self._exits:
            # Gathered, so that what a hook raises comes back as a value.
            (raised,) = await asyncio.gather(on_exit(outcome), return_exceptions=True)
            if raised is not None:
                _log.error(
                    "request %s: on_exit of interceptor %r failed\n%s",
                    exchange.facts.correlation_id,
                    name,
                    masked_traceback(raised).rstrip(),
                )
        self._close(exchange)

    def _close(self, exchange: Exchange) -> None:
        exchange.settled.set()
        task_id = exchange.facts.task_id
        others = self._open.get(task_id, set())
        others.discard(exchange)
        if not others:
            self._open.pop(task_id, None)
            self._canceled.discard(task_id)

    def _dropped(self, exchange: Exchange, loop: asyncio.AbstractEventLoop) -> None:
        if not exchange.started and exchange.ended is None and not loop.is_closed():
            loop.call_soon_threadsafe(self._settle_soon, exchange)

    def _settle_soon(self, exchange: Exchange) -> None:
        task = asyncio.ensure_future(self.settle(exchange, "never_started"))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
