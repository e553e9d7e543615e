"""Sends updates to webhooks behind the run's back: no webhook can hold it up.

The SDK waits for its sender before anybody hears of an update, and its own sender
waits for the webhook.
"""

import asyncio
import json
import logging
from collections import deque
from contextvars import Context
from typing import Final, TypeAlias

import httpcore
from a2a.server.tasks import (
    PushNotificationConfigStore,
    PushNotificationEvent,
    PushNotificationSender,
)
from a2a.types import TaskPushNotificationConfig
from a2a.utils.proto_utils import to_stream_response
from google.protobuf.json_format import MessageToDict

from .webhook_client import WebhookClient
from .webhook_url import WebhookRefused

__all__ = ["CLOSE_SECONDS", "MOST_BYTES", "PushDelivery", "headers_of"]

_log = logging.getLogger(__name__)

CLOSE_SECONDS: Final = 5
"""How long the end of the service waits for what is still to be sent."""
MOST_BYTES: Final = 32 * 1024 * 1024
"""How much may wait to be sent, to all webhooks together."""
_MOST_AT_ONCE: Final = 100
_SUCCESS: Final = 2

_Line: TypeAlias = tuple[str, str]
"""A task's id and a webhook's: what is sent in order."""


class PushDelivery(PushNotificationSender):
    """Sends each webhook its updates in order, and none waits for another webhook.

    Best effort, as in A2A: an update is sent once. After one that couldn't be
    delivered, only the newest of those that wait is sent, so that a dead webhook
    doesn't keep its place for long.
    """

    def __init__(
        self, configs: PushNotificationConfigStore, client: WebhookClient
    ) -> None:
        """Send nothing yet.

        Args:
            configs: Where the webhooks of tasks are kept.
            client: Calls them.
        """
        self._configs = configs
        self._client = client
        self._waiting: dict[_Line, deque[bytes]] = {}
        self._workers: dict[_Line, asyncio.Task[None]] = {}
        self._bytes = 0
        self._turns = asyncio.Semaphore(_MOST_AT_ONCE)
        self._closed = False

    @property
    def waiting_bytes(self) -> int:
        """How much waits to be sent."""
        return self._bytes

    @property
    def open_lines(self) -> int:
        """How many webhooks of tasks are being sent something."""
        return len(self._workers)

    async def send_notification(
        self, task_id: str, event: PushNotificationEvent
    ) -> None:
        """Queue an update for each webhook of the task, as it is now."""
        configs = await self._configs.get_info_for_dispatch(task_id)
        if not configs or self._closed:
            return
        update = MessageToDict(to_stream_response(event))
        body = json.dumps(update, ensure_ascii=False, separators=(",", ":")).encode()
        for config in configs:
            self._queue((task_id, config.id), body)

    async def close(self) -> None:
        """Send what waits, for a while; say how much of it wasn't."""
        self._closed = True
        workers = list(self._workers.values())
        if not workers:
            return
        _, late = await asyncio.wait(workers, timeout=CLOSE_SECONDS)
        # What is being sent isn't sure to arrive either.
        lost = len(late) + sum(map(len, self._waiting.values()))
        for worker in late:
            worker.cancel()
        if late:
            await asyncio.wait(late)
            _log.warning("%s updates were not pushed: the service ends", lost)

    def _queue(self, line: _Line, body: bytes) -> None:
        self._waiting.setdefault(line, deque()).append(body)
        self._bytes += len(body)
        while self._bytes > MOST_BYTES:
            self._drop(max(self._waiting, key=lambda each: len(self._waiting[each])))
        if line not in self._workers:
            # Its context would keep the first request alive.
            self._workers[line] = asyncio.create_task(
                self._send_all(line), context=Context()
            )

    def _take(self, line: _Line) -> bytes:
        body = self._waiting[line].popleft()
        self._bytes -= len(body)
        return body

    def _drop(self, line: _Line) -> None:
        self._take(line)
        _log.warning("an update of task %s isn't pushed: too much waits", line[0])

    async def _send_all(self, line: _Line) -> None:
        waiting = self._waiting[line]
        try:
            while waiting:
                async with self._turns:
                    # Meanwhile others may have needed the room.
                    is_sent = not waiting or await self._send(line, self._take(line))
                while not is_sent and len(waiting) > 1:
                    self._take(line)
        finally:
            while waiting:
                self._take(line)
            del self._waiting[line], self._workers[line]

    async def _send(self, line: _Line, body: bytes) -> bool:
        task_id, config_id = line
        # It may have been deleted or changed since.
        configs = await self._configs.get_info_for_dispatch(task_id)
        config = next((each for each in configs if each.id == config_id), None)
        if config is None:
            return True
        try:
            status = await self._client.post(config.url, headers_of(config), body)
        except Exception as error:
            problem = _told(error)
        else:
            if status // 100 == _SUCCESS:
                return True
            problem = f"the answer was {status}"
        _log.warning("an update of task %s couldn't be pushed: %s", task_id, problem)
        return False


def headers_of(config: TaskPushNotificationConfig) -> dict[str, str]:
    """Give the headers by which a webhook knows its caller, as the SDK sends them."""
    headers: dict[str, str] = {}
    if config.token:
        headers["X-A2A-Notification-Token"] = config.token
    proof = config.authentication
    if proof.scheme and proof.credentials:
        headers["Authorization"] = f"{proof.scheme} {proof.credentials}"
    return headers


def _told(error: Exception) -> str:
    # Others repeat what they were given, a header among it.
    known = isinstance(error, WebhookRefused | httpcore.ConnectError)
    return str(error) if known else type(error).__name__
