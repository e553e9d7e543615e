"""Two runs at once: the second waits, then gives up; a reader does neither."""

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crash.worlds import be_at, install, make_old, run, scratch, tree

from interceptgen import pipeline
from interceptgen.write import BusyError, exclusive


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    install(monkeypatch)
    with scratch() as folder:
        make_old(folder / "old")
        be_at(folder / "old", "new")
        yield folder / "old"


def test_the_second_gives_up(root: Path) -> None:
    before = tree(root)
    with (
        exclusive(root),
        pytest.raises(BusyError) as caught,
        exclusive(root, patience=0.1),
    ):
        pytest.fail("both are at work")
    assert str(caught.value) == (
        f"another interceptgen is at work in {root}; try again later"
    )
    assert tree(root) == before


def test_the_second_waits(root: Path) -> None:
    entered = threading.Event()

    def first() -> None:
        with exclusive(root):
            entered.set()
            time.sleep(0.2)

    thread = threading.Thread(target=first)
    thread.start()
    entered.wait()
    begin = time.monotonic()
    pipeline.generate(root)
    assert time.monotonic() - begin > 0.1
    thread.join()


def test_a_reader_neither_waits_nor_writes(root: Path) -> None:
    before = tree(root)
    with exclusive(root):
        made = pipeline.check(root)
    assert made is not None
    assert len(made.changes) > 1
    assert tree(root) == before


def test_a_project_that_is_current_needs_no_turn(root: Path) -> None:
    run(root, "new")
    with exclusive(root):
        assert pipeline.generate(root) is None


def test_the_turn_leaves_nothing(root: Path) -> None:
    before = tree(root)
    with exclusive(root):
        pass
    assert tree(root) == before
    with exclusive(root, patience=0):
        pass


def cannot(_: int) -> bool:
    return False


@pytest.mark.skipif(sys.platform == "win32", reason="there it is always so")
def test_where_folders_cannot_be_locked_a_file_elsewhere_stands_for_them(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["interceptgen.write.exclusive"]
    monkeypatch.setattr(module, "_can_be_locked", cannot)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = tree(root)
    with exclusive(root), pytest.raises(BusyError), exclusive(root, patience=0):
        pytest.fail("both are at work")
    with exclusive(root, patience=0):
        pass
    assert tree(root) == before
    assert [path.name.rpartition("-")[0] for path in tmp_path.iterdir()] == [
        f"interceptgen-{os.getuid()}"
    ]
