"""Where limits are counted: in this process, in Redis, or in Memcached."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from limits.aio.storage import MemcachedStorage, RedisStorage, Storage
from limits.errors import ConfigurationError
from redis.asyncio import Redis, from_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from ...boundary.masking import masked
from .window_memory import WindowMemory

__all__ = ["LimitStore", "StoreDown"]

AnswerT = TypeVar("AnswerT")

# Fewer than the 100 connections of redis-py's pool, which fails when it is used up.
_AT_ONCE = 50
_REDIS = ("redis", "rediss", "unix")


class StoreDown(Exception):
    """The store failed, or didn't answer in time."""


class LimitStore:
    """A store that can fail, but can't hold a request up.

    Attributes:
        storage: The `limits` library's view of it.
        redis: Its client, if Redis is where it counts.
    """

    def __init__(self, url: str | None, *, timeout_s: float, remembered: int) -> None:
        """Name the store; nothing is opened before it is asked.

        Args:
            url: `redis://`, `rediss://`, `unix://` or `memcached://`; None or
                `memory://` for this process.
            timeout_s: For how many seconds an answer is waited for.
            remembered: How many keys are held in this process.

        Raises:
            ValueError: If it can't be such a store. The URL isn't shown: it may
                hold a password.
        """
        if timeout_s <= 0 or remembered < 1:
            raise ValueError("store_timeout_s and remembered must be above zero")
        self._timeout_s = timeout_s
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self.redis: Redis | None = None
        self.storage: Storage
        scheme = (url or "memory:").partition(":")[0]
        if scheme == "memory":
            self.storage = WindowMemory(remembered)
        elif scheme in _REDIS and url:
            self.redis = _client(url)
            self.storage = _in_redis(self.redis)
        elif scheme == "memcached" and url:
            self.storage = _in_memcached(url)
        else:
            raise ValueError("a store's URL begins with redis, memcached or memory")

    async def ask(self, question: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
        """Wait for an answer, but not for long.

        Args:
            question: What to ask the storage, begun when it is its turn.

        Raises:
            StoreDown: If there is none, whatever the cause.
        """
        try:
            async with asyncio.timeout(self._timeout_s), self._turns:
                return await question()
        except Exception as error:
            # Whatever a client raises: the spec says what happens then.
            problem = masked(f"{type(error).__name__}: {error}")
        raise StoreDown(problem)

    async def close(self) -> None:
        """Close the connections."""
        if self.redis is not None:
            await self.redis.aclose()


def _client(url: str) -> Redis:
    try:
        # A second try for a connection that the store has closed meanwhile; redis-py
        # would wait between tries for longer than a caller should.
        return from_url(url, retry=Retry(NoBackoff(), 1))
    except ValueError:
        raise ValueError("the store's URL can't be read") from None


def _in_redis(client: Redis) -> RedisStorage:
    # The library passes options on to redis-py, and types only the plain ones. Its
    # own reading of a URL knows fewer forms, and isn't needed beside a client.
    options: dict[str, Any] = {"connection_pool": client.connection_pool}
    return RedisStorage("redis://", implementation="redispy", **options)


def _in_memcached(url: str) -> MemcachedStorage:
    try:
        return MemcachedStorage(url)
    except ConfigurationError:
        problem = "Memcached needs a URL with host:port, and the package memcachio"
    raise ValueError(problem)
