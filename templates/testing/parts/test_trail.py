"""Each request has a row when it ends: ids, hashes and sizes, and no text."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from threading import Event
from typing import Literal

import pytest
from a2a.types import TaskStatusUpdateEvent

from runtime.recipes.auditing import trail as module
from runtime.recipes.auditing.row import AuditRow, canonical
from runtime.recipes.auditing.trail import AuditTrail
from runtime.recipes.auditing.writer import Sink
from runtime.seams.exchange import begin_exchange, exchange_of
from runtime.seams.interceptor import RequestContext
from runtime.seams.rejection import Rejected
from runtime.seams.request import Outcome, OutcomeKind

from .scripted import Named, request_context, status_update

pytestmark = pytest.mark.anyio


class Rows:
    """Remembers rows.

    Attributes:
        rows: What was written.
        error: What it raises, if anything.
        open: Whether it answers.
    """

    def __init__(self) -> None:
        """Begin without rows."""
        self.rows: list[AuditRow] = []
        self.error: OSError | None = None
        self.open = Event()
        self.open.set()

    def append(self, rows: Sequence[AuditRow]) -> None:
        """Take rows."""
        assert self.open.wait(9)
        if self.error is not None:
            raise self.error
        self.rows += rows

    def close(self) -> None:
        """Nothing is open."""


@dataclass(kw_only=True, eq=False)
class Trail(AuditTrail):
    """Writes to a list."""

    on_sink_error: Literal["closed", "open"] = "closed"
    sink_timeout_s: float = 9
    queue: int = 3
    sink: Rows = field(default_factory=Rows)

    def _sink(self) -> Sink:
        return self.sink


async def end(
    trail: Trail, context: RequestContext, kind: OutcomeKind = "completed"
) -> None:
    """Let a request end."""
    exchange = exchange_of(context)
    with exchange.entered():
        await trail.on_exit(
            Outcome(kind=kind, request=exchange.facts, error_code="late")
        )


async def test_a_row_tells_how_a_request_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what it measured."""
    trail, context = Trail(), request_context("secret")
    call = context.call_context
    call.user = Named("ann \ud800")
    monkeypatch.setattr(module, "monotonic", iter((100, 101.2345678)).__next__)
    begin_exchange(call, task_id="t", context_id="c", is_reply=False)
    events: list[TaskStatusUpdateEvent] = [status_update(), status_update("more")]

    assert await trail.before_agent(context) is context
    with exchange_of(context).entered():
        for event in events:
            assert trail.on_send(event) is event
    await end(trail, context, "failed")
    await trail.close()

    (row,) = trail.sink.rows
    assert context.message is not None
    text = canonical(context.message)
    assert (row.kind, row.error_code) == ("failed", "late")
    assert (row.task_id, row.context_id, row.caller) == ("t", "c", "ann ?")
    assert row.correlation_id == exchange_of(context).facts.correlation_id
    assert row.request_sha256 == sha256(text).hexdigest()
    assert row.request_bytes == len(text)
    assert (row.events, row.event_bytes) == (
        2,
        sum(map(TaskStatusUpdateEvent.ByteSize, events)),
    )
    assert row.started is not None
    began, ended = map(datetime.fromisoformat, (row.started, row.ended))
    assert began <= ended
    assert (row.duration_ms, row.dropped) == (1234.568, None)
    assert "secret" not in str(row)


async def test_a_request_that_was_not_let_in_has_a_row_too() -> None:
    """An earlier interceptor refused it, so nothing is known of it."""
    trail = Trail()
    await end(trail, request_context(), "rejected")
    await trail.close()

    (row,) = trail.sink.rows
    assert row.kind == "rejected"
    assert (row.started, row.duration_ms, row.caller) == (None, None, None)
    assert (row.request_sha256, row.request_bytes) == (None, None)
    assert (row.events, row.event_bytes) == (0, 0)


async def test_a_request_without_a_message_has_no_hash() -> None:
    """It is let in all the same."""
    trail = Trail()
    context = RequestContext(request_context().call_context)
    await trail.before_agent(context)
    await end(trail, context)
    await trail.close()

    (row,) = trail.sink.rows
    assert row.started is not None
    assert (row.request_sha256, row.request_bytes) == (None, None)


@pytest.mark.parametrize(
    ("error", "problem"),
    [(OSError("no disk"), "no disk"), (None, "no answer within 0.01 s")],
    ids=["down", "late"],
)
async def test_a_sink_that_is_down_closes_the_door(
    caplog: pytest.LogCaptureFixture, error: OSError | None, problem: str
) -> None:
    """Nobody gets in without a row."""
    trail, context = Trail(sink_timeout_s=9 if error else 0.01), request_context()
    trail.sink.error = error
    if error is None:
        trail.sink.open.clear()

    with pytest.raises(Rejected) as refused:
        await trail.before_agent(context)

    assert refused.value.reason == "audit_unavailable"
    assert str(refused.value) == "the request can't be written down now"
    assert refused.value.retry_after_s == 1
    correlation_id = exchange_of(context).facts.correlation_id
    told = f"request {correlation_id}: refused, the audit is down: {problem}"
    assert (module.__name__, logging.WARNING, told) in caplog.record_tuples
    trail.sink.open.set()
    await trail.close()


async def test_a_door_that_stays_open_does_not_ask() -> None:
    """What finds no room is counted then."""
    trail = Trail(on_sink_error="open", queue=1)
    for _ in range(3):
        await trail.before_agent(context := request_context())
        await end(trail, context)
    trail.sink.error = None
    await trail.close()

    assert [row.kind for row in trail.sink.rows] == ["completed", "dropped"]
    assert trail.sink.rows[1].dropped == 2


async def test_each_that_is_let_in_has_a_place() -> None:
    """Until it ends."""
    trail = Trail(queue=2)
    contexts = [request_context() for _ in range(3)]
    for context in contexts[:2]:
        await trail.before_agent(context)
    with pytest.raises(Rejected):
        await trail.before_agent(contexts[2])
    for context in contexts[:2]:
        await end(trail, context)
    await trail.close()

    assert [row.kind for row in trail.sink.rows] == ["completed"] * 2


@pytest.mark.parametrize(("queue", "sink_timeout_s"), [(0, 1), (1, 0), (1, -1)])
def test_values_that_cannot_be_used_are_refused(
    queue: int, sink_timeout_s: float
) -> None:
    """When the service starts."""
    told = "^queue and sink_timeout_s must be above zero$"
    with pytest.raises(ValueError, match=told):
        Trail(queue=queue, sink_timeout_s=sink_timeout_s)
    Trail(queue=1, sink_timeout_s=0.1)
