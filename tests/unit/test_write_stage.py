"""What is looked at and got ready while nothing is written yet."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.crash.plans import (
    LOCK_TEXT,
    fails,
    left,
    names,
    plan,
    posix,
    put,
    step,
)
from tests.crash.worlds import scratch

from interceptgen.files import Owner
from interceptgen.lock import FileRecord
from interceptgen.write import (
    WriteError,
    apply,
    staging,
)

PREFLIGHT = sys.modules["interceptgen.write.preflight"]


@pytest.fixture
def root() -> Iterator[Path]:
    with scratch() as folder:
        root = folder / "root"
        root.mkdir()
        yield root


# --- before anything is written ----------------------------------------------


@posix
def test_a_folder_on_another_file_system(root: Path, tmp_path: Path) -> None:
    if root.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is one file system only")
    said = PREFLIGHT._obstacle(tmp_path, root)
    assert said == f"{tmp_path.name} is on another file system than the project"


@posix
def test_a_folder_that_is_none_or_may_not_be_written(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a=b"a", d__b=b"b")
    assert PREFLIGHT._obstacle(root / "a", root) == "a is no folder"
    assert PREFLIGHT._obstacle(root / "d", root) == ""
    asked: list[tuple[Path, int]] = []

    def refused(path: Path, mode: int) -> bool:
        asked.append((path, mode))
        return False

    monkeypatch.setattr(os, "access", refused)
    said = PREFLIGHT._obstacle(root / "d", root)
    assert said == "the folder d is read-only"
    assert asked == [(root / "d", os.W_OK | os.X_OK)]


def only(*refused: Path) -> Callable[[Path, int], bool]:
    return lambda path, _: path not in refused


@posix
def test_every_place_is_looked_at_first(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user who isn't root, as seen by who may be root."""
    put(root, a=b"a", d__b=b"b")
    new = plan(step("a", b"a", b"n"), step("d/e/f", None, b"n"))
    for refused, said in (
        (root / "a", "a is read-only"),
        (root / "d", "d/e/f: the folder d is read-only"),
        (root, "a: the folder root is read-only"),
    ):
        monkeypatch.setattr(os, "access", only(refused))
        with pytest.raises(WriteError) as caught:
            apply(new, root)
        assert str(caught.value) == f"{said}; nothing was written"
    monkeypatch.undo()
    apply(new, root)
    (root / "interceptgen.lock").chmod(0o444)
    with pytest.raises(WriteError) as caught:
        apply(plan(), root)
    assert str(caught.value) == "interceptgen.lock is read-only; nothing was written"


@posix
def test_the_folder_of_a_link_is_looked_at_too(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, real__a=b"a", names__x=b"")
    (root / "names/a").symlink_to("../real/a")
    for folder in ("real", "names"):
        monkeypatch.setattr(os, "access", only(root / folder))
        with pytest.raises(WriteError) as caught:
            apply(plan(step("names/a", b"a", b"n")), root)
        assert str(caught.value) == (
            f"names/a: the folder {folder} is read-only; nothing was written"
        )


# --- the stage ---------------------------------------------------------------


@posix
def test_a_stage_holds_all_that_is_to_be_and_is_closed_to_others(root: Path) -> None:
    put(root, a=b"old")
    (root / "a").chmod(0o640)
    put(root, **{"interceptgen.lock": b"old lock"})
    (root / "interceptgen.lock").chmod(0o600)
    made = plan(step("a", b"old", b"new"), step("d/b", None, b"b"))
    stage = staging.make_stage(made, root)
    assert stage == root / ".interceptgen-stage-1"
    assert stat.S_IMODE(stage.stat().st_mode) == 0o700
    assert names(stage) == [
        ".gitignore",
        "files",
        "files/a",
        "files/d",
        "files/d/b",
        "interceptgen.lock",
    ]
    assert (stage / ".gitignore").read_bytes() == b"*\n"
    assert (stage / "files/a").read_bytes() == b"new"
    assert stat.S_IMODE((stage / "files/a").stat().st_mode) == 0o640
    assert (stage / "interceptgen.lock").read_bytes() == LOCK_TEXT
    assert stat.S_IMODE((stage / "interceptgen.lock").stat().st_mode) == 0o600
    assert staging.make_stage(plan(lock=None), root).name == ".interceptgen-stage-2"


