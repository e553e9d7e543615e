"""Rows reach the disk whole, behind what stands there, and for their owner only."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from runtime.recipes.auditing.row import COLUMNS, AuditRow
from runtime.recipes.auditing.sinks import JsonLines, Sqlite, read_rows

ROWS = [AuditRow(kind=kind, ended="2026-01-02") for kind in ("a", "b", "\u00e9")]
each_sink = pytest.mark.parametrize("sink", [JsonLines, Sqlite])


def rows_of(path: Path, column: str) -> list[object]:
    """Give a column of what was written."""
    return [row and row[column] for row in read_rows(path)]


@each_sink
def test_rows_come_back_as_they_were_written(
    tmp_path: Path, sink: type[JsonLines | Sqlite]
) -> None:
    """Batch by batch, each from a sink that knows of no other."""
    path = tmp_path / "audit"
    for batch in (ROWS[:1], ROWS[1:]):
        made = sink(path, hash_chain=True)
        made.append(batch)
        made.close()

    assert rows_of(path, "kind") == ["a", "b", "\u00e9"]
    assert rows_of(path, "seq") == [1, 2, 3]
    assert rows_of(path, "previous")[1:] == rows_of(path, "hash")[:2]
    for row in read_rows(path):
        assert row is not None
        assert tuple(row) == COLUMNS


@each_sink
def test_a_chain_goes_on_only_where_there_is_one(
    tmp_path: Path, sink: type[JsonLines | Sqlite]
) -> None:
    """Rows without one stand before it and behind it."""
    path = tmp_path / "audit"
    for hash_chain in (False, True, False):
        sink(path, hash_chain=hash_chain).append(ROWS[:2])

    assert rows_of(path, "seq") == [None, None, 1, 2, None, None]
    assert [bool(each) for each in rows_of(path, "hash")] == [
        *(False, False, True, True, False, False)
    ]


@each_sink
@pytest.mark.skipif(os.name == "nt", reason="it has no such modes")
def test_nobody_else_can_read_it(
    tmp_path: Path, sink: type[JsonLines | Sqlite]
) -> None:
    """Whatever the process makes otherwise."""
    path = tmp_path / "audit"
    before = os.umask(0)
    try:
        sink(path, hash_chain=True).append([])
    finally:
        os.umask(before)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@each_sink
def test_without_rows_it_only_sees_whether_it_works(
    tmp_path: Path, sink: type[JsonLines | Sqlite]
) -> None:
    """Nothing is written, and where it doesn't work it is known."""
    path = tmp_path / "audit"

    sink(path, hash_chain=True).append([])

    assert list(read_rows(path)) == []
    with pytest.raises(OSError, match="missing"):
        sink(tmp_path / "missing" / "audit", hash_chain=True).append([])


@pytest.mark.parametrize("length", [1, 65_535, 65_536, 65_537, 200_000])
def test_the_last_line_is_found_however_long_it_is(tmp_path: Path, length: int) -> None:
    """It is looked for from the end, a block at a time."""
    path = tmp_path / "audit"
    long = AuditRow(kind="x" * length, ended="")
    for rest in ("", '{"seq": ', '{"seq": 9, "ki', "{"):
        JsonLines(path, hash_chain=True).append([ROWS[0], long])
        with path.open("a", encoding="utf-8") as file:
            file.write(rest)
    JsonLines(path, hash_chain=True).append(ROWS[:1])

    assert rows_of(path, "seq") == list(range(1, 10))
    assert rows_of(path, "previous")[1:] == rows_of(path, "hash")[:-1]


@pytest.mark.parametrize("last", ['{"seq": 5}', '{"seq": null, "hash": "x"}'])
def test_a_row_without_number_or_hash_is_of_no_chain(tmp_path: Path, last: str) -> None:
    """One begins behind it."""
    path = tmp_path / "audit"
    path.write_text(f"{last}\n", encoding="utf-8")

    JsonLines(path, hash_chain=True).append(ROWS[:1])

    *_, row = read_rows(path)
    assert row is not None
    assert (row["seq"], row["previous"]) == (1, "0" * 64)


@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 131_073])
def test_a_line_alone_is_found_however_long_it_is(tmp_path: Path, size: int) -> None:
    """Also where a block more has one byte."""
    path, other = tmp_path / "audit", tmp_path / "other"
    JsonLines(other, hash_chain=True).append([AuditRow(kind="", ended="")])
    long = AuditRow(kind="x" * (size - other.stat().st_size), ended="")
    JsonLines(path, hash_chain=True).append([long])
    assert path.stat().st_size == size

    JsonLines(path, hash_chain=True).append(ROWS)

    assert rows_of(path, "seq") == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "text",
    [
        *("a text", "\n", '{"a": 1}\n', "[1]\n", '{"seq": 1}\n\n'),
        *('{"seq": 1}\nmore', '{"seq": 1}\n{s'),
    ],
)
@pytest.mark.parametrize("rows", [[], ROWS])
def test_another_file_is_left_alone(
    tmp_path: Path, text: str, rows: list[AuditRow]
) -> None:
    """Somebody may have named the wrong one."""
    path = tmp_path / "notes"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match=r"^the file holds something .* no audit$"):
        JsonLines(path, hash_chain=True).append(rows)

    assert path.read_text(encoding="utf-8") == text


def test_what_could_not_be_written_whole_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows come again as they were."""
    path, sync = tmp_path / "audit", os.fsync
    JsonLines(path, hash_chain=True).append(ROWS[:1])
    before = path.read_bytes()

    def fail(_: int) -> None:
        message = "the disk is full"
        raise OSError(message)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        JsonLines(path, hash_chain=True).append(ROWS)
    assert path.read_bytes() == before
    monkeypatch.setattr(os, "fsync", sync)
    JsonLines(path, hash_chain=True).append(ROWS)
    assert rows_of(path, "seq") == [1, 2, 3, 4]


def test_a_disk_that_takes_a_little_at_a_time_gets_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may write less than it was asked to."""
    path, write = tmp_path / "audit", os.write

    def write_some(file: int, data: memoryview) -> int:
        return write(file, data[:100])

    monkeypatch.setattr(os, "write", write_some)

    JsonLines(path, hash_chain=True).append(ROWS)

    assert rows_of(path, "kind") == ["a", "b", "\u00e9"]


def test_lines_that_are_no_rows_are_none(tmp_path: Path) -> None:
    """They are told apart from rows, not left out."""
    path = tmp_path / "audit"
    path.write_text('{"seq": 1}\n{\n[]\n' + "[" * 100_000, encoding="utf-8")

    assert list(read_rows(path)) == [{"seq": 1}, None, None, None]


def test_a_table_of_another_form_is_read_as_it_is(tmp_path: Path) -> None:
    """What is missing in it is told by who looks at the rows."""
    path = tmp_path / "audit"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE audit (number)")
        database.execute("INSERT INTO audit VALUES (7)")

    assert list(read_rows(path)) == [{"seq": 7}]


def test_a_database_gets_all_rows_or_none(tmp_path: Path) -> None:
    """It is left without a lock, and its last row is the one written last."""
    path = tmp_path / "audit"
    Sqlite(path, hash_chain=True).append(ROWS[:2])
    with closing(sqlite3.connect(path, timeout=0)) as database, database:
        database.execute("UPDATE audit SET seq = 9 WHERE seq = 2")

    Sqlite(path, hash_chain=True).append(ROWS[2:])

    assert rows_of(path, "seq") == [1, 9, 10]
    with path.open("ab") as file:
        file.truncate(40)
    with pytest.raises(sqlite3.Error):
        list(read_rows(path))
