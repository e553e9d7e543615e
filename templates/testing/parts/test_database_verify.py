"""A row of a database that was changed shows, and a database that isn't there."""

from pathlib import Path

import pytest

from runtime.recipes.auditing.database_verify import main, verify
from runtime.recipes.auditing.row import AuditRow
from runtime.recipes.auditing.table import DatabaseTable, engine_of

NAME = "AUDIT_OF_THIS_TEST"
ROWS = [AuditRow(kind=kind, ended="now", correlation_id=kind) for kind in ("a", "b")]


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database that nothing is in, named by a variable."""
    found = f"sqlite:///{tmp_path / 'audit.db'}"
    monkeypatch.setenv(NAME, found)
    return found


def test_what_was_written_is_whole_until_it_is_changed(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line tells of each row."""
    engine = engine_of(url)
    DatabaseTable(engine, hash_chain=True).append(ROWS)
    verdict = verify(url)
    assert (verdict.rows, verdict.problems, len(verdict.last)) == (2, (), 64)
    assert main([NAME]) == 0
    whole = f"2 rows; the last hash is {verdict.last}\n"
    assert capsys.readouterr().out == whole

    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE audit SET kind = 'c' WHERE seq = 2")
    engine.dispose()

    assert main([NAME]) == 1
    assert capsys.readouterr().out == f"row 2: was changed\n{whole}"


def test_what_cannot_be_read_is_another_exit_code(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says nothing about the rows, and doesn't show the URL."""
    with pytest.raises(ConnectionError, match=r"^OperationalError: no such table"):
        verify(url)
    assert main([NAME]) == main([]) == main([NAME, NAME]) == 2
    monkeypatch.setenv(NAME, "secret")
    assert main([NAME]) == 2
    monkeypatch.delenv(NAME)
    assert main([NAME]) == 2

    out, err = capsys.readouterr()
    assert out == ""
    usage = "usage: audit_database_verify NAME_OF_VARIABLE"
    assert err.splitlines() == [
        f"{NAME}: OperationalError: no such table: audit",
        usage,
        usage,
        f"{NAME}: the URL of the database can't be read",
        f"{NAME} isn't set; it has to hold the database's URL",
    ]
