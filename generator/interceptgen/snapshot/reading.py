"""Reads a project's lock, and the files that a run is about."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from interceptgen.lock import LOCK_NAME, FileRecord, Lock, parse_lock
from interceptgen.snapshot.disk import Disk
from interceptgen.snapshot.leftover import left_locks, left_stages, recovered

__all__ = ["Snapshot", "left_paths", "read_lock", "read_snapshot"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What stands at the paths that a run is about.

    Attributes:
        files: Content by path; None where there is no file.
        lock: The recorded base; None where there is none.
    """

    files: Mapping[str, bytes | None]
    lock: Lock | None

    @property
    def records(self) -> Mapping[str, FileRecord]:
        """What the lock says of each file; nothing without a lock."""
        return self.lock.files if self.lock else {}


def read_lock(root: Path) -> Lock | None:
    """Read the project's lock, if it has one.

    Returns:
        The lock, with what killed runs did and could not record.

    Raises:
        LockError: If it can't be used.
        ReadError: If it can't be read.
    """
    lock = _recorded(root)
    if not left_stages(root):
        return lock
    return recovered(lock, left_locks(root), Disk(root).read)


def left_paths(root: Path) -> set[str]:
    """Give the paths that killed runs may have dealt with."""
    if not left_stages(root):
        return set()
    locks = [_recorded(root), *left_locks(root)]
    return {path for lock in locks if lock for path in lock.files}


def read_snapshot(root: Path, paths: Iterable[str], lock: Lock | None) -> Snapshot:
    """Read the files at the paths and those that the lock names.

    Raises:
        ReadError: If one of them can't be read, or is outside the project.
    """
    disk = Disk(root)
    wanted = {*paths, *(lock.files if lock else ())}
    files = {path: disk.read(path) for path in sorted(wanted)}
    return Snapshot(files=files, lock=lock)


def _recorded(root: Path) -> Lock | None:
    data = Disk(root).read(LOCK_NAME)
    return None if data is None else parse_lock(data.decode("utf-8", "replace"))
