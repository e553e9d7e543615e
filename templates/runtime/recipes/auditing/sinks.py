"""Where rows of the audit are written: a file of JSON lines, or SQLite.

A sink is opened for each batch, so one that was moved or came back is found
again, and a chain goes on from what stands there.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias, TypeGuard

from .row import COLUMNS, AuditRow, Link, chained

__all__ = ["JsonLines", "Sqlite", "read_rows"]

_OWNER_ONLY = 0o600
_MAGIC = b"SQLite format 3\0"
_LOCK_SECONDS = 5.0
_BLOCK = 65_536
_BEGIN = b'{"seq": '

_Found: TypeAlias = Mapping[str, object] | None


class JsonLines:
    """A file with a JSON object in each line."""

    def __init__(self, path: Path, *, hash_chain: bool) -> None:
        """Write to the file, which is made if need be."""
        self._path, self._hash_chain = path, hash_chain

    def append(self, rows: Sequence[AuditRow]) -> None:
        """Write the rows behind the last whole line."""
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
        file = os.fdopen(os.open(self._path, flags, _OWNER_ONLY), "rb+", buffering=0)
        with file:
            size = os.fstat(file.fileno()).st_size
            last, end = _last_line(file.fileno(), size)
            link = _link(last, _read_at(file.fileno(), end, len(_BEGIN)))
            if not rows:
                return
            before = link if self._hash_chain else None
            lines = "".join(json.dumps(row) + "\n" for row in chained(rows, before))
            try:
                # What follows the last line end is a row that a crash cut off.
                os.ftruncate(file.fileno(), end)
                os.lseek(file.fileno(), end, os.SEEK_SET)
                _write_all(file.fileno(), lines.encode())
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(file.fileno(), end)
                raise

    def close(self) -> None:
        """Nothing is open between two batches."""


class Sqlite:
    """The table `audit` of a SQLite file."""

    def __init__(self, path: Path, *, hash_chain: bool) -> None:
        """Write to the file, which is made if need be."""
        self._path, self._hash_chain = path, hash_chain

    def append(self, rows: Sequence[AuditRow]) -> None:
        """Write the rows in one transaction."""
        # SQLite itself would make the file readable for others.
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, _OWNER_ONLY))
        database = sqlite3.connect(
            self._path, timeout=_LOCK_SECONDS, isolation_level=None
        )
        with closing(database):
            database.execute("BEGIN IMMEDIATE")
            database.execute(_TABLE)
            before = _last_link(database) if self._hash_chain else None
            written = [tuple(row.values()) for row in chained(rows, before)]
            database.executemany(_INSERT, written)
            database.execute("COMMIT")

    def close(self) -> None:
        """Nothing is open between two batches."""


_TABLE = f"CREATE TABLE IF NOT EXISTS audit ({', '.join(COLUMNS)})"
_INSERT = f"INSERT INTO audit VALUES ({', '.join('?' for _ in COLUMNS)})"  # noqa: S608 - no value


def read_rows(path: Path) -> Iterator[_Found]:
    """Read what a sink wrote, in order; None for a row that can't be read.

    Args:
        path: The file; what it is, is seen in it.

    Raises:
        OSError: If it can't be read.
        sqlite3.Error: If it is a broken database.
    """
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            file.seek(0)
            yield from map(_parsed, file)
            return
    address = f"{path.resolve().as_uri()}?mode=ro"
    with closing(sqlite3.connect(address, uri=True)) as database:
        for row in database.execute("SELECT * FROM audit ORDER BY rowid"):
            yield dict(zip(COLUMNS, row, strict=False))


def _last_line(file: int, size: int) -> tuple[bytes, int]:
    """Give the last whole line, and where it ends."""
    tail, start = b"", size
    while start > 0:
        length = min(_BLOCK, start)
        start -= length
        tail = _read_at(file, start, length) + tail
        whole = tail[: tail.rfind(b"\n") + 1]
        line_start = whole.rfind(b"\n", 0, len(whole) - 1) + 1
        if whole and (line_start or not start):
            return whole[line_start:], start + len(whole)
    return b"", 0


def _read_at(file: int, start: int, length: int) -> bytes:
    os.lseek(file, start, os.SEEK_SET)
    return os.read(file, length)


def _parsed(line: bytes) -> _Found:
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if _is_row(found) else None


def _is_row(found: object) -> TypeGuard[dict[str, object]]:
    return isinstance(found, dict)


def _link(line: bytes, rest: bytes) -> Link:
    """Give what a row behind this line follows.

    Args:
        line: The last whole line.
        rest: How what follows it begins; a crash may have cut a row off.

    Raises:
        ValueError: If that is no audit: what it says isn't written over.
    """
    row = _parsed(line) if line else {"seq": None}
    if row is None or "seq" not in row or not _BEGIN.startswith(rest):
        raise ValueError("the file holds something that is no audit")
    return _as_link(row["seq"], row.get("hash"))


def _last_link(database: sqlite3.Connection) -> Link:
    last = "SELECT seq, hash FROM audit ORDER BY rowid DESC LIMIT 1"
    seq, digest = database.execute(last).fetchone() or (None, None)
    return _as_link(seq, digest)


def _as_link(seq: object, digest: object) -> Link:
    # A row without a hash was written before there was a chain.
    if isinstance(seq, int) and isinstance(digest, str):
        return Link(seq, digest)
    return Link()


def _write_all(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]
