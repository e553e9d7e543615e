"""A client that costs little, so that it is the server that is measured."""

import json
from asyncio import StreamReader, StreamWriter, open_connection
from time import perf_counter
from typing import Self

__all__ = ["Connection", "request"]

_END = b"\r\n"


def request(method: str, token: str) -> bytes:
    """Write the HTTP request that sends a message over the 1.0 wire.

    Args:
        method: The RPC method.
        token: What the caller proves its name with.
    """
    message = {
        "messageId": "message",
        "role": "ROLE_USER",
        "parts": [{"text": "Where is my order, and when will it be here?"}],
    }
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {"message": message}}
    body = json.dumps(call).encode()
    lines = (
        "POST / HTTP/1.1",
        "Host: 127.0.0.1",
        "A2A-Version: 1.0",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        f"Authorization: Bearer {token}",
        "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    )
    return "".join(f"{line}\r\n" for line in lines).encode() + _END + body


class Connection:
    """A connection that is kept, for one request after the other."""

    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Ask over this connection."""
        self._reader, self._writer = reader, writer

    @classmethod
    async def to(cls, port: int) -> Self:
        """Connect to a port of loopback."""
        return cls(*await open_connection("127.0.0.1", port))

    async def ask(self, asked: bytes) -> float:
        """Send a request, and give the seconds until its answer was there.

        Raises:
            RuntimeError: If its task wasn't completed.
        """
        start = perf_counter()
        self._writer.write(asked)
        answer = await self._answer()
        seconds = perf_counter() - start
        if b"TASK_STATE_COMPLETED" not in answer:
            raise RuntimeError(answer)
        return seconds

    def close(self) -> None:
        """Hang up."""
        self._writer.close()

    async def _answer(self) -> bytes:
        head = (await self._reader.readuntil(_END * 2)).lower()
        _, found, length = head.partition(b"content-length:")
        if found:
            return await self._reader.readexactly(int(length.split(_END)[0]))
        chunks: list[bytes] = []
        while size := int(await self._reader.readuntil(_END), 16):
            chunks.append((await self._reader.readexactly(size + 2))[:-2])
        await self._reader.readexactly(2)
        return b"".join(chunks)
