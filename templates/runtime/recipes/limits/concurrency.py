"""The recipe `concurrency`: how many requests a caller may have at once."""

import logging
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from a2a.server.agent_execution import RequestContext

from ...seams.exchange import exchange_of
from ...seams.interceptor import OnExit
from ...seams.rejection import Rejected
from ...seams.request import Outcome, RequestFacts
from .key import CountedBy, check_counted_by, counted_key
from .limiting import Limiting
from .slots import MemorySlots, RedisSlots, Slots
from .store import LimitStore, StoreDown

__all__ = ["Concurrency"]

_log = logging.getLogger(__name__)

Sharing: TypeAlias = CountedBy | Literal["all"]


@dataclass(kw_only=True, eq=False)
class Concurrency(Limiting, OnExit):
    """Refuses a message while its caller has too many that aren't done.

    A place comes back on every exit: also when the run fails, is canceled or
    times out, when the task waits for input, and when a later interceptor
    refuses the message.

    Attributes:
        most: How many at once.
        by: Who shares them: each caller has so many, or all have them together.
        header: The header of the tenant or the key.
        store: The URL of a Redis that processes share the places in; None for
            places of each process.
        on_store_error: Whether messages get in while the store is down.
        store_timeout_s: For how many seconds the store is waited for.
        lease_s: After how many seconds a place in Redis is free by itself.
        namespace: How the keys in the store begin.

    Raises:
        ValueError: If the values can't be used together.
    """

    most: int
    by: Sharing = "user"
    header: str | None = None
    store: str | None = field(default=None, repr=False)
    on_store_error: Literal["closed", "open"] = "closed"
    store_timeout_s: float = 0.5
    lease_s: float = 3600
    namespace: str = "concurrency"

    label = "concurrency"

    def __post_init__(self) -> None:
        """Make the places."""
        if self.most < 1 or self.lease_s <= 0:
            raise ValueError("most and lease_s must be above zero")
        if self.by != "all":
            check_counted_by(self.by, self.header)
        elif self.header is not None:
            raise ValueError("header is of no use with by: all")
        self._store = LimitStore(
            self.store, timeout_s=self.store_timeout_s, remembered=1
        )
        self._slots = self._places()
        self._held: dict[str, str] = {}

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Take a place, or refuse the message.

        Raises:
            Rejected: With `too_many_at_once`, or with `concurrency_unavailable`
                when the store is down and that closes the door.
        """
        exchange = exchange_of(context)
        holder, key = exchange.facts.correlation_id, self._key(exchange.facts)
        # Noted before it is known: an answer that is late, or that nobody waits
        # for any more, may have taken a place.
        self._held[holder] = key
        try:
            has_place = await self._slots.take(key, holder)
        except StoreDown as problem:
            self.without_store(exchange, problem)
            return context
        if not has_place:
            del self._held[holder]
            message = f"at most {self.most} at once"
            raise Rejected("too_many_at_once", message=message, retry_after_s=1)
        return context

    async def on_exit(self, outcome: Outcome) -> None:
        """Give the place back."""
        holder = outcome.request.correlation_id
        key = self._held.pop(holder, None)
        if key is None:
            return
        try:
            await self._slots.give_back(key, holder)
        except StoreDown as problem:
            _log.warning(
                "request %s: its place is free in %s seconds, the store is down: %s",
                holder,
                self.lease_s,
                problem,
            )

    def _places(self) -> Slots:
        if self.store is None or self.store.startswith("memory:"):
            return MemorySlots(self.most)
        return RedisSlots(
            self.most, self._store, lease_s=self.lease_s, namespace=self.namespace
        )

    def _key(self, facts: RequestFacts) -> str:
        if self.by == "all":
            return self.by
        return counted_key(facts, self.by, self.header)
