"""The recipe `rate_limit`: how many messages a caller may send in a time."""

import logging
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from a2a.server.agent_execution import RequestContext
from limits import RateLimitItem

from ...boundary.outgoing import PAUSED
from ...seams.exchange import Exchange, exchange_of
from ...seams.rejection import Rejected
from .key import CountedBy, check_counted_by, counted_key
from .limiting import Limiting
from .rate_window import RateWindow, Strategy, parse_limits
from .store import LimitStore, StoreDown

__all__ = ["RateLimit"]

_log = logging.getLogger(__name__)


@dataclass(kw_only=True, eq=False)
class RateLimit(Limiting):
    """Refuses messages of a caller who sends too many, or marks them.

    Checking and counting are one step, so of many at once as many get in as
    may. What is counted is sending alone: the card, reading and cancelling are
    free.

    Attributes:
        limit: Such as `60/minute`, or several: `5/second; 60/minute`.
        strategy: How the `limits` library counts: `fixed_window` from the first
            message on, `sliding_window` with a share of the window before,
            `moving_window` by the time of each message.
        by: What tells callers apart; whoever lacks it counts by address.
        header: The header of the tenant or the key.
        action: Whether a message too many is refused, or marked and let in.
        count_replies: Whether replies to a paused task count.
        store: Where it is counted, as a URL; None for this process.
        on_store_error: Whether messages get in while the store is down.
        store_timeout_s: For how many seconds the store is waited for.
        remembered: How many callers are held in this process.
        namespace: How the keys in the store begin.

    Raises:
        ValueError: If the values can't be used together.
    """

    limit: str
    strategy: Strategy = "sliding_window"
    by: CountedBy = "user"
    header: str | None = None
    action: Literal["reject", "warn"] = "reject"
    count_replies: bool = True
    store: str | None = field(default=None, repr=False)
    on_store_error: Literal["closed", "open"] = "closed"
    store_timeout_s: float = 0.5
    remembered: int = 100_000
    namespace: str = "rate_limit"

    label = "rate_limit"

    def __post_init__(self) -> None:
        """Read the limits and name the store."""
        check_counted_by(self.by, self.header)
        self._limits = parse_limits(self.limit, self.namespace)
        self._store = LimitStore(
            self.store,
            timeout_s=self.store_timeout_s,
            # Each caller is counted once for each limit.
            remembered=self.remembered * len(self._limits),
        )
        self._window = RateWindow(self.strategy, self._limits, self._store.storage)

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Count the message, and refuse or mark it if it is one too many.

        Raises:
            Rejected: With `rate_limited`, or with `rate_limit_unavailable` when
                the store is down and that closes the door.
        """
        task = context.current_task
        is_answer = task is not None and task.status.state in PAUSED
        if is_answer and not self.count_replies:
            return context
        exchange = exchange_of(context)
        key = counted_key(exchange.facts, self.by, self.header)
        try:
            full = await self._store.ask(partial(self._first_full, key))
            if full is not None:
                await self._exceeded(exchange, full, key)
        except StoreDown as problem:
            self.without_store(exchange, problem)
        return context

    async def _first_full(self, key: str) -> RateLimitItem | None:
        for limit in self._limits:
            if not await self._window.hit(limit, key):
                return limit
        return None

    async def _exceeded(
        self, exchange: Exchange, full: RateLimitItem, key: str
    ) -> None:
        if self.action == "warn":
            correlation_id = exchange.facts.correlation_id
            _log.warning(
                "request %s: %s is over %s and let in", correlation_id, key, full
            )
            self.mark(exchange, "exceeded")
            return
        try:
            wait_s = await self._store.ask(partial(self._window.wait_s, full, key))
        except StoreDown:
            wait_s = full.get_expiry()
        raise Rejected("rate_limited", message=f"at most {full}", retry_after_s=wait_s)
