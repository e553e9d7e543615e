"""Places that requests hold while they last: in this process, or in Redis."""

from abc import ABC, abstractmethod
from collections import Counter
from functools import partial

from .store import LimitStore

__all__ = ["MemorySlots", "RedisSlots", "Slots"]

# A place is a member whose score is when it ends by itself; the clock is Redis's own.
_TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then
    return 0
end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
"""


class Slots(ABC):
    """So many places for each key."""

    @abstractmethod
    async def take(self, key: str, holder: str) -> bool:
        """Take a place if there is one, in one step; tell whether there was.

        Raises:
            StoreDown: If that can't be told.
        """

    @abstractmethod
    async def give_back(self, key: str, holder: str) -> None:
        """Give the holder's place back, if it has one.

        Raises:
            StoreDown: If that can't be done.
        """


class MemorySlots(Slots):
    """Places in this process; a key that nobody holds a place of takes no memory."""

    def __init__(self, most: int) -> None:
        """Begin with all places free."""
        self._most = most
        self._taken: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many keys have a place that is taken."""
        return len(self._taken)

    async def take(self, key: str, holder: str) -> bool:
        """Take a place if there is one."""
        del holder  # Nobody else gives places back here.
        if self._taken[key] >= self._most:
            return False
        self._taken[key] += 1
        return True

    async def give_back(self, key: str, holder: str) -> None:
        """Give a place back."""
        del holder
        self._taken[key] -= 1
        if self._taken[key] < 1:
            del self._taken[key]


class RedisSlots(Slots):
    """Places that several processes share."""

    def __init__(
        self, most: int, store: LimitStore, *, lease_s: float, namespace: str
    ) -> None:
        """Share the places.

        Args:
            most: How many each key has.
            store: The Redis.
            lease_s: After how many seconds a place is free again by itself, since
                who holds it may die.
            namespace: How the keys begin.

        Raises:
            ValueError: If the store is another one.
        """
        if store.redis is None:
            raise ValueError("places are shared in Redis only")
        self._most = most
        self._lease_ms = round(lease_s * 1000)
        self._namespace = namespace
        self._store = store
        self._redis = store.redis
        self._take = store.redis.register_script(_TAKE)

    async def take(self, key: str, holder: str) -> bool:
        """Take a place if there is one."""
        arguments: list[str | int] = [self._most, self._lease_ms, holder]
        asked = partial(self._take, keys=[self._name(key)], args=arguments)
        return bool(await self._store.ask(asked))

    async def give_back(self, key: str, holder: str) -> None:
        """Give the holder's place back."""
        await self._store.ask(partial(self._redis.zrem, self._name(key), holder))

    def _name(self, key: str) -> str:
        return f"{self._namespace}/{key}"
