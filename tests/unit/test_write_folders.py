"""Which folders go with their last file, and which never do."""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crash.plans import (
    fails,
    names,
    plan,
    posix,
    put,
    step,
)
from tests.crash.worlds import scratch

from interceptgen.files import Owner
from interceptgen.lock import FileRecord, Lock, content_hash, format_lock
from interceptgen.plan import Action, Step
from interceptgen.write import (
    WriteError,
    apply,
)

REPLACING = sys.modules["interceptgen.write.replacing"]


@pytest.fixture
def root() -> Iterator[Path]:
    with scratch() as folder:
        root = folder / "root"
        root.mkdir()
        yield root


def test_a_folder_goes_with_its_last_file_and_its_byte_code(root: Path) -> None:
    put(root, d__e__a=b"a", d__x=b"x")
    put(root / "d/e/__pycache__", **{"a.pyc": b"", "b.pyc": b""})
    apply(plan(step("d/e/a", b"a", None)), root)
    assert names(root) == ["d", "d/x", "interceptgen.lock"]


@pytest.mark.parametrize("kept", ["d/e/mine", "d/e/__pycache__/mine"])
def test_a_folder_with_anything_else_stays(root: Path, kept: str) -> None:
    put(root, d__e__a=b"a")
    put(root / "d/e/__pycache__", **{"a.pyc": b""})
    put(root, **{kept.replace("/", "__"): b"mine"}) if "__" not in kept else put(
        root / "d/e/__pycache__", mine=b"mine"
    )
    apply(plan(step("d/e/a", b"a", None)), root)
    assert (root / kept).read_bytes() == b"mine"
    # Byte code goes only where nothing but byte code is left.
    assert (root / "d/e/__pycache__/a.pyc").exists() is (kept == "d/e/mine")


@posix
def test_a_folder_that_is_a_link_stays(root: Path) -> None:
    put(root, real__a=b"a")
    (root / "link").symlink_to("real")
    apply(plan(step("link/a", b"a", None)), root)
    assert names(root) == ["interceptgen.lock", "link", "real"]


@posix
def test_a_folder_of_byte_code_that_is_a_link_stays(root: Path) -> None:
    put(root, d__a=b"a", mine__b=b"")
    (root / "mine/c.pyc").write_bytes(b"")
    (root / "d/__pycache__").symlink_to("../mine")
    apply(plan(step("d/a", b"a", None)), root)
    assert (root / "mine/c.pyc").exists()
    assert (root / "d/__pycache__").is_symlink()


@pytest.mark.parametrize("code", [errno.EBUSY, errno.EACCES, errno.EIO])
def test_a_folder_that_can_not_be_removed(
    root: Path, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, d__e__a=b"a")
    rmdir, tried = os.rmdir, list[Path]()

    def busy(path: Path | str, **more: int) -> None:
        if isinstance(path, Path) and path.is_relative_to(root / "d"):
            tried.append(path)
            fails(code)()
        rmdir(path, **more)

    monkeypatch.setattr(os, "rmdir", busy)
    if code == errno.EIO:
        with pytest.raises(WriteError, match=r"^d/e/a: Input/output error; not all"):
            apply(plan(step("d/e/a", b"a", None)), root)
    else:
        apply(plan(step("d/e/a", b"a", None)), root)
        assert names(root) == ["d", "d/e", "interceptgen.lock"]
    # The ones above aren't empty either.
    assert tried == [root / "d/e"]


def recorded(*paths: str) -> Lock:
    return Lock(
        inputs="",
        files={
            path: FileRecord(owner=Owner.TOOL, item="i", sha256=content_hash(b""))
            for path in paths
        },
    )


def test_a_folder_that_a_killed_run_left_empty_goes(root: Path) -> None:
    (root / "d/e").mkdir(parents=True)
    (root / "kept").mkdir()
    (root / "mine").mkdir()
    (root / "interceptgen.lock").write_text(format_lock(recorded("d/e/a", "kept/b")))
    stage = root / ".interceptgen-stage-1"
    put(stage, **{"interceptgen.lock": format_lock(recorded("kept/b")).encode()})
    kept = Step(action=Action.KEEP, path="kept/b", before=b"", after=b"", reason="")
    apply(plan(kept), root)
    assert names(root) == ["interceptgen.lock", "kept", "mine"]


@posix
def test_all_folders_between_a_name_and_the_root_may_have_changed(root: Path) -> None:
    put(root, real__deep__a=b"a", names__x=b"x")
    (root / "names/a").symlink_to("../real/deep/a")
    steps = step("names/a", b"a", b"n"), step("new/b/c", None, b"")
    assert REPLACING._touched(steps, root) == {
        root,
        root / "names",
        root / "real",
        root / "real/deep",
    }


def test_byte_code_that_goes_meanwhile_is_no_obstacle(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raced(folder: Path, _: str) -> list[Path]:
        return [folder / "gone.pyc", folder / "a.pyc"]

    put(root, d__a=b"a")
    put(root / "d/__pycache__", **{"a.pyc": b""})
    monkeypatch.setattr(Path, "glob", raced)
    apply(plan(step("d/a", b"a", None)), root)
    monkeypatch.undo()
    assert names(root) == ["interceptgen.lock"]
