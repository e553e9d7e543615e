"""How one file gets to the disk, and where its path leads."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crash.plans import (
    fails,
    linux,
    posix,
    put,
)
from tests.crash.worlds import scratch

from interceptgen.write import (
    WriteError,
)
from interceptgen.write import disk as disks
from interceptgen.write.failure import naming
from interceptgen.write.places import content, first_there, place


@pytest.fixture
def root() -> Iterator[Path]:
    with scratch() as folder:
        root = folder / "root"
        root.mkdir()
        yield root


# --- one file ----------------------------------------------------------------


def test_a_new_file_is_whole_however_little_a_write_takes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, closed = os.write, list[int]()
    close = os.close

    def one_byte(descriptor: int, data: memoryview) -> int:
        return write(descriptor, data[:1])

    def noting(descriptor: int) -> None:
        closed.append(descriptor)
        close(descriptor)

    monkeypatch.setattr(os, "write", one_byte)
    monkeypatch.setattr(os, "close", noting)
    disks.write_new(root / "a", b"whole\r\n")
    monkeypatch.undo()
    assert (root / "a").read_bytes() == b"whole\r\n"
    assert len(closed) == 1


@posix
def test_a_new_file_is_as_open_as_the_user_has_it(root: Path) -> None:
    for mask, mode in ((0o000, 0o666), (0o027, 0o640)):
        before = os.umask(mask)
        try:
            disks.write_new(root / f"{mask}", b"")
        finally:
            os.umask(before)
        assert stat.S_IMODE((root / f"{mask}").stat().st_mode) == mode


def test_a_new_file_replaces_none(root: Path) -> None:
    put(root, a=b"mine")
    with pytest.raises(FileExistsError):
        disks.write_new(root / "a", b"")
    assert (root / "a").read_bytes() == b"mine"


@posix
@pytest.mark.parametrize("mode", [0o600, 0o755, 0o444])
def test_a_file_gets_the_permissions_of_the_one_it_replaces(
    root: Path, mode: int
) -> None:
    put(root, a=b"a", b=b"b")
    (root / "b").chmod(mode)
    disks.like(root / "a", (root / "b").stat())
    assert stat.S_IMODE((root / "a").stat().st_mode) == mode


def owned(path: Path, user: int, group: int) -> os.stat_result:
    """Give a file's state with other owners."""
    return os.stat_result([*path.stat()[:4], user, group, *path.stat()[6:]])


@posix
@pytest.mark.parametrize(("user", "group"), [(0, 1), (1, 0), (1, 1), (0, 0)])
def test_a_file_gets_the_owner_of_the_one_it_replaces(
    root: Path, user: int, group: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[Path, int, int]] = []

    def chown(path: Path, to: int, of: int) -> None:
        given.append((path, to, of))
        raise PermissionError

    put(root, a=b"a")
    own = (root / "a").stat()
    monkeypatch.setattr(os, "chown", chown)
    disks.like(root / "a", owned(root / "a", own.st_uid + user, own.st_gid + group))
    asked = [(root / "a", own.st_uid + user, own.st_gid + group)]
    assert given == (asked if user or group else [])


@posix
def test_a_file_as_it_should_be_is_left(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On some file systems even the same permissions can't be set."""
    put(root, a=b"a")
    monkeypatch.setattr(os, "chown", fails(errno.EIO))
    monkeypatch.setattr(os, "chmod", fails(errno.EIO))
    disks.like(root / "a", (root / "a").stat())


@posix
def test_who_can_not_give_a_file_away_for_another_reason_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a=b"a")
    monkeypatch.setattr(os, "chown", fails(errno.EIO))
    with pytest.raises(OSError, match="Input/output error"):
        disks.like(root / "a", owned(root / "a", 12345, 12345))


# --- waits for the disk ------------------------------------------------------


@posix
@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_only_a_folder_that_can_not_be_waited_for_is_passed_over(
    root: Path, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a=b"a")
    monkeypatch.setattr(os, "fsync", fails(code))
    with pytest.raises(OSError, match=r".") as caught:
        disks.keep([root / "a"])
    assert caught.value.errno == code
    if code != errno.EIO:
        disks.keep_folders([root])
        return
    with pytest.raises(OSError, match=r"."):
        disks.keep_folders([root])


@linux
def test_a_wait_leaves_no_descriptor(root: Path) -> None:
    put(root, a=b"a", b=b"b")
    before = len([*Path("/proc/self/fd").iterdir()])
    disks.keep([root / "a", root / "b"])
    disks.keep_folders([root, root.parent])
    assert len([*Path("/proc/self/fd").iterdir()]) == before


# --- words and places --------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "full"), "a.py: full; nothing"),
        (OSError("odd"), "a.py: odd; nothing"),
    ],
)
def test_what_the_system_refuses_is_a_line_about_a_file(
    error: OSError, said: str
) -> None:
    with pytest.raises(WriteError) as caught, naming("a.py", "nothing"):
        raise error
    assert str(caught.value) == said
    assert caught.value.__cause__ is error


@posix
def test_where_paths_lead(root: Path) -> None:
    put(root, a=b"a", d__b=b"b")
    (root / "link").symlink_to("d")
    assert place(root, "link/new") == root / "d/new"
    assert content(root / "link/b") == b"b"
    assert content(root / "a/under/a/file") is None
    assert first_there(root / "d/x/y") == root / "d"
    assert first_there(root / "d") == root / "d"
    (root / "out").symlink_to("..")
    with pytest.raises(WriteError) as caught:
        place(root, "out/a")
    assert str(caught.value) == (
        "out/a leads out of the project through a symbolic link; nothing was written"
    )
