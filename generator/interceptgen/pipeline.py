"""The whole line from spec to disk, one call a stage: the file to read first."""

from pathlib import Path
from typing import TYPE_CHECKING

from interceptgen.fingerprint import inputs_digest
from interceptgen.lock import Lock, content_hash
from interceptgen.project import SPEC_NAME
from interceptgen.snapshot import read_lock, read_snapshot

if TYPE_CHECKING:
    from interceptgen.plan import Plan

__all__ = ["check", "generate"]


def generate(root: Path, *, force: bool = False) -> "Plan | None":
    """Bring the project in line with its spec.

    Args:
        root: The project's folder.
        force: Replace the tool's files even where they were edited by hand.

    Returns:
        What was done; None if nothing was to be done. A plan with conflicts
        was not applied.

    Raises:
        SpecError: If the spec has problems; nothing is written.
        LockError: If the lock can't be used; nothing is written.
        WriteError: If the disk refuses.
    """
    if _is_current(root):
        return None
    made = _plan(root, force=force)
    if not made.conflicts and (made.changes or made.lock_is_stale):
        from interceptgen.write import apply

        apply(made, root)
    return made


def check(root: Path) -> "Plan | None":
    """Decide what a run would do, without writing.

    Returns:
        The plan; None if hashes alone tell that there is nothing to do.

    Raises:
        SpecError: If the spec has problems.
        LockError: If the lock can't be used.
    """
    return None if _is_current(root) else _plan(root)


def _is_current(root: Path) -> bool:
    """Tell from hashes alone that a run would do nothing.

    False means that it must be looked at, not that something is to be done.
    """
    lock = read_lock(root)
    if lock is None or lock.inputs != inputs_digest((root / SPEC_NAME).read_bytes()):
        return False
    files = read_snapshot(root, (), lock).files
    return all(_is_left(files[path], lock, path) for path in lock.files)


def _is_left(disk: bytes | None, lock: Lock, path: str) -> bool:
    record = lock.files[path]
    if record.owner.value == "seeded":
        return True
    return disk is not None and content_hash(disk) == record.sha256


def _plan(root: Path, *, force: bool = False) -> "Plan":
    # Imported here: a project that is current needs none of it.
    from interceptgen.lower import lower
    from interceptgen.plan import make_plan
    from interceptgen.render import render
    from interceptgen.spec.loader import load_spec

    lock = read_lock(root)
    data = (root / SPEC_NAME).read_bytes()
    files = render(lower(load_spec(SPEC_NAME, data)))
    snapshot = read_snapshot(root, (file.path for file in files), lock)
    return make_plan(files, snapshot, inputs=inputs_digest(data), force=force)
