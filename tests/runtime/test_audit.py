import asyncio
import json
import logging
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import pytest
from a2a.types import Message, Part, Role
from tests.runtime.auditing import (
    ENDS,
    WORD,
    Agent,
    Refuses,
    a_row,
    begin,
    chain,
    end_by,
    hello,
    until,
)
from tests.runtime.messages import Verified, call_context, message_context
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.boundary.policy import Policy
from runtime.recipes.auditing import verify as audit_verify
from runtime.recipes.auditing import writer as audit_writer
from runtime.recipes.auditing.audit import Audit, verify
from runtime.recipes.auditing.row import AuditRow, canonical
from runtime.recipes.auditing.sinks import JsonLines, Sqlite, read_rows
from runtime.seams.exchange import exchange_of
from runtime.seams.interceptor import BeforeAgent, Outcome, RequestContext

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
SINKS: tuple[Literal["jsonl", "sqlite"], ...] = ("jsonl", "sqlite")
each_sink = pytest.mark.parametrize("sink", SINKS)


def rows_of(path: Path) -> list[Any]:
    return list(read_rows(path))


def kinds(path: Path) -> list[str]:
    return [row["kind"] for row in rows_of(path)]


@each_cell
@each_sink
async def test_each_end_makes_one_row_without_a_text(
    cell: Cell, sink: Literal["jsonl", "sqlite"], tmp_path: Path
) -> None:
    path = tmp_path / "audit"
    for number, end in enumerate(ENDS, start=1):
        agent, later = Agent(), Refuses()
        policy = Policy(deadline_s=0.1) if end == "deadline" else None
        hooks = chain(Audit(path=str(path), sink=sink), later=later)
        setup = Setup(script=agent, hooks=hooks, pin=cell.pin, policy=policy)
        async with served(setup) as it:
            await end_by(it, agent, later, end, cell)
        assert len(rows_of(path)) == number
    found = rows_of(path)
    told = {
        end: (row["kind"], row["error_code"])
        for end, row in zip(ENDS, found, strict=True)
    }
    assert told == ENDS
    assert WORD.encode() not in path.read_bytes()
    assert {row["caller"] for row in found} == {"u1"}
    assert len({row["correlation_id"] for row in found}) == len(ENDS)
    for row in found:
        assert row["task_id"]
        assert row["context_id"]
        assert row["started"] <= row["ended"]
        assert row["ended"].endswith("+00:00")
        assert row["duration_ms"] > 0
        assert row["request_bytes"] > len(WORD)
        assert len(row["request_sha256"]) == 64
        ran = row["kind"] != "rejected"
        assert (row["events"] > 0) == (row["event_bytes"] > 0) == ran
    assert verify(path).problems == ()


async def test_a_caller_who_hangs_up_has_a_row_when_the_run_is_over(
    tmp_path: Path,
) -> None:
    agent, path = Agent(), tmp_path / "audit"
    async with served(Setup(script=agent, hooks=chain(Audit(path=str(path))))) as it:
        agent.does = "wait"
        gone = asyncio.create_task(it.send(hello()))
        await until(lambda: agent.runs > 0)
        gone.cancel()
        await asyncio.wait({gone})
        agent.go_on.set()
        await until(lambda: agent.done > 0)
        await asyncio.sleep(0.05)
    assert kinds(path) == ["completed"]


async def test_what_an_earlier_interceptor_refuses_has_a_row(tmp_path: Path) -> None:
    path, earlier = tmp_path / "audit", Refuses()
    earlier.refuses = True
    hooks = {"earlier": earlier, "audit": Audit(path=str(path))}
    async with served(Setup(script=Agent(), hooks=hooks)) as it:
        await it.send("hello")
    (row,) = rows_of(path)
    assert (row["kind"], row["error_code"]) == ("rejected", "not_today")
    assert row["started"] is row["duration_ms"] is row["request_sha256"] is None


def test_the_hash_is_that_of_the_canonical_message() -> None:
    parts = [Part(text="Grüße"), Part(url="https://example.com/x")]
    message = Message(message_id="m", role=Role.ROLE_USER, parts=parts)
    message.metadata.update({"b": 1, "a": {"d": None, "c": True}})
    text = (
        '{"messageId":"m","metadata":{"a":{"c":true,"d":null},"b":1.0},'
        '"parts":[{"text":"Grüße"},{"url":"https://example.com/x"}],'
        '"role":"ROLE_USER"}'
    )
    assert canonical(message) == text.encode()


