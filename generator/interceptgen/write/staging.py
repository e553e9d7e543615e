"""The stage: a hidden folder of the project in which a run gets everything ready.

    .interceptgen-stage-1/
        .gitignore            the folder is no part of the project
        files/                what is to be put in place, each at its own path
        interceptgen.lock     the lock to leave, complete or not there
        .interceptgen-stage-… a killed run's stage, not yet dealt with

It is in the project, for no rename leaves a file system. What a killed run did
is known by the lock in its stage, until a later run's lock is in place.
"""

import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from interceptgen.lock import LOCK_NAME, STAGE_PREFIX, format_lock
from interceptgen.plan import Plan, Step
from interceptgen.snapshot import left_stages, stage_number
from interceptgen.write.disk import keep, keep_folders, like, write_new
from interceptgen.write.failure import UNTOUCHED, naming
from interceptgen.write.places import place

__all__ = ["discard", "drop_content", "make_stage", "staged"]


def make_stage(plan: Plan, root: Path) -> Path:
    """Get everything ready, down to the disk.

    Returns:
        The stage.

    Raises:
        WriteError: If the system refuses; then nothing is left of it.
    """
    left = left_stages(root)
    number = 1 + max(map(stage_number, left), default=0)
    stage = root / f"{STAGE_PREFIX}{number}"
    try:
        with naming(str(root), UNTOUCHED):
            # Closed to others: it may hold what they may not read.
            stage.mkdir(mode=0o700)
            write_new(stage / ".gitignore", b"*\n")
        _fill(plan.changes, stage, root)
        with naming(LOCK_NAME, UNTOUCHED):
            _complete(plan, stage, root)
    except BaseException:
        discard(stage)
        raise
    try:
        with naming(LOCK_NAME, UNTOUCHED):
            if plan.lock is not None:
                _take_over(left, stage)
            keep_folders([stage, root])
    except BaseException:
        # It may be the only one by now that knows what killed runs did.
        if left:
            drop_content(stage)
        else:
            discard(stage)
        raise
    return stage


def staged(stage: Path, path: str) -> Path:
    """Give where a stage has the content of a path."""
    return stage / "files" / path


def drop_content(stage: Path) -> None:
    """Give back the room of what was not put in place; the lock stays."""
    shutil.rmtree(stage / "files", ignore_errors=True)


def discard(stage: Path) -> None:
    """Remove a stage; what can't be removed is void, and left to a later run."""
    try:
        _remove(stage)
    except KeyboardInterrupt:
        _remove(stage)
        raise


def _remove(stage: Path) -> None:
    # First, so that a stage of which a part is gone tells nothing.
    with suppress(OSError):
        (stage / LOCK_NAME).unlink()
    shutil.rmtree(stage, ignore_errors=True)


def _fill(changes: Iterable[Step], stage: Path, root: Path) -> None:
    paths: list[Path] = []
    for step in changes:
        if step.after is not None:
            path = staged(stage, step.path)
            with naming(step.path, UNTOUCHED):
                path.parent.mkdir(parents=True, exist_ok=True)
                write_new(path, step.after)
                if step.before is not None:
                    like(path, place(root, step.path).stat())
            paths.append(path)
    with naming(str(root), UNTOUCHED):
        keep(paths)


def _complete(plan: Plan, stage: Path, root: Path) -> None:
    """Put the lock in, from another name: it must not be there by half."""
    if plan.lock is None:
        return
    draft, old = stage / f"{LOCK_NAME}.draft", place(root, LOCK_NAME)
    write_new(draft, format_lock(plan.lock).encode())
    if old.exists():
        like(draft, old.stat())
    keep([draft])
    draft.rename(stage / LOCK_NAME)


def _take_over(left: Iterable[Path], stage: Path) -> None:
    """Let killed runs' stages end when this run's lock is in place."""
    for each in left:
        each.rename(stage / each.name)
