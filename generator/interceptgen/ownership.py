"""Hands files over and back, and ends the tool's ownership: read, plan, write.

The line of `pipeline`, for what isn't the spec's doing.
"""

import os
from collections.abc import Container, Iterable
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from interceptgen import ejection, handover
from interceptgen.handover import HandoverError
from interceptgen.lock import LOCK_NAME, FileRecord, Lock
from interceptgen.pipeline import survey
from interceptgen.plan import Plan
from interceptgen.snapshot import read_lock, read_snapshot
from interceptgen.write import apply, exclusive

__all__ = ["eject", "fork", "named", "unfork"]


def fork(root: Path, path: str) -> Plan:
    """Hand a tool's file over to the user.

    Args:
        root: The project's folder.
        path: The file, from the working directory or from the project.

    Returns:
        What was done.

    Raises:
        HandoverError: If there is no such file, or it is the user's already.
        SpecError: If the file isn't recorded and the spec has problems.
        WriteError: If the disk refuses.
    """
    with exclusive(root):
        lock = read_lock(root) or Lock(inputs="", files={})
        known, record = _tracked(root, path, lock)
        disk = read_snapshot(root, [known], None).files[known]
        made = handover.fork(known, disk, record, lock)
        apply(made, root)
    return made


def _tracked(root: Path, path: str, lock: Lock) -> tuple[str, FileRecord]:
    known = named(root, path, lock.files)
    if known is not None:
        return known, lock.files[known]
    # A user's file that stands where the tool wants one is not recorded.
    steps = survey(root).plan().steps
    wanted = {step.path: step.record for step in steps if step.record is not None}
    known = _known(root, path, wanted)
    return known, wanted[known]


def unfork(root: Path, path: str, *, lossy: bool = False) -> tuple[Plan, bool]:
    """Give a forked file back to the tool, as it would write it now.

    Args:
        root: The project's folder.
        path: The file, from the working directory or from the project.
        lossy: Do so even if the user's version is lost.

    Returns:
        The plan, and whether it was applied.

    Raises:
        HandoverError: If it isn't forked, or the spec no longer asks for it.
        SpecError: If the spec has problems.
        WriteError: If the disk refuses.
    """
    with exclusive(root):
        made = _unforked(root, path)
        done = lossy or not any(map(handover.is_lossy, made.steps))
        if done:
            apply(made, root)
    return made, done


def _unforked(root: Path, path: str) -> Plan:
    found = survey(root)
    lock, disk = found.snapshot.lock, found.snapshot.files
    wanted = {file.path: file for file in found.files}
    known = _known(root, path, {**wanted, **found.snapshot.records})
    return handover.unfork(known, wanted.get(known), disk[known], lock)


def eject(root: Path) -> ejection.Ejection:
    """End the tool's ownership of a project.

    Returns:
        What was done, and what is left to do by hand.

    Raises:
        HandoverError: If the project has no lock.
        WriteError: If the disk refuses.
    """
    with exclusive(root):
        lock = read_lock(root)
        if lock is None:
            raise HandoverError(
                f"there is no {LOCK_NAME}, so nothing here is the tool's"
            )
        disk = read_snapshot(root, ejection.SEARCHED, lock).files
        found = ejection.eject(lock, disk)
        apply(found.plan, root)
    return found


def named(root: Path, path: str, known: Container[str]) -> str | None:
    """Give the project's own name of a file.

    Args:
        root: The project's folder.
        path: The file, from the working directory or from the project.
        known: The files that the project knows.

    Returns:
        Its path relative to the project root; None if it is none of them.
    """
    readings = (_below(root, Path.cwd() / path), _below(root, root / path))
    return next((reading for reading in readings if reading in known), None)


def _known(root: Path, path: str, known: Iterable[str]) -> str:
    paths = set(known)
    found = named(root, path, paths)
    if found is not None:
        return found
    close = get_close_matches(PurePosixPath(path).as_posix(), paths, n=1, cutoff=0.7)
    hint = f"; did you mean {close[0]}?" if close else ""
    raise HandoverError(f"{path} is no file that interceptgen writes{hint}")


def _below(root: Path, path: Path) -> str:
    # By name alone: where a link inside the project leads is the writer's business.
    named = Path(os.path.normpath(path))
    return named.relative_to(root).as_posix() if named.is_relative_to(root) else ""
