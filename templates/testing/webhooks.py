"""Webhooks, how a caller sets them, and a network for them that isn't there."""

import asyncio
import json
from functools import partial

import httpcore
import pytest

from .harness import Caller, Json, Reply, Wire, values
from .subject import executor

__all__ = ["MARK", "PUBLIC", "Web", "send", "set_hook"]

PUBLIC = "8.8.8.8"
MARK = "of-the-caller"
"""What a webhook knows its caller by."""


class Web(httpcore.AsyncNetworkBackend):
    """Stands in for the network: a name server, and a webhook at every address.

    Attributes:
        addresses: What each name has, look-up for look-up; the last answer stays.
        answer: What the webhook answers with; nothing at all if it is empty.
        asked: The names that were looked up.
        connected: The addresses that were connected to.
        calls: What the webhook got.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Stand in for it until the end of the test."""
        self.addresses = [[PUBLIC]]
        self.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        self.asked: list[str] = []
        self.connected: list[str] = []
        self.calls: list[tuple[str, Json]] = []
        package = f"{executor.__package__}.recipes.push"
        monkeypatch.setattr(f"{package}.webhook_client.look_up", self.look_up)
        connection = partial(httpcore.AsyncHTTPConnection, network_backend=self)
        monkeypatch.setattr(httpcore, "AsyncHTTPConnection", connection)
        # Who stops isn't kept waiting by a webhook that doesn't answer.
        monkeypatch.setattr(f"{package}.delivery.CLOSE_SECONDS", 1)

    async def look_up(self, host: str, _: int) -> list[str]:
        """Give the addresses of a name."""
        await asyncio.sleep(0)
        self.asked.append(host)
        return self.addresses.pop(0) if self.addresses[1:] else self.addresses[0]

    async def connect_tcp(
        self, host: str, port: int, *_: object, **__: object
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the webhook."""
        await asyncio.sleep(0)
        assert port
        self.connected.append(host)
        return Line(self)

    @property
    def states(self) -> list[Json]:
        """The states of the task that the webhook was told, in order."""
        return [state for _, body in self.calls for state in values(body, "state")]


class Line(httpcore.AsyncMockStream):
    """One connection to the webhook."""

    def __init__(self, web: Web) -> None:
        """Connect."""
        super().__init__([])
        self._web = web
        self._got = b""

    async def write(self, buffer: bytes, *_: object, **__: object) -> None:
        """Take a part of a call."""
        self._got += buffer

    async def read(self, *_: object, **__: object) -> bytes:
        """Answer the call."""
        if not self._web.answer:
            await asyncio.sleep(3600)
        head, body = self._got.split(b"\r\n\r\n", 1)
        self._web.calls.append((head.decode(), json.loads(body)))
        return self._web.answer


def config(version: str, url: str) -> dict[str, Json]:
    """Give the configuration of a webhook."""
    proof: Json = {"scheme": "Bearer", "credentials": MARK}
    if version == "0.3":
        proof = {"schemes": ["Bearer"], "credentials": MARK}
    return {"id": "hook", "url": url, "token": MARK, "authentication": proof}


async def send(caller: Caller, wire: Wire, url: str) -> Reply:
    """Send a message with a webhook in it."""
    if wire.version == "1.0":
        message: dict[str, Json] = {"role": "ROLE_USER", "parts": [{"text": "hello"}]}
        method = "SendStreamingMessage" if wire.streaming else "SendMessage"
        key = "taskPushNotificationConfig"
    else:
        parts: list[Json] = [{"kind": "text", "text": "hello"}]
        message = {"kind": "message", "role": "user", "parts": parts}
        method = "message/stream" if wire.streaming else "message/send"
        key = "pushNotificationConfig"
    params: dict[str, Json] = {
        "message": {"messageId": "message-with-hook", **message},
        "configuration": {key: config(wire.version, url)},
    }
    return await caller.call(method, params, wire.version)


async def set_hook(caller: Caller, version: str, task_id: str, url: str) -> Reply:
    """Set a webhook of a task by the call for it."""
    if version == "1.0":
        method = "CreateTaskPushNotificationConfig"
        params: dict[str, Json] = {"taskId": task_id, **config(version, url)}
    else:
        method = "tasks/pushNotificationConfig/set"
        params = {
            "taskId": task_id,
            "pushNotificationConfig": config(version, url),
        }
    return await caller.call(method, params, version)
