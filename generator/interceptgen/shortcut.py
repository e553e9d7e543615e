"""What hashes tell of a project whose spec need not be read again.

With the spec and the generator as they were, the spec asks for what the lock
records. So nothing is to be done where each file is as the lock has it.
"""

from interceptgen.files import Owner
from interceptgen.lock import FileRecord, content_hash
from interceptgen.snapshot import Snapshot

__all__ = ["differing", "is_current"]


def is_current(seen: Snapshot, *, telling: bool = False) -> bool:
    """Tell from hashes alone that a run would do nothing.

    A file left out on purpose stops no run, but is to be told.

    Args:
        seen: A project whose spec and generator are those of the last run.
        telling: Whether such a file counts as well.

    Returns:
        False if the project must be looked at, which doesn't mean that
        something is to be done.
    """
    return not differing(seen, telling=telling)


def differing(seen: Snapshot, *, telling: bool) -> list[str]:
    """Name the files that a run would have to look at.

    Args:
        seen: A project whose spec and generator are those of the last run.
        telling: Whether a file left out on purpose counts as well.
    """
    return [
        path
        for path, record in seen.records.items()
        if not _is_left(seen.files[path], record, telling=telling)
    ]


def _is_left(disk: bytes | None, record: FileRecord, *, telling: bool) -> bool:
    if record.owner in {Owner.SEEDED, Owner.FORKED}:
        return disk is not None or not telling
    return disk is not None and content_hash(disk) == record.sha256
