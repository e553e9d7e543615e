"""Rows of the audit stand in a database as they were given, in one chain."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect

from runtime.recipes.auditing.row import COLUMNS, AuditRow, breaks
from runtime.recipes.auditing.table import (
    DatabaseTable,
    engine_of,
    problem_of,
    read_table,
)

PASSWORD = "hunter2"  # noqa: S105 - nobody's
ROWS = [
    AuditRow(kind=kind, ended="2026-01-02", correlation_id=kind)
    for kind in ("a", "b", "\u00e9")
]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """An empty database."""
    made = engine_of(f"sqlite:///{tmp_path / 'audit.db'}")
    yield made
    made.dispose()


def kinds(engine: Engine) -> list[object]:
    """Give the kinds of all rows, in order."""
    return [row["kind"] for row in read_table(engine)]


def test_several_tables_write_one_chain(engine: Engine) -> None:
    """As several processes do."""
    one, two = (DatabaseTable(engine, hash_chain=True) for _ in range(2))
    full = AuditRow(
        kind="c",
        ended="now",
        started="before",
        duration_ms=1 / 3,
        correlation_id="c",
        request_bytes=2**40,
        events=1,
        event_bytes=2,
        dropped=3,
    )
    one.append(ROWS)
    two.append([full])
    one.append([replace(full, kind="d", correlation_id="d")])

    rows = list(read_table(engine))
    assert list(breaks(rows)) == []
    assert [row["seq"] for row in rows] == [1, 2, 3, 4, 5]
    assert kinds(engine) == ["a", "b", "\u00e9", "c", "d"]
    assert tuple(rows[3]) == COLUMNS
    kept = ("duration_ms", "request_bytes", "events", "event_bytes", "dropped")
    assert [rows[3][name] for name in kept] == [1 / 3, 2**40, 1, 2, 3]


def test_without_a_chain_the_database_counts(engine: Engine) -> None:
    """No row has a hash."""
    DatabaseTable(engine, hash_chain=False).append(ROWS)

    rows = list(read_table(engine))
    assert [row["seq"] for row in rows] == [1, 2, 3]
    assert {(row["previous"], row["hash"]) for row in rows} == {(None, None)}


@pytest.mark.parametrize("hash_chain", [True, False])
def test_rows_of_another_kind_are_not_followed(
    engine: Engine, *, hash_chain: bool
) -> None:
    """Nor is a table of others written to."""
    DatabaseTable(engine, hash_chain=hash_chain).append(ROWS)
    other = DatabaseTable(engine, hash_chain=not hash_chain)
    said = r"^its rows were written with another hash_chain$"

    with pytest.raises(ValueError, match=said):
        other.append([])
    with pytest.raises(ValueError, match=said):
        other.append(ROWS)
    assert kinds(engine) == [row.kind for row in ROWS]


def test_a_probe_makes_the_table_and_writes_nothing(engine: Engine) -> None:
    """It is how a database is asked whether it is up."""
    table = DatabaseTable(engine, hash_chain=True)
    table.append([])

    assert inspect(engine).has_table("audit")
    assert kinds(engine) == []
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE audit")
    with pytest.raises(ConnectionError, match=r"^OperationalError: no such table"):
        table.append(ROWS)
    table.append(ROWS)
    assert len(kinds(engine)) == 3


def test_a_request_has_one_row(engine: Engine) -> None:
    """A second one is given up in the end, and leaves no part of its batch."""
    table = DatabaseTable(engine, hash_chain=True)
    table.append(ROWS[:2])

    with pytest.raises(ConnectionError, match=r"^IntegrityError: UNIQUE constraint"):
        table.append([ROWS[2], ROWS[0]])
    assert kinds(engine) == ["a", "b"]


def test_a_batch_whose_end_nobody_heard_of_is_not_written_again(
    engine: Engine,
) -> None:
    """It is known by its first row."""
    table = DatabaseTable(engine, hash_chain=True)
    with pytest.raises(ConnectionError):
        table.append([ROWS[0], ROWS[0]])
    DatabaseTable(engine, hash_chain=True).append(ROWS[:1])

    table.append(ROWS[:1])
    table.append(ROWS[1:])

    assert kinds(engine) == [row.kind for row in ROWS]


@pytest.mark.parametrize("text", ["a\0b", "x" * 256], ids=["null", "long"])
def test_what_a_database_may_not_hold_is_a_hash(engine: Engine, text: str) -> None:
    """Ids are as clients choose them."""
    names = ("error_code", "task_id", "context_id", "caller")

    def named(row: AuditRow, text: str) -> AuditRow:
        return replace(row, error_code=text, task_id=text, context_id=text, caller=text)

    rows = [named(ROWS[0], text), named(ROWS[1], "x" * 255)]
    DatabaseTable(engine, hash_chain=True).append(rows)

    hashed, whole = read_table(engine)
    digest = f"sha256:{sha256(text.encode()).hexdigest()}"
    assert {hashed[name] for name in names} == {digest}
    assert {whole[name] for name in names} == {"x" * 255}


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("secret", "the URL of the database can't be read"),
        (
            "secret://u:secret@db/audit",
            "SQLAlchemy knows no database of the kind that the URL begins with",
        ),
        (
            "postgresql+pg8000://u:secret@db/audit",
            "the driver of the database isn't installed: pg8000",
        ),
        (
            "sqlite+aiosqlite:///secret",
            "the URL names an asynchronous driver; name one that isn't",
        ),
    ],
    ids=range(4),
)
def test_a_url_that_cannot_be_used_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, url: str, said: str
) -> None:
    """It may hold a password."""
    monkeypatch.setitem(sys.modules, "pg8000", None)
    with pytest.raises(ValueError, match=rf"^{said}$") as raised:
        engine_of(url)
    assert raised.value.__context__ is None


def test_a_problem_is_told_in_one_line_without_a_password(tmp_path: Path) -> None:
    """Of what the driver raised, if SQLAlchemy has wrapped it."""
    plain = engine_of(f"sqlite:///{tmp_path / 'audit.db'}")
    engine = plain.execution_options()
    engine.url = plain.url.set(password=PASSWORD)

    assert problem_of(ValueError("no\nmore"), plain) == "ValueError: no"
    assert problem_of(ValueError(f"a {PASSWORD} b"), engine) == "ValueError: a *** b"
