"""The only reader of a project's disk, besides its spec."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from interceptgen.lock import LOCK_NAME, FileRecord, Lock, parse_lock

__all__ = ["Snapshot", "read_lock", "read_snapshot"]


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

    Raises:
        LockError: If it can't be used.
    """
    data = _content(root / LOCK_NAME)
    return None if data is None else parse_lock(data.decode("utf-8", "replace"))


def read_snapshot(root: Path, paths: Iterable[str], lock: Lock | None) -> Snapshot:
    """Read the files at the paths and those that the lock names."""
    wanted = {*paths, *(lock.files if lock else ())}
    files = {path: _content(root / path) for path in sorted(wanted)}
    return Snapshot(files=files, lock=lock)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
