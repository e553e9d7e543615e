"""What a killed run has left: its stage, with the lock that it was to leave.

That lock tells for each file how the run meant it to be. A file that is so
already is the tool's work, though the project's own lock doesn't know it yet.
A stage without its lock is void: its run came to its end, or had put
nothing in place.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from interceptgen.lock import (
    LOCK_NAME,
    STAGE_PREFIX,
    FileRecord,
    Lock,
    LockError,
    content_hash,
    parse_lock,
)

__all__ = ["left_locks", "left_stages", "recovered", "stage_number"]


def left_stages(folder: Path) -> list[Path]:
    """Give the stages in a folder, the oldest first.

    There are some if a run was killed, or if one is under way.
    """
    with os.scandir(folder) as entries:
        found = [
            Path(entry.path)
            for entry in entries
            if entry.name.startswith(STAGE_PREFIX)
            # No link to a folder elsewhere.
            and entry.is_dir(follow_symlinks=False)
        ]
    return sorted(found, key=stage_number)


def stage_number(stage: Path) -> int:
    """Give a stage's place in their order."""
    number = stage.name.removeprefix(STAGE_PREFIX)
    return int(number) if number.isdecimal() else 0


def left_locks(root: Path) -> list[Lock]:
    """Give the locks that killed runs were about to leave, the oldest first."""
    return [lock for stage in left_stages(root) for lock in _locks(stage)]


def recovered(
    lock: Lock | None, left: Sequence[Lock], read: Callable[[str], bytes | None]
) -> Lock | None:
    """Give the lock as it would be, had killed runs recorded what they did.

    Args:
        lock: The project's lock.
        left: The locks that those runs were about to leave, the oldest first.
        read: Gives the content of a file.

    Returns:
        The lock of the next run; its inputs are nobody's, so that no hash ends
        that run early. None if nothing is recorded.
    """
    records = dict(lock.files) if lock else {}
    for meant in left:
        for path in sorted({*records, *meant.files}):
            content, record = read(path), meant.files.get(path)
            if _is_as_meant(content, record):
                _set(records, path, record)
    return Lock(inputs="", files=records) if lock or records else None


def _is_as_meant(content: bytes | None, record: FileRecord | None) -> bool:
    if content is None or record is None:
        return content is None and record is None
    return content_hash(content) == record.sha256


def _set(records: dict[str, FileRecord], path: str, record: FileRecord | None) -> None:
    if record is None:
        records.pop(path, None)
    else:
        records[path] = record


def _locks(stage: Path) -> Iterator[Lock]:
    """Give a stage's lock, after those of the stages that its run had found."""
    try:
        text = (stage / LOCK_NAME).read_text(encoding="utf-8")
        own, earlier = parse_lock(text), left_stages(stage)
    except (OSError, UnicodeError, LockError):
        return
    for each in earlier:
        yield from _locks(each)
    yield own
