"""What the tests of limits share: callers with names, and a store that can fail."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, Literal
from uuid import uuid4

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from runtime.recipes.authentication.trusted_header import TrustedHeader
from testing.harness import Content, Json

__all__ = [
    "HOST",
    "Namespace",
    "Proxy",
    "from_user",
    "identity",
    "proxied",
    "redis_keys",
]

HOST, PORT = "127.0.0.1", 6379
_PROOF = "gateway-secret-0123456789"


def identity() -> TrustedHeader:
    """Make what verifies the callers of `from_user`."""
    return TrustedHeader(secret=_PROOF)


def from_user(name: str, **headers: str) -> Content:
    """Make a message of a verified caller."""
    proof = {"X-Forwarded-User": name, "X-Gateway-Secret": _PROOF, **headers}
    parts: list[dict[str, Json]] = [{"text": "hello"}]
    return Content(parts=parts, headers=proof)


class Namespace:
    """The keys of one test in the real Redis.

    Attributes:
        name: What they have in them, and no others.
        url: Where they are.
    """

    url = f"redis://{HOST}:{PORT}/0"

    def __init__(self) -> None:
        """Have no keys yet."""
        self.name = f"test-{uuid4().hex}"
        # Its commands have no full types.
        self._client: Any = Redis(host=HOST, port=PORT, decode_responses=True)

    async def require_redis(self) -> None:
        """Skip the test where there is no Redis."""
        try:
            await self._client.ping()
        except (RedisConnectionError, OSError):
            await self._client.aclose()
            start = f"docker run --rm -p {PORT}:{PORT} redis:7"
            pytest.skip(f"no Redis at {HOST}:{PORT}; start one with: {start}")

    async def keys(self) -> list[str]:
        """Give the keys."""
        found = self._client.scan_iter(f"*{self.name}*")
        return [str(key) async for key in found]

    async def close(self) -> None:
        """Delete the keys."""
        for key in await self.keys():
            await self._client.delete(key)
        await self._client.aclose()


@asynccontextmanager
async def redis_keys() -> AsyncGenerator[Namespace, None]:
    """Give a namespace of one's own, and empty it at the end."""
    namespace = Namespace()
    await namespace.require_redis()
    try:
        yield namespace
    finally:
        await namespace.close()


class Proxy:
    """Stands before a store; can hold back what it answers, and go away.

    Attributes:
        url: Where it listens, if the store is Redis.
        port: The port there.
        cut_at: What it passes on and then closes that connection for, once.
    """

    def __init__(self, store: int) -> None:
        """Pass everything on to a port."""
        self.url = ""
        self.port = 0
        self.cut_at = b""
        self._store = store
        self._open = asyncio.Event()
        self._open.set()
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    async def be(self, what: Literal["up", "slow", "down"]) -> None:
        """Answer, hold answers back, or close all connections and listen no more."""
        if what == "slow":
            self._open.clear()
            return
        self._open.set()
        if what == "down" and self._server is not None:
            self._server.close()
            self._server = None
            self._cut()
        if what == "up" and self._server is None:
            self._server = await asyncio.start_server(self._serve, HOST, self.port)
            self.port = int(self._server.sockets[0].getsockname()[1])
            self.url = f"redis://{HOST}:{self.port}/0"

    def _cut(self) -> None:
        for writer in self._writers:
            writer.close()
        self._writers.clear()

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError):
            inner_reader, inner_writer = await asyncio.open_connection(
                HOST, self._store
            )
            self._writers |= {writer, inner_writer}
            await asyncio.gather(
                self._pass_on(reader, inner_writer), self._pass_on(inner_reader, writer)
            )

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
                if self.cut_at and self.cut_at in data:
                    self.cut_at = b""
                    self._cut()
        writer.close()


@asynccontextmanager
async def proxied(store: int = PORT) -> AsyncGenerator[Proxy, None]:
    """Stand before a store, Redis by default, as long as the block lasts."""
    proxy = Proxy(store)
    await proxy.be("up")
    try:
        yield proxy
    finally:
        await proxy.be("down")
        await asyncio.sleep(0.05)
