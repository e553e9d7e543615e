"""One row of the audit for each request, however it ends."""

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from time import monotonic
from typing import Literal

from a2a.server.agent_execution import RequestContext

from ...seams.exchange import Exchange, current, exchange_of
from ...seams.interceptor import BeforeAgent, OnExit
from ...seams.protocols import Closing, OnSend, Outgoing
from ...seams.rejection import Rejected
from ...seams.request import Outcome
from .row import AuditRow, canonical
from .writer import AuditWriter, Sink, SinkDown, utc_now

__all__ = ["AuditTrail"]

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Seen:
    """What is known of a request before it ends."""

    has_place: bool = False
    started: str | None = None
    began: float = field(default_factory=monotonic)
    digest: str | None = None
    size: int | None = None
    events: int = 0
    event_bytes: int = 0


class AuditTrail(BeforeAgent, OnSend, OnExit, Closing, ABC):
    """Writes down how each request ended: ids, hashes and sizes, never a text.

    Attributes:
        on_sink_error: Whether messages get in while the sink is down.
        sink_timeout_s: For how many seconds a sink that isn't known to be up is
            waited for.
        queue: How many rows may wait for the sink.
    """

    on_sink_error: Literal["closed", "open"]
    sink_timeout_s: float
    queue: int

    def __post_init__(self) -> None:
        """Check the values; nothing is opened yet."""
        if self.queue < 1 or self.sink_timeout_s <= 0:
            raise ValueError("queue and sink_timeout_s must be above zero")

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Note the message, and see that its row can be written.

        Raises:
            Rejected: With `audit_unavailable` when the sink is down and that
                closes the door.
        """
        exchange = exchange_of(context)
        seen = _seen(exchange)
        seen.started, seen.began = utc_now(), monotonic()
        if context.message is not None:
            text = canonical(context.message)
            seen.digest, seen.size = sha256(text).hexdigest(), len(text)
        if self.on_sink_error == "closed":
            await self._promise_row(exchange, seen)
        return context

    def on_send(self, event: Outgoing) -> Outgoing:
        """Measure what leaves."""
        seen = _seen(current())
        seen.events += 1
        seen.event_bytes += event.ByteSize()
        return event

    async def on_exit(self, outcome: Outcome) -> None:
        """Queue the row."""
        seen, facts = _seen(current()), outcome.request
        let_in = seen.started is not None
        row = AuditRow(
            kind=outcome.kind,
            ended=utc_now(),
            started=seen.started,
            duration_ms=round((monotonic() - seen.began) * 1000, 3) if let_in else None,
            error_code=outcome.error_code,
            correlation_id=facts.correlation_id,
            task_id=facts.task_id,
            context_id=facts.context_id,
            caller=_storable(facts.caller),
            request_sha256=seen.digest,
            request_bytes=seen.size,
            events=seen.events,
            event_bytes=seen.event_bytes,
        )
        self._writer.put(row, has_place=seen.has_place)

    async def close(self) -> None:
        """Write what waits."""
        await self._writer.close()

    @abstractmethod
    def _sink(self) -> Sink:
        """Make what rows are written to."""

    @cached_property
    def _writer(self) -> AuditWriter:
        return AuditWriter(self._sink(), most=self.queue, timeout_s=self.sink_timeout_s)

    async def _promise_row(self, exchange: Exchange, seen: _Seen) -> None:
        try:
            self._writer.take_place()
            seen.has_place = True
            await self._writer.check()
        except SinkDown as problem:
            correlation_id = exchange.facts.correlation_id
            _log.warning(
                "request %s: refused, the audit is down: %s", correlation_id, problem
            )
            message = "the request can't be written down now"
            raise Rejected(
                "audit_unavailable", message=message, retry_after_s=1
            ) from problem


def _seen(exchange: Exchange) -> _Seen:
    return exchange.state("audit", _Seen, _Seen)


def _storable(name: str | None) -> str | None:
    # A token may name its caller with half a character, which no file can hold.
    return None if name is None else name.encode(errors="replace").decode()
