"""Which run each message has, for as long as a caller may send it again."""

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256

from google.protobuf.message import Message

__all__ = ["MessageRun", "Remembered", "hashed"]


@dataclass(slots=True, eq=False)
class MessageRun:
    """The one run of a message; holds hashes, and nothing that was sent.

    Attributes:
        key: The hash of its caller and its id.
        digest: The hash of what was sent.
        task_id: Its task; empty until it is let in.
        before: The hash of the status that the task had then; empty for a new task.
        has_sent: Whether anything of it left, so that there is a task.
        ended_at: When it ended, in the seconds of a clock that nobody sets; None
            while it lasts.
        is_forgotten: Whether it came to nothing, so that a repeat is the first.
        decided: Set once there is a task, or it is forgotten.
    """

    key: bytes
    digest: bytes
    task_id: str = ""
    before: bytes = b""
    has_sent: bool = False
    ended_at: float | None = None
    is_forgotten: bool = False
    decided: asyncio.Event = field(default_factory=asyncio.Event)


class Remembered:
    """The runs that last, and those that ended not long ago."""

    def __init__(self, *, window_s: float, most: int) -> None:
        """Start with none.

        Args:
            window_s: For how many seconds after its end a run is remembered.
            most: How many that have ended; who ended first goes first.
        """
        self._window_s = window_s
        self._most = most
        self._lasting: dict[bytes, MessageRun] = {}
        # In the order in which they ended.
        self._ended: OrderedDict[bytes, MessageRun] = OrderedDict()

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._lasting) + len(self._ended)

    def find(self, key: bytes) -> MessageRun | None:
        """Give the run of a message, if it is remembered."""
        self._drop_old()
        return self._lasting.get(key) or self._ended.get(key)

    def begin(self, key: bytes, digest: bytes) -> MessageRun:
        """Remember a message that isn't; it lasts until it ends or is forgotten."""
        self._lasting[key] = run = MessageRun(key, digest)
        return run

    def end(self, run: MessageRun) -> None:
        """Note that the run has ended; from here on it is remembered for a time."""
        run.ended_at = time.monotonic()
        run.decided.set()
        if self._lasting.pop(run.key, None) is not None:
            self._ended[run.key] = run
            self._drop_old()

    def forget(self, run: MessageRun) -> None:
        """Let a repeat be the first, as nothing came of this one."""
        if self._lasting.get(run.key) is run:
            del self._lasting[run.key]
            run.is_forgotten = True
            run.decided.set()

    def _drop_old(self) -> None:
        too_old = time.monotonic() - self._window_s
        while self._ended:
            oldest = next(iter(self._ended.values()))
            is_old = oldest.ended_at is None or oldest.ended_at <= too_old
            if not is_old and len(self._ended) <= self._most:
                break
            self._ended.popitem(last=False)


def hashed(sent: Message) -> bytes:
    """Hash what was sent; the order of keys in its metadata doesn't matter."""
    return sha256(sent.SerializeToString(deterministic=True)).digest()
