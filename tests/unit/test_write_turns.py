"""One run at a time, whatever the system can lock."""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crash.plans import (
    fails,
    open_files,
    posix,
)
from tests.crash.worlds import scratch

from interceptgen.write import (
    BusyError,
    exclusive,
)


def always(_: int) -> bool:
    return True


def never(_: int) -> bool:
    return False


@pytest.fixture
def root() -> Iterator[Path]:
    with scratch() as folder:
        root = folder / "root"
        root.mkdir()
        yield root


@posix
def test_a_lock_refused_for_another_reason_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["interceptgen.write.exclusive"]
    with exclusive(root):
        pass
    monkeypatch.setattr(module, "_can_be_locked", always)
    monkeypatch.setattr("fcntl.flock", fails(errno.EIO))
    before = open_files()
    with pytest.raises(OSError, match="Input/output error"), exclusive(root):
        pytest.fail("there is no lock")
    assert open_files() == before


@posix
@pytest.mark.parametrize(
    ("code", "locked"), [(errno.EAGAIN, True), (errno.EACCES, True), (errno.EIO, False)]
)
def test_a_folder_that_is_taken_can_be_locked(
    code: int, *, locked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["interceptgen.write.exclusive"]
    monkeypatch.setattr("fcntl.flock", fails(code))
    assert module._can_be_locked(0) is locked


@posix
def test_the_trial_of_a_folder_takes_no_lock(root: Path) -> None:
    module = sys.modules["interceptgen.write.exclusive"]
    first, second = os.open(root, os.O_RDONLY), os.open(root, os.O_RDONLY)
    try:
        # Two readers at once are no reason to give a folder up.
        assert module._can_be_locked(first)
        assert module._take(second)
        assert module._can_be_locked(first)
        assert not module._take(first)
    finally:
        os.close(first)
        os.close(second)


@posix
def test_a_stand_in_is_one_for_each_folder_and_user(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["interceptgen.write.exclusive"]
    monkeypatch.setattr(module, "_can_be_locked", never)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = open_files()
    (root / "d").mkdir()
    (root / "link").symlink_to("d")
    for folder in (root, root / "d", root / "link"):
        with exclusive(folder):
            pass
    assert open_files() == before
    files = list(tmp_path.iterdir())
    assert len(files) == 2
    for file in files:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        begin, key = file.stem.rsplit("-", 1)
        assert (begin, file.suffix) == (f"interceptgen-{os.getuid()}", ".lock")
        assert len(key) == 32
    monkeypatch.setattr(os, "getuid", lambda: 4321)
    with exclusive(root):
        pass
    assert len(list(tmp_path.iterdir())) == 3


def test_a_turn_that_ends_in_time_is_waited_for(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = sys.modules["interceptgen.write.exclusive"]
    now, slept = [100.0], list[float]()

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += 0.25

    answers = iter([False] * 5)

    def taken(_: int) -> bool:
        return next(answers)

    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(module.time, "sleep", sleep)
    monkeypatch.setattr(module, "_take", taken)
    with pytest.raises(BusyError), exclusive(root, patience=1):
        pytest.fail("it was never free")
    assert len(slept) == 4


@posix
def test_where_the_folder_can_be_locked_no_file_stands_for_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with exclusive(root):
        pass
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_turn_leaves_no_descriptor_whoever_has_it(root: Path) -> None:
    before = open_files()
    with exclusive(root), pytest.raises(BusyError), exclusive(root, patience=0):
        pytest.fail("both are at work")
    assert open_files() == before


@posix
def test_a_folder_that_can_only_be_let_go_can_not_be_locked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = sys.modules["interceptgen.write.exclusive"]

    def flock(_: int, operation: int) -> None:
        if operation & 1:
            # What is shared, and not let go.
            raise OSError(errno.ENOTSUP, "not here")

    monkeypatch.setattr("fcntl.flock", flock)
    assert not module._can_be_locked(0)