async def test_the_hash_and_the_sizes_are_those_of_the_request(tmp_path: Path) -> None:
    path = tmp_path / "audit"
    audit = Audit(path=str(path))
    seen: list[bytes] = []

    class Sees(BeforeAgent):
        async def before_agent(self, context: RequestContext) -> RequestContext:
            assert context.message is not None
            seen.append(canonical(context.message))
            return context

    hooks: dict[str, object] = {"audit": audit, "sees": Sees()}
    async with served(Setup(script=Agent(), hooks=hooks)) as it:
        await it.send("one")
        await it.send("two")
    one, two = rows_of(path)
    assert one["request_sha256"] == sha256(seen[0]).hexdigest()
    assert two["request_sha256"] == sha256(seen[1]).hexdigest()
    assert one["request_bytes"] == len(seen[0])


@each_sink
async def test_many_at_once_make_as_many_rows_in_one_chain(
    sink: Literal["jsonl", "sqlite"], tmp_path: Path
) -> None:
    path = tmp_path / "audit"
    audit = Audit(path=str(path), sink=sink, sink_timeout_s=60)
    async with served(Setup(script=Agent(), hooks=chain(audit))) as it:
        replies = await asyncio.gather(*(it.send(hello()) for _ in range(200)))
    assert {reply.state for reply in replies} == {"completed"}
    verdict = verify(path)
    assert (verdict.rows, verdict.problems) == (200, ())
    assert len({row["correlation_id"] for row in rows_of(path)}) == 200


def written(path: Path, sink: str, count: int, *, hash_chain: bool = True) -> None:
    make = Sqlite if sink == "sqlite" else JsonLines
    for number in range(count):
        make(path, hash_chain=hash_chain).append([a_row(number)])