def test_a_stage_takes_over_what_killed_runs_left(root: Path) -> None:
    left(root, 2)
    left(root, 9)
    stage = staging.make_stage(plan(), root)
    assert [path.name for path in root.iterdir()] == [".interceptgen-stage-10"]
    assert (
        sorted(path.name for path in stage.iterdir() if path.is_dir())
        == [
            ".interceptgen-stage-2",
            ".interceptgen-stage-9",
            "files",
        ][: 3 if (stage / "files").exists() else 2]
    )


def test_a_stage_without_a_lock_takes_nothing_over(root: Path) -> None:
    left(root, 2)
    stage = staging.make_stage(plan(lock=None), root)
    assert [path.name for path in stage.iterdir()] == [".gitignore"]
    assert (root / ".interceptgen-stage-2").is_dir()


@pytest.mark.parametrize("before", [True, False])
def test_a_stage_that_can_not_be_closed_is_removed_if_nothing_is_lost(
    root: Path, monkeypatch: pytest.MonkeyPatch, *, before: bool
) -> None:
    if before:
        left(root, 1)
    monkeypatch.setattr(staging, "keep_folders", fails(errno.ENOSPC))
    with pytest.raises(WriteError) as caught:
        staging.make_stage(plan(step("a", None, b"a")), root)
    assert str(caught.value) == (
        "interceptgen.lock: No space left on device; nothing was written"
    )
    stage = root / ".interceptgen-stage-2"
    assert names(root)[:1] == ([stage.name] if before else [])
    if before:
        assert (stage / "interceptgen.lock").is_file()
        assert (stage / ".interceptgen-stage-1").is_dir()
        assert not (stage / "files").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("write_new", "{root}: No space left on device"),
        ("like", "a: No space left on device"),
        ("keep", "{root}: No space left on device"),
        ("format_lock", "interceptgen.lock: No space left on device"),
    ],
)
def test_a_stage_that_can_not_be_filled_is_removed(
    root: Path, name: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a=b"old")
    monkeypatch.setattr(staging, name, fails(errno.ENOSPC))
    with pytest.raises(WriteError) as caught:
        staging.make_stage(plan(step("a", b"old", b"new")), root)
    assert str(caught.value) == f"{said.format(root=root)}; nothing was written"
    assert names(root) == ["a"]


def test_what_is_no_file_is_in_the_way(root: Path) -> None:
    (root / "a").mkdir()
    with pytest.raises(WriteError) as caught:
        apply(plan(step("a", None, b"a")), root)
    assert str(caught.value) == "a is in the way: it is no file; nothing was written"
    assert names(root) == ["a"]


@posix
@pytest.mark.parametrize("mode", [0o444, 0o555, 0o445])
def test_a_file_marked_as_read_only_is_left_whoever_runs(root: Path, mode: int) -> None:
    put(root, a=b"a")
    (root / "a").chmod(mode)
    with pytest.raises(WriteError, match=r"^a is read-only; nothing was written$"):
        apply(plan(step("a", b"a", b"n")), root)
    assert (root / "a").read_bytes() == b"a"


@posix
@pytest.mark.parametrize("mode", [0o200, 0o620, 0o666])
def test_a_file_that_may_be_written_is(root: Path, mode: int) -> None:
    put(root, a=b"a")
    (root / "a").chmod(mode | 0o400)
    apply(plan(step("a", b"a", b"n")), root)
    assert (root / "a").read_bytes() == b"n"


def test_a_warning_about_a_module_is_no_fault_of_it(root: Path) -> None:
    pristine = FileRecord(owner=Owner.GROWN, item="i", sha256="0")
    made = replace(step("a.py", None, b"x = '\\d'\n"), record=pristine)
    apply(plan(made), root)
    assert (root / "a.py").is_file()
