"""A row that was changed, lost or added shows."""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from runpy import run_module

import pytest

from runtime.recipes.auditing import verify as module
from runtime.recipes.auditing.row import AuditRow
from runtime.recipes.auditing.sinks import JsonLines, Sqlite
from runtime.recipes.auditing.verify import main, verify

ROWS = [AuditRow(kind=kind, ended="2026-01-02") for kind in ("a", "b", "\u00e9")]
each_sink = pytest.mark.parametrize("sink", [JsonLines, Sqlite])


def written(path: Path, *batches: list[AuditRow], hash_chain: bool = True) -> list[str]:
    """Write rows as lines; give the lines."""
    for batch in batches:
        JsonLines(path, hash_chain=hash_chain).append(batch)
    return path.read_text(encoding="utf-8").splitlines()


@each_sink
@pytest.mark.parametrize("name", ["audit", "\u00e9 #?"])
def test_what_was_written_is_whole(
    tmp_path: Path,
    sink: type[JsonLines | Sqlite],
    name: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The last hash is kept elsewhere, to see later that nothing was cut off."""
    path = tmp_path / name
    for batch in (ROWS, ROWS[:1], []):
        sink(path, hash_chain=True).append(batch)

    verdict = verify(path)

    assert (verdict.rows, verdict.problems) == (4, ())
    assert len(verdict.last) == 64
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == f"4 rows; the last hash is {verdict.last}\n"


def test_a_row_that_was_changed_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a line of its own."""
    path = tmp_path / "audit"
    lines = written(path, ROWS)
    lines[1] = lines[1].replace('"kind": "b"', '"kind": "c"')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    assert verify(path).problems == ("row 2: was changed",)
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.startswith("row 2: was changed\n3 rows; ")


def test_a_row_that_is_gone_shows(tmp_path: Path) -> None:
    """So does one that came in between, and one that can't be read."""
    path = tmp_path / "audit"
    first, second, third = written(path, ROWS)
    broken = {
        (first, third): ("row 2: doesn't follow the row before it",),
        (second, third): ("row 1: doesn't follow the row before it",),
        (first, first): ("row 2: doesn't follow the row before it",),
        (first, "{", second): ("row 2: can't be read",),
        (first, "[]", "[" * 100_000): ("row 2: can't be read", "row 3: can't be read"),
        (first, '{"seq": 2}', second): ("row 2: has no hash",),
    }

    for lines, problems in broken.items():
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        assert verify(path).problems == problems


def test_rows_without_a_chain_have_no_hashes(tmp_path: Path) -> None:
    """A chain may begin behind them."""
    path = tmp_path / "audit"
    for line in written(path, ROWS, hash_chain=False):
        row = json.loads(line)
        assert (row["seq"], row["previous"], row["hash"]) == (None, None, None)

    lines = written(path, ROWS)

    assert [json.loads(line)["seq"] for line in lines] == [None] * 3 + [1, 2, 3]
    assert len(verify(path).problems) == 3


def test_a_changed_row_of_a_database_shows(tmp_path: Path) -> None:
    """It is read in the order in which it was written."""
    path = tmp_path / "audit"
    Sqlite(path, hash_chain=True).append(ROWS)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE audit SET kind = 'x' WHERE seq = 2")

    assert verify(path).problems == ("row 2: was changed",)


def test_a_line_that_a_crash_cut_off_is_written_over(tmp_path: Path) -> None:
    """The chain goes on from the last whole one, however long it is."""
    path = tmp_path / "audit"
    long = AuditRow(kind="x" * 200_000, ended="")
    for rest in ('{"seq": 9, "ki', "{", ""):
        written(path, [long, *ROWS])
        with path.open("a", encoding="utf-8") as file:
            file.write(rest)

    assert verify(path).problems == ()
    assert verify(path).rows == 12


@pytest.mark.parametrize(
    "text", ["a text", "a text\n", '{"a": 1}\n', "[1]\n", '{"seq": 1}\nmore']
)
def test_another_file_is_not_written_over(tmp_path: Path, text: str) -> None:
    """Somebody may have named the wrong one."""
    path = tmp_path / "notes"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match="no audit"):
        JsonLines(path, hash_chain=True).append(ROWS)

    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(("name", "code"), [("audit", 0), ("missing", 2)])
def test_it_is_run_from_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: int
) -> None:
    """By its name, with the file's."""
    written(tmp_path / "audit", ROWS)
    monkeypatch.setattr(sys, "argv", ["verify", str(tmp_path / name)])
    monkeypatch.delitem(sys.modules, module.__name__)

    with pytest.raises(SystemExit) as ended:
        run_module(module.__name__, run_name="__main__")

    assert ended.value.code == code


def test_a_file_that_cannot_be_read_is_another_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says nothing about the rows."""
    path = tmp_path / "audit"
    path.write_bytes(b"SQLite format 3\0 and no more")

    assert main([str(path)]) == 2
    assert main([str(tmp_path / "missing")]) == 2
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert str(path) in err
    assert err.splitlines()[-1] == "usage: verify PATH"