def harmed(lines: list[str], harm: str) -> list[str]:
    """Do to the third row what somebody might do."""
    row: dict[str, Any] = json.loads(lines[2])
    forged = {**row, "kind": "failed"}
    del forged["hash"]
    text = json.dumps(forged, sort_keys=True, separators=(",", ":"))
    first, second, _, fourth, last = lines
    third: dict[str, list[str]] = {
        "none": lines[2:4],
        "change": [json.dumps({**row, "kind": "failed"}), fourth],
        "change_number": [json.dumps({**row, "seq": 7}), fourth],
        "remove": [fourth],
        "swap": [fourth, lines[2]],
        "double": [lines[2], lines[2], fourth],
        "unhash": [json.dumps({**row, "hash": None}), fourth],
        "garble": [lines[2][:-1], fourth],
        "rehash": [
            json.dumps({**forged, "hash": sha256(text.encode()).hexdigest()}),
            fourth,
        ],
    }
    if harm == "remove_first":
        return lines[1:]
    return [first, second, *third[harm], last]


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("none", []),
        ("change", ["row 3: was changed"]),
        ("change_number", ["row 3: was changed", "row 3: doesn't follow"]),
        ("remove", ["row 3: doesn't follow"]),
        ("remove_first", ["row 1: doesn't follow"]),
        ("swap", ["row 3: doesn't follow", "row 4: doesn't follow"]),
        ("double", ["row 4: doesn't follow"]),
        ("unhash", ["row 3: has no hash", "row 4: doesn't follow"]),
        ("garble", ["row 3: can't be read", "row 4: doesn't follow"]),
        ("rehash", ["row 4: doesn't follow"]),
    ],
)
def test_verify_names_the_row_that_was_tampered_with(
    harm: str, says: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "audit"
    written(path, "jsonl", 5)
    lines = harmed(path.read_text().splitlines(), harm)
    path.write_text("".join(f"{line}\n" for line in lines))
    problems = verify(path).problems
    for problem, begin_of_it in zip(problems[: len(says)], says, strict=True):
        assert problem.startswith(begin_of_it)
    assert bool(problems) == bool(says)
    if harm in ("change", "remove", "remove_first", "rehash"):
        assert len(problems) == 1


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        ("UPDATE audit SET error_code = 'x' WHERE seq = 2", "row 2: was changed"),
        ("DELETE FROM audit WHERE seq = 2", "row 2: doesn't follow"),
        ("UPDATE audit SET rowid = 9 WHERE seq = 2", "row 2: doesn't follow"),
    ],
)
def test_verify_reads_sqlite(harm: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "audit"
    written(path, "sqlite", 4)
    assert verify(path).problems == ()
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(harm)
    assert verify(path).problems[0].startswith(says)


def test_verify_from_a_shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "audit"
    written(path, "jsonl", 2)
    last = rows_of(path)[-1]["hash"]
    assert verify(path).last == last
    assert audit_verify.main([str(path)]) == 0
    assert capsys.readouterr().out == f"2 rows; the last hash is {last}\n"
    path.write_text(path.read_text().replace("completed", "failed"))
    assert audit_verify.main([str(path)]) == 1
    assert "row 2: was changed\n" in capsys.readouterr().out
    assert audit_verify.main([str(tmp_path / "none")]) == 2
    assert audit_verify.main([]) == 2


@each_sink
def test_rows_go_on_after_a_restart_and_are_for_the_owner_alone(
    sink: str, tmp_path: Path
) -> None:
    path = tmp_path / "audit"
    before = os.umask(0)
    try:
        written(path, sink, 2)
    finally:
        os.umask(before)
    written(path, sink, 2)
    assert [row["seq"] for row in rows_of(path)] == [1, 2, 3, 4]
    assert verify(path).problems == ()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@each_sink
def test_without_a_chain_rows_have_no_hash(sink: str, tmp_path: Path) -> None:
    path = tmp_path / "audit"
    written(path, sink, 2, hash_chain=False)
    rows = rows_of(path)
    assert [row["correlation_id"] for row in rows] == ["c0", "c1"]
    assert {row["hash"] for row in rows} == {None}
    assert verify(path).problems == ("row 1: has no hash", "row 2: has no hash")


def test_a_row_that_a_crash_cut_off_is_no_row(tmp_path: Path) -> None:
    path = tmp_path / "audit"
    written(path, "jsonl", 2)
    for cut in (20, 3):
        path.write_bytes(path.read_bytes()[:-cut])
        written(path, "jsonl", 1)
        assert verify(path).problems == ()
    # Each cut took the last row, and each write gave another.
    assert [row["seq"] for row in rows_of(path)] == [1, 2]
    long = AuditRow(kind="completed", ended="now", caller="x" * 5000)
    JsonLines(path, hash_chain=True).append([long])
    path.write_bytes(path.read_bytes()[:-3])
    written(path, "jsonl", 1)
    assert verify(path).problems == ()
    assert [row["seq"] for row in rows_of(path)] == [1, 2, 3]


def test_a_long_line_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "audit"
    sink = JsonLines(path, hash_chain=True)
    long = AuditRow(kind="completed", ended="now", caller="x" * 200_000)
    for row in (a_row(), long, a_row(), long, a_row()):
        sink.append([row])
    assert verify(path).problems == ()


@pytest.mark.parametrize("text", ["hello", "hello\n", '{"a": 1}\n', "[]\n"])
@each_sink
def test_another_file_is_not_written_over(sink: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text(text)
    with pytest.raises((ValueError, sqlite3.Error)):
        written(path, sink, 1)
    assert path.read_text() == text


def test_a_disk_that_is_full_leaves_whole_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "audit"
    written(path, "jsonl", 1)
    before, write = path.read_bytes(), os.write

    def full(file: int, data: bytes) -> int:
        if len(data) < 10:
            raise OSError(28, "No space left on device")
        return write(file, data[: len(data) // 2])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="space"):
            written(path, "jsonl", 1)
    assert path.read_bytes() == before
    written(path, "jsonl", 1)
    assert verify(path).problems == ()


@pytest.fixture
def never_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the sink be asked for each message, and again soon."""
    monkeypatch.setattr(audit_writer, "_FRESH_SECONDS", 0.0)
    monkeypatch.setattr(audit_writer, "_RETRY_SECONDS", 0.01)


@each_sink
@pytest.mark.usefixtures("never_fresh")
async def test_closed_refuses_before_the_run_and_loses_no_row(
    sink: Literal["jsonl", "sqlite"],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    agent, folder = Agent(), tmp_path / "mounted"
    folder.mkdir()
    audit = Audit(path=str(folder / "audit"), sink=sink, sink_timeout_s=5)
    async with served(Setup(script=agent, hooks=chain(audit))) as it:
        await begin(it, agent)
        folder.rename(tmp_path / "away")
        refused = [await it.send(hello()) for _ in range(3)]
        agent.go_on.set()
        await until(lambda: agent.done > 0)
        (tmp_path / "away").rename(folder)
        agent.does = "answer"
        back = await it.send(hello())
    for reply in refused:
        assert reply.error is not None
        assert reply.error["code"] == -32600
        assert reply.error_data["reason"] == "audit_unavailable"
        assert reply.error_data["policy"] == "audit"
        assert reply.error_data["retry_after_s"] == "1"
        assert "audit_unavailable" not in str(reply.error["message"])
    assert back.state == "completed"
    assert agent.runs == 2
    assert sorted(kinds(folder / "audit")) == ["completed"] * 2 + ["rejected"] * 3
    assert verify(folder / "audit").problems == ()
    said = [r.message for r in caplog.records if r.message.startswith("the sink")]
    assert len(said) == 2
    assert said[1] == "the sink of the audit is back"


@pytest.mark.usefixtures("never_fresh")
async def test_open_lets_in_and_counts_what_it_dropped(tmp_path: Path) -> None:
    agent, folder = Agent(), tmp_path / "mounted"
    audit = Audit(path=str(folder / "audit"), on_sink_error="open", queue=2)
    async with served(Setup(script=agent, hooks=chain(audit))) as it:
        replies = [await it.send(hello()) for _ in range(5)]
        folder.mkdir()
        await until((folder / "audit").exists)
        await until(lambda: len(rows_of(folder / "audit")) > 2)
        await asyncio.sleep(0.1)
        after = await it.send(hello())
    assert {reply.state for reply in [*replies, after]} == {"completed"}
    assert kinds(folder / "audit") == [*["completed"] * 2, "dropped", "completed"]
    dropped = rows_of(folder / "audit")[2]
    assert dropped["dropped"] == 3
    assert verify(folder / "audit").problems == ()


async def test_closed_refuses_when_no_more_rows_may_wait(tmp_path: Path) -> None:
    agent = Agent()
    audit = Audit(path=str(tmp_path / "audit"), queue=2)
    async with served(Setup(script=agent, hooks=chain(audit))) as it:
        for _ in range(2):
            await begin(it, agent)
        over = await it.send(hello())
        agent.go_on.set()
        await until(lambda: agent.done == 2)
        agent.does = "answer"
        await asyncio.sleep(0.1)
        after = await it.send(hello())
    assert over.error_data["reason"] == "audit_unavailable"
    assert after.state == "completed"
    # The refused one had no place, and is counted.
    assert sorted(kinds(tmp_path / "audit")) == [*["completed"] * 3, "dropped"]


class Hangs:
    """A sink that doesn't answer until it is let go."""

    def __init__(self) -> None:
        self.rows: list[AuditRow] = []
        self.calls = 0
        self.goes_on = threading.Event()

    def append(self, rows: Sequence[AuditRow]) -> None:
        self.calls += 1
        self.goes_on.wait(10)
        self.rows += rows

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize("door", ["closed", "open"])
async def test_a_sink_that_hangs_holds_nobody_up(
    door: Literal["closed", "open"],
) -> None:
    agent, sink = Agent(), Hangs()
    audit = Audit(path="unused", on_sink_error=door, sink_timeout_s=0.1)
    vars(audit)["_writer"] = audit_writer.AuditWriter(sink, most=9, timeout_s=0.1)
    try:
        async with served(Setup(script=agent, hooks=chain(audit))) as it:
            async with asyncio.timeout(5):
                replies = [await it.send(hello()) for _ in range(3)]
                # The thread has been asked, and may not have begun.
                await until(lambda: sink.calls > 0)
            assert sink.calls == 1
            sink.goes_on.set()
    finally:
        sink.goes_on.set()
    assert len(sink.rows) == 3
    # One probe for all; the first row alone, and then the others.
    assert sink.calls == (3 if door == "closed" else 2)
    if door == "open":
        assert {reply.state for reply in replies} == {"completed"}
    else:
        reasons = {str(reply.error_data["reason"]) for reply in replies}
        assert reasons == {"audit_unavailable"}
        assert agent.runs == 0


HANGS = """\
import asyncio, time
from runtime.recipes.auditing.thread import AuditThread

async def main():
    thread = AuditThread()
    call = asyncio.ensure_future(thread.call(lambda: time.sleep(600)))
    await asyncio.sleep(0.1)
    await thread.end(lambda: None)
    assert not call.done()
    call.cancel()

asyncio.run(main())
"""


def test_a_sink_that_hangs_holds_no_process() -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(audit_writer.__file__).parents[3])}
    done = subprocess.run(
        [sys.executable, "-c", HANGS], env=env, timeout=60, check=False
    )
    assert done.returncode == 0


async def test_a_sink_that_failed_is_asked_again_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "mounted"
    folder.mkdir()
    sink = JsonLines(folder / "audit", hash_chain=True)
    writer = audit_writer.AuditWriter(sink, most=9, timeout_s=5)
    await writer.check()
    folder.rename(tmp_path / "away")
    await writer.check()
    writer.put(a_row(), has_place=False)
    await asyncio.sleep(0.2)
    with pytest.raises(audit_writer.SinkDown):
        await writer.check()
    await writer.close()


async def test_after_a_batch_rows_gather_until_half_of_the_room_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(audit_writer, "_PAUSE_SECONDS", 3600.0)
    batches: list[list[str | None]] = []

    class Counts:
        """Notes its batches."""

        def append(self, rows: Sequence[AuditRow]) -> None:
            batches.append([row.correlation_id for row in rows])

        def close(self) -> None:
            """Hold nothing."""

    writer = audit_writer.AuditWriter(Counts(), most=6, timeout_s=1)
    writer.put(a_row(0), has_place=False)
    await until(lambda: batches == [["c0"]])
    writer.put(a_row(1), has_place=False)
    writer.put(a_row(2), has_place=False)
    await asyncio.sleep(0.05)
    assert batches == [["c0"]]
    writer.put(a_row(3), has_place=False)
    await until(lambda: batches == [["c0"], ["c1", "c2", "c3"]])
    writer.put(a_row(4), has_place=False)
    await writer.close()
    assert batches[2:] == [["c4"]]


async def test_the_end_gives_the_sink_one_more_try() -> None:
    begun, goes_on = threading.Event(), threading.Event()
    written_rows: list[AuditRow] = []

    class FailsOnce:
        """Fails slowly once."""

        def append(self, rows: Sequence[AuditRow]) -> None:
            if not begun.is_set():
                begun.set()
                goes_on.wait(10)
                raise OSError(28, "No space left on device")
            written_rows.extend(rows)

        def close(self) -> None:
            """Nothing is open."""

    writer = audit_writer.AuditWriter(FailsOnce(), most=9, timeout_s=1)
    for number in range(3):
        writer.put(a_row(number), has_place=False)
    await until(begun.is_set)
    closing = asyncio.create_task(writer.close())
    await asyncio.sleep(0.01)
    goes_on.set()
    await closing
    assert [row.correlation_id for row in written_rows] == ["c0", "c1", "c2"]


async def test_rows_that_are_lost_at_the_end_are_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    audit = Audit(path=str(tmp_path / "none" / "audit"), on_sink_error="open")
    async with served(Setup(script=Agent(), hooks=chain(audit))) as it:
        for _ in range(3):
            await it.send(hello())
    errors = [r.message for r in caplog.records if r.levelno == logging.ERROR]
    assert errors == ["3 rows of the audit are lost: its sink is down"]


@each_sink
async def test_a_caller_with_half_a_character_has_a_row(
    sink: Literal["jsonl", "sqlite"], tmp_path: Path
) -> None:
    path = tmp_path / "audit"
    audit = Audit(path=str(path), sink=sink)
    context = message_context(call=call_context(user=Verified("a\ud800")))
    exchange = exchange_of(context)
    with exchange.entered():
        await audit.before_agent(context)
        await audit.on_exit(Outcome(kind="completed", request=exchange.facts))
    await audit.close()
    assert rows_of(path)[0]["caller"] == "a?"


@pytest.mark.parametrize("values", [{"queue": 0}, {"sink_timeout_s": 0}])
def test_values_that_cannot_be_used(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="above zero"):
        Audit(path="audit", **values)
