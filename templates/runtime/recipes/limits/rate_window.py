"""Limits such as `60/minute`, counted by one of the `limits` library's strategies."""

import time
from math import floor
from typing import Literal, TypeAlias

from limits import RateLimitItem, parse_many
from limits.aio.storage import SlidingWindowCounterSupport, Storage
from limits.aio.strategies import (
    FixedWindowRateLimiter,
    MovingWindowRateLimiter,
    RateLimiter,
    SlidingWindowCounterRateLimiter,
)

__all__ = ["RateWindow", "Strategy", "parse_limits"]

Strategy: TypeAlias = Literal["fixed_window", "sliding_window", "moving_window"]

_LIMITERS: dict[Strategy, type[RateLimiter]] = {
    "fixed_window": FixedWindowRateLimiter,
    "sliding_window": SlidingWindowCounterRateLimiter,
    "moving_window": MovingWindowRateLimiter,
}
# It keeps the time of each hit of each caller: a larger one stalls its store.
_MOST_MOVING = 1000


def parse_limits(text: str, namespace: str) -> tuple[RateLimitItem, ...]:
    """Read limits such as `5/second; 60/minute`, the shortest window first.

    In this order, what a short window refuses doesn't count in a long one.

    Args:
        text: The limits.
        namespace: How their keys begin.

    Raises:
        ValueError: If they can't be read, or allow nothing.
    """
    parsed = [
        type(each)(each.amount, each.multiples, namespace) for each in parse_many(text)
    ]
    if any(each.amount < 1 for each in parsed):
        raise ValueError(f"a limit allows 1 or more, which {text!r} doesn't")
    return tuple(sorted(parsed, key=RateLimitItem.get_expiry))


class RateWindow:
    """Counts hits, and tells when there is room again."""

    def __init__(
        self, strategy: Strategy, limits: tuple[RateLimitItem, ...], storage: Storage
    ) -> None:
        """Count by a strategy in a storage.

        Raises:
            ValueError: If the strategy can't count these limits there.
        """
        most = max(each.amount for each in limits)
        if strategy == "moving_window" and most > _MOST_MOVING:
            raise ValueError(
                f"a moving_window keeps the time of each hit, {most} for each caller;"
                f" above {_MOST_MOVING} use sliding_window"
            )
        try:
            self._limiter = _LIMITERS[strategy](storage)
        except NotImplementedError:
            problem = f"this store can't count by {strategy}; use sliding_window"
            raise ValueError(problem) from None
        self._storage = storage
        self._strategy = strategy

    async def hit(self, limit: RateLimitItem, key: str, cost: int = 1) -> bool:
        """Count a hit if there is room, in one step; tell whether there was.

        By `fixed_window` it is counted in any case.
        """
        return await self._limiter.hit(limit, key, cost=cost)

    async def has_room(self, limit: RateLimitItem, key: str) -> bool:
        """Tell whether there is room, and count nothing."""
        return await self._limiter.test(limit, key)

    async def wait_s(self, limit: RateLimitItem, key: str) -> int:
        """Give after how many seconds there is room, from 1 to the whole window."""
        if self._strategy == "sliding_window":
            wait = await _sliding_wait(self._storage, limit, key)
        else:
            stats = await self._limiter.get_window_stats(limit, key)
            wait = stats.reset_time - time.time()
        # Not at that moment, but right after it.
        return max(1, min(floor(wait) + 1, limit.get_expiry()))


async def _sliding_wait(storage: Storage, limit: RateLimitItem, key: str) -> float:
    """Give when the weighted count falls below the limit.

    The library's own figure is when it changes next, which may be too early.
    """
    if not isinstance(storage, SlidingWindowCounterSupport):
        return limit.get_expiry()
    length = limit.get_expiry()
    previous, previous_left, count, count_left = await storage.get_sliding_window(
        limit.key_for(key), length
    )
    if not previous:
        return count_left - length
    return previous_left - (limit.amount - count) * length / previous
