"""Writes of which the disk itself is told to keep the order.

A process that is killed loses no write that the system has taken. A machine
that loses power does: without a wait, a rename may be kept and the content
lost that it was to put there. So content waits for the disk before its
rename, and a folder's renames before the lock that speaks of them.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

__all__ = ["keep", "keep_folders", "like", "write_new"]

# A disk makes one wait of many at once; in turn, each costs as much as all.
_AT_ONCE = 8
# What a file system says that can't wait for a folder.
_NO_FOLDERS = frozenset({errno.EINVAL, errno.ENOTSUP})


def write_new(path: Path, data: bytes) -> None:
    """Write a file that isn't there yet: the whole of it, or an error."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666)
    try:
        left = memoryview(data)
        while left:
            left = left[os.write(descriptor, left) :]
    finally:
        os.close(descriptor)


def like(path: Path, other: os.stat_result) -> None:
    """Give a file the permissions of another and, if we may, its owner."""
    own = path.stat()
    if sys.platform != "win32":
        owner = (other.st_uid, other.st_gid)
        if owner != (own.st_uid, own.st_gid):
            # Where only root may give a file away, it is its writer's.
            with suppress(PermissionError):
                os.chown(path, *owner)
    mode = stat.S_IMODE(other.st_mode)
    if mode != stat.S_IMODE(path.stat().st_mode):
        path.chmod(mode)


def keep(paths: Iterable[Path]) -> None:
    """Wait until the disk has the content of files."""
    _each(_keep_file, paths)


def keep_folders(folders: Iterable[Path]) -> None:
    """Wait until the disk has the names in folders."""
    # Windows keeps them by itself, and opens no folder.
    if sys.platform != "win32":
        _each(_keep_folder, folders)


def _each(wait: Callable[[Path], None], paths: Iterable[Path]) -> None:
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for _ in pool.map(wait, paths):
            pass


def _keep_folder(folder: Path) -> None:
    try:
        _sync(folder, os.O_RDONLY)
    except OSError as error:
        if error.errno not in _NO_FOLDERS:
            raise


def _keep_file(path: Path) -> None:
    # Windows wants a descriptor that may write.
    _sync(path, os.O_RDWR)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
