"""Counters of the `limits` library in this process, as many as allowed and no more.

The library's own memory looks at all its keys at each hit, and has no limit of
them: with 100,000 callers a hit takes 20 ms of the event loop (limits 5.8).
"""

import time
from bisect import bisect_left
from collections import OrderedDict
from dataclasses import dataclass, field
from math import floor

from limits.aio.storage import MovingWindowSupport, SlidingWindowCounterSupport, Storage

__all__ = ["WindowMemory"]


@dataclass(slots=True)
class _Window:
    """One key's counts: of the window that began last, and the one before it."""

    began: float
    length: float
    seen: float
    count: int = 0
    previous: int = 0
    hits: list[float] = field(default_factory=list[float])

    def weighted(self, now: float) -> float:
        return self.previous * (1 - (now - self.began) / self.length) + self.count

    def counts(self, now: float) -> bool:
        # A window counts while it lasts, and then as the one before.
        return now < self.seen + 2 * self.length

    def slide(self, now: float) -> None:
        """Move on to the window that `now` lies in."""
        passed = (now - self.began) // self.length
        if passed >= 1:
            self.previous = self.count if passed == 1 else 0
            self.count = 0
            self.began = self.began + self.length if passed == 1 else now


class WindowMemory(Storage, MovingWindowSupport, SlidingWindowCounterSupport):
    """Holds the windows of the callers that were seen last.

    Nothing in it waits, so that checking and counting are one step.
    """

    STORAGE_SCHEME = None

    def __init__(self, remembered: int) -> None:
        """Begin with nothing counted.

        Args:
            remembered: How many keys are held; the one not seen for longest goes.
        """
        super().__init__()
        self._remembered = remembered
        self._windows: OrderedDict[str, _Window] = OrderedDict()

    @property
    def base_exceptions(self) -> type[Exception]:
        """What it raises when it is down: it never is."""
        return MemoryError

    def __len__(self) -> int:
        """How many keys are held."""
        return len(self._windows)

    async def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count in a window that begins with the first hit."""
        window = self._window(key, expiry)
        now = time.time()
        if now >= window.began + window.length:
            window.began, window.count = now, 0
        window.count += amount
        return window.count

    async def get(self, key: str) -> int:
        """Give the count of a window that hasn't ended."""
        window = self._windows.get(key)
        ended = window is None or time.time() >= window.began + window.length
        return 0 if window is None or ended else window.count

    async def get_expiry(self, key: str) -> float:
        """Give when the window ends."""
        window = self._windows.get(key)
        return window.began + window.length if window else time.time()

    async def acquire_entry(
        self, key: str, limit: int, expiry: int, amount: int = 1
    ) -> bool:
        """Count if fewer than `limit` hits lie within the last `expiry` seconds."""
        hits, now = self._window(key, expiry).hits, time.time()
        del hits[: bisect_left(hits, now - expiry)]
        if len(hits) + amount > limit:
            return False
        hits.extend([now] * amount)
        return True

    async def get_moving_window(
        self, key: str, limit: int, expiry: int
    ) -> tuple[float, int]:
        """Give the oldest hit within the last `expiry` seconds, and how many."""
        hits, now = self._window(key, expiry).hits, time.time()
        within = [hit for hit in hits if hit >= now - expiry][-limit:]
        return (within[0] if within else now), len(within)

    async def acquire_sliding_window_entry(
        self, key: str, limit: int, expiry: int, amount: int = 1
    ) -> bool:
        """Count if the window, with a share of the one before, has room."""
        window, now = self._window(key, expiry), time.time()
        window.slide(now)
        if floor(window.weighted(now)) + amount > limit:
            return False
        window.count += amount
        return True

    async def get_sliding_window(
        self, key: str, expiry: int
    ) -> tuple[int, float, int, float]:
        """Give both counts, each with the seconds for which it still matters."""
        window, now = self._window(key, expiry), time.time()
        window.slide(now)
        left = window.began + window.length - now
        return window.previous, left, window.count, left + window.length

    async def clear(self, key: str) -> None:
        """Forget a key."""
        self._windows.pop(key, None)

    async def clear_sliding_window(self, key: str, expiry: int) -> None:
        """Forget a key."""
        del expiry  # A key has one window, whatever its length.
        self._windows.pop(key, None)

    async def check(self) -> bool:
        """It is always up."""
        return True

    async def reset(self) -> int:
        """Forget all keys."""
        held = len(self._windows)
        self._windows.clear()
        return held

    def _window(self, key: str, expiry: int) -> _Window:
        now = time.time()
        window = self._windows.get(key)
        if window is None:
            window = _Window(began=now, length=expiry, seen=now)
            self._windows[key] = window
            self._forget(now)
        window.seen = now
        self._windows.move_to_end(key)
        return window

    def _forget(self, now: float) -> None:
        """Let go of the keys seen longest ago that are too many, or count no more."""
        while self._windows:
            key, oldest = next(iter(self._windows.items()))
            if len(self._windows) <= self._remembered and oldest.counts(now):
                break
            del self._windows[key]
