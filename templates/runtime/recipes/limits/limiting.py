"""What the recipes that limit share: a store that may be down, and a mark."""

import logging
from dataclasses import dataclass
from typing import ClassVar, Literal

from a2a.types import TaskStatusUpdateEvent

from ...boundary.outgoing import PAUSED, TERMINAL
from ...seams.exchange import Exchange, current
from ...seams.interceptor import BeforeAgent
from ...seams.protocols import Closing, OnSend, Outgoing
from ...seams.rejection import Rejected
from .store import LimitStore, StoreDown

__all__ = ["Limiting"]

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Mark:
    """What the last status says of the limit; nothing if all was well."""

    text: str = ""


class Limiting(BeforeAgent, OnSend, Closing):
    """A limit that is counted in a store.

    Attributes:
        label: The key of its mark in metadata, and how its reasons begin.
        on_store_error: Whether messages get in while the store is down.
    """

    label: ClassVar[str]
    on_store_error: Literal["closed", "open"]
    _store: LimitStore

    def on_send(self, event: Outgoing) -> Outgoing:
        """Mark the last status of a message that was let in all the same."""
        text = self._state_of(current()).text
        if not text or not isinstance(event, TaskStatusUpdateEvent):
            return event
        if event.status.state in TERMINAL | PAUSED:
            event.metadata.update({self.label: text})
        return event

    async def close(self) -> None:
        """Close the connections to the store."""
        await self._store.close()

    def mark(self, exchange: Exchange, text: str) -> None:
        """Let the last status of the request say this."""
        self._state_of(exchange).text = text

    def without_store(self, exchange: Exchange, problem: StoreDown) -> None:
        """Refuse a message that can't be counted, or mark it.

        Raises:
            Rejected: With the label and `_unavailable`.
        """
        closed = self.on_store_error == "closed"
        _log.warning(
            "request %s: the store of %s is down, so it is %s: %s",
            exchange.facts.correlation_id,
            self.label,
            "refused" if closed else "let in",
            problem,
        )
        if closed:
            message = "the limit can't be checked now"
            reason = f"{self.label}_unavailable"
            raise Rejected(reason, message=message, retry_after_s=1)
        if not self._state_of(exchange).text:
            self.mark(exchange, "unchecked")

    def _state_of(self, exchange: Exchange) -> _Mark:
        # One for all limits of a kind in a chain, as there is one key for them.
        return exchange.state(self.label, _Mark, _Mark)
