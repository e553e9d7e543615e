"""Applies a plan: staged beside the project's files, then put in place, lock last.

A run that is killed leaves every file old or new, and the next run finishes it.
"""

import shutil
from pathlib import Path
from tempfile import mkdtemp

from interceptgen.errors import UserError
from interceptgen.lock import LOCK_NAME, format_lock
from interceptgen.plan import Plan, Step

__all__ = ["WriteError", "apply"]

STAGE_PREFIX = ".interceptgen-stage-"


class WriteError(UserError):
    """Nothing or not all could be written; the message tells why."""


def apply(plan: Plan, root: Path) -> None:
    """Write what the plan says, and the lock.

    Args:
        plan: A plan without conflicts.
        root: The project's folder.

    Raises:
        WriteError: If the disk refuses, or a path leaves the project through
            a symbolic link. What was put in place before stays; a further run
            goes on from there.
    """
    for step in plan.changes:
        _require_inside(root, step.path)
    try:
        stage = Path(mkdtemp(prefix=STAGE_PREFIX, dir=root))
        try:
            _stage(plan, stage)
            _replace(plan, stage, root)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
    except OSError as error:
        message = f"{error.filename or root}: {error.strerror or error}"
        raise WriteError(message) from error


def _stage(plan: Plan, stage: Path) -> None:
    for step in plan.changes:
        if step.after is not None:
            target = stage / step.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(step.after)
    (stage / LOCK_NAME).write_text(
        format_lock(plan.lock), encoding="utf-8", newline="\n"
    )


def _replace(plan: Plan, stage: Path, root: Path) -> None:
    for step in plan.changes:
        if step.after is not None:
            _put(stage / step.path, root / step.path)
    for step in plan.changes:
        if step.after is None:
            _remove(root, step)
    _put(stage / LOCK_NAME, root / LOCK_NAME)


def _put(staged: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    # Through a link inside the project, the file that it points to is replaced.
    real = target.resolve()
    if real.exists():
        shutil.copymode(real, staged)
    staged.replace(real)


def _remove(root: Path, step: Step) -> None:
    target = root / step.path
    target.unlink(missing_ok=True)
    for folder in target.relative_to(root).parents:
        if folder == Path() or not _drop_if_empty(root / folder):
            break


def _drop_if_empty(folder: Path) -> bool:
    left = {entry.name for entry in folder.iterdir()}
    if left - {"__pycache__"}:
        return False
    shutil.rmtree(folder)
    return True


def _require_inside(root: Path, path: str) -> None:
    if not (root / path).resolve().is_relative_to(root.resolve()):
        message = f"{path} leads out of the project through a symbolic link"
        raise WriteError(message)
