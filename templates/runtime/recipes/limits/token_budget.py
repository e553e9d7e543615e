"""The recipe `token_budget`: how many tokens a caller may use in a time."""

import logging
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from a2a.server.agent_execution import RequestContext
from limits import RateLimitItem

from ...seams.exchange import Exchange, current, exchange_of
from ...seams.interceptor import AdkEvent, OnExit
from ...seams.protocols import OnAdkEvent
from ...seams.rejection import Rejected
from ...seams.request import Outcome
from .key import CountedBy, check_counted_by, counted_key
from .limiting import Limiting
from .rate_window import RateWindow, parse_limits
from .store import LimitStore, StoreDown

__all__ = ["TokenBudget"]

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Usage:
    """What one request has used: the tokens of each ADK event, by its id."""

    tokens: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(kw_only=True, eq=False)
class TokenBudget(Limiting, OnAdkEvent, OnExit):
    """Refuses messages of a caller whose tokens are used up.

    Looked at before a run, and charged after it, however it ended; a run that
    has begun isn't ended for it.

    Attributes:
        limit: Such as `100000/day`, or several: `20000/hour; 100000/day`. A
            window begins with the first tokens in it.
        by: What tells callers apart; whoever lacks it counts by address.
        header: The header of the tenant or the key.
        store: Where it is counted, as a URL; None for this process.
        on_store_error: Whether messages get in while the store is down.
        store_timeout_s: For how many seconds the store is waited for.
        remembered: How many callers are held in this process.
        namespace: How the keys in the store begin.

    Raises:
        ValueError: If the values can't be used together.
    """

    limit: str
    by: CountedBy = "user"
    header: str | None = None
    store: str | None = field(default=None, repr=False)
    on_store_error: Literal["closed", "open"] = "closed"
    store_timeout_s: float = 0.5
    remembered: int = 100_000
    namespace: str = "token_budget"

    label = "token_budget"

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
        # The one that counts what is over the limit as well.
        self._window = RateWindow("fixed_window", self._limits, self._store.storage)

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Refuse the message if the budget is used up.

        Raises:
            Rejected: With `token_budget_used_up`, or with
                `token_budget_unavailable` when the store is down and that
                closes the door.
        """
        exchange = exchange_of(context)
        key = self._key(exchange)
        try:
            used_up = await self._store.ask(partial(self._used_up, key))
        except StoreDown as problem:
            self.without_store(exchange, problem)
            return context
        if used_up is not None:
            limit, wait_s = used_up
            raise Rejected(
                "token_budget_used_up",
                message=f"at most {limit}, in tokens",
                retry_after_s=wait_s,
            )
        return context

    def on_adk_event(self, event: AdkEvent) -> None:
        """Note what the model used for the event."""
        usage = event.usage_metadata
        # A partial event tells what the whole one tells again.
        if usage is not None and not event.partial:
            self._usage(current()).tokens[event.id] = usage.total_token_count or 0

    async def on_exit(self, outcome: Outcome) -> None:
        """Charge what the request has used."""
        exchange = current()
        used = sum(self._usage(exchange).tokens.values())
        if not used:
            return
        try:
            await self._store.ask(partial(self._charge, self._key(exchange), used))
        except StoreDown as problem:
            _log.warning(
                "request %s: %s tokens are not charged, the store is down: %s",
                outcome.request.correlation_id,
                used,
                problem,
            )

    async def _used_up(self, key: str) -> tuple[RateLimitItem, int] | None:
        for limit in self._limits:
            if not await self._window.has_room(limit, key):
                return limit, await self._window.wait_s(limit, key)
        return None

    async def _charge(self, key: str, used: int) -> None:
        for limit in self._limits:
            await self._window.hit(limit, key, cost=used)

    def _key(self, exchange: Exchange) -> str:
        return counted_key(exchange.facts, self.by, self.header)

    def _usage(self, exchange: Exchange) -> _Usage:
        return exchange.state(f"{self.label} {id(self)}", _Usage, _Usage)
