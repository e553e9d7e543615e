"""A row that has a place is written, however long its sink is down."""

import asyncio
import logging
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from threading import Event

import pytest

from runtime.recipes.auditing import thread
from runtime.recipes.auditing import writer as module
from runtime.recipes.auditing.row import AuditRow
from runtime.recipes.auditing.writer import AuditWriter, SinkDown

from .scripted import until

pytestmark = pytest.mark.anyio


class Sink:
    """Remembers its rows, and how often it was asked and closed."""

    def __init__(self, error: Exception | None = None) -> None:
        """Begin without rows."""
        self.tries = self.closed = 0
        self.batches: list[list[AuditRow]] = []
        self.error = error
        self.open = Event()
        self.open.set()

    def append(self, rows: Sequence[AuditRow]) -> None:
        """Take rows."""
        self.tries += 1
        assert self.open.wait(9)
        if self.error is not None:
            raise self.error
        if taken := list(rows):
            self.batches.append(taken)

    def close(self) -> None:
        """Count it."""
        self.closed += 1

    @property
    def rows(self) -> list[AuditRow]:
        """What was written, in order."""
        return [row for batch in self.batches for row in batch]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_RETRY_SECONDS", 0.005)
    monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(module, "_FRESH_SECONDS", 3600)


def made(sink: Sink, most: int = 100, timeout_s: float = 9) -> AuditWriter:
    """Make a writer to a sink."""
    return AuditWriter(sink, most=most, timeout_s=timeout_s)


def row(number: int) -> AuditRow:
    """Make a row that is told from others."""
    return AuditRow(kind="completed", ended="now", correlation_id=str(number))


def has_place(writer: AuditWriter) -> bool:
    """Tell whether a place could be taken."""
    try:
        writer.take_place()
    except SinkDown:
        return False
    return True


async def test_rows_are_written_in_their_order() -> None:
    """Those that came together at once; then its sink is closed."""
    sink = Sink()
    writer = made(sink)
    for number in range(5):
        writer.put(row(number), has_place=False)
    await until(lambda: len(sink.rows) == 5)
    writer.put(row(5), has_place=False)
    await writer.close()

    assert sink.rows == [row(number) for number in range(6)]
    assert len(sink.batches) == 2
    assert sink.closed == 1


async def test_so_many_are_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest comes after them, at the end without a pause."""
    monkeypatch.setattr(module, "_MOST_AT_ONCE", 2)
    monkeypatch.setattr(module, "_PAUSE_SECONDS", 3600)
    sink = Sink()
    writer = made(sink)
    for number in range(5):
        writer.put(row(number), has_place=False)
    await writer.close()

    assert [len(batch) for batch in sink.batches] == [2, 2, 1]
    assert sink.rows == [row(number) for number in range(5)]


async def test_places_are_as_many_as_there_is_room() -> None:
    """Rows that wait take some of it, and one given up is room again."""
    sink = Sink()
    writer = made(sink, most=3)
    for _ in range(2):
        writer.take_place()
    writer.put(row(0), has_place=False)
    with pytest.raises(SinkDown, match=r"^its queue is full$"):
        writer.take_place()

    writer.put(row(1), has_place=True)
    assert not has_place(writer)
    await until(lambda: has_place(writer))
    assert has_place(writer)
    assert not has_place(writer)
    await writer.close()


async def test_rows_that_find_no_room_are_counted() -> None:
    """In a row that is written behind those that did."""
    sink = Sink()
    writer = made(sink, most=2)
    for number in range(5):
        writer.put(row(number), has_place=False)
    await writer.close()

    *rows, told = sink.rows
    assert rows == [row(0), row(1)]
    assert (told.kind, told.dropped) == ("dropped", 3)
    assert len(told.correlation_id or "") == 32
    assert datetime.fromisoformat(told.ended).tzinfo is UTC
    assert len(told.ended) == len("2026-01-02T03:04:05.678+00:00")


@pytest.mark.parametrize(
    "error", [OSError("no disk"), sqlite3.Error("no disk"), ValueError("no disk")]
)
async def test_a_sink_that_comes_back_gets_what_waits(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again as it was, and both are told once."""
    sink = Sink(error)
    writer = made(sink)
    writer.put(row(0), has_place=False)
    await until(lambda: sink.tries > 2)
    writer.put(row(1), has_place=False)
    sink.error = None
    await until(lambda: len(sink.rows) == 2)
    await writer.close()

    assert sink.batches[0] == [row(0)]
    assert [record.getMessage() for record in caplog.records] == [
        "the sink of the audit is down: no disk",
        "the sink of the audit is back",
    ]


async def test_what_is_lost_at_the_end_is_told(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With those that found no room; the end doesn't wait for another try."""
    monkeypatch.setattr(module, "_RETRY_SECONDS", 3600)
    sink = Sink(OSError("no disk"))
    writer = made(sink, most=2)
    for number in range(3):
        writer.put(row(number), has_place=False)
    await until(lambda: sink.tries > 0)
    await writer.close()

    assert sink.tries == 2
    assert caplog.messages[1:] == ["3 rows of the audit are lost: its sink is down"]
    assert sink.closed == 1


async def test_an_end_without_rows_opens_nothing() -> None:
    """So it closes nothing."""
    await made(sink := Sink()).close()

    assert (sink.tries, sink.closed) == (0, 0)


async def test_a_check_says_whether_rows_can_be_written() -> None:
    """Once for all who ask; one that was written to just now isn't asked again."""
    sink = Sink(OSError("no disk"))
    writer = made(sink)
    with pytest.raises(SinkDown, match=r"^no disk$"):
        await writer.check()
    sink.error = None
    await asyncio.gather(*(writer.check() for _ in range(3)))
    assert sink.tries == 2

    await writer.check()
    assert (sink.tries, sink.batches) == (2, [])
    await writer.close()


async def test_a_sink_that_does_not_answer_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither who asks, or asks later for the same answer, nor the end."""
    for each in (module, thread):
        monkeypatch.setattr(each, "_CLOSE_SECONDS", 0.01)
    sink = Sink()
    sink.open.clear()
    writer = made(sink, timeout_s=0.01)
    for _ in range(2):
        with pytest.raises(SinkDown, match=r"^no answer within 0.01 s$"):
            await writer.check()
    writer.put(row(0), has_place=False)
    await asyncio.wait_for(writer.close(), 5)
    assert sink.tries == 1
    sink.open.set()

    told = "1 rows of the audit are lost: its sink is down"
    assert caplog.record_tuples == [(module.__name__, logging.ERROR, told)]


async def test_rows_gather_after_a_batch_but_not_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of the room is enough, places included, and the end is too."""
    monkeypatch.setattr(module, "_PAUSE_SECONDS", 3600)
    sink = Sink()
    writer = made(sink, most=8)
    writer.put(row(0), has_place=False)
    await until(lambda: len(sink.batches) == 1)
    writer.take_place()
    for number in range(1, 3):
        writer.put(row(number), has_place=False)
        await asyncio.sleep(0.02)
        assert len(sink.batches) == 1
    writer.put(row(3), has_place=False)
    await until(lambda: len(sink.batches) == 2)
    writer.put(row(4), has_place=False)
    await writer.close()

    assert [len(batch) for batch in sink.batches] == [1, 3, 1]
