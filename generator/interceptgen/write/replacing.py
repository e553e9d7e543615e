"""Puts a stage in place: file by file, each by one rename, the lock last.

Done again after an interruption, it goes on where it was.
"""

import errno
from collections.abc import Iterable, Iterator
from pathlib import Path

from interceptgen.lock import LOCK_NAME
from interceptgen.plan import Plan, Step
from interceptgen.snapshot import left_paths, left_stages
from interceptgen.write.disk import keep_folders
from interceptgen.write.failure import UNFINISHED, WriteError, naming
from interceptgen.write.places import content, first_there, place
from interceptgen.write.staging import discard, staged

__all__ = ["put_in_place"]

# A folder that isn't empty, isn't ours to remove, or is a link or a mount.
_STAYS = frozenset(
    {
        errno.EACCES,
        errno.EBUSY,
        errno.EEXIST,
        errno.ENOENT,
        errno.ENOTDIR,
        errno.ENOTEMPTY,
        errno.EPERM,
    }
)


def put_in_place(plan: Plan, stage: Path, root: Path) -> None:
    """Replace and remove what the plan says, then the lock.

    Raises:
        WriteError: If the system refuses, or a file was changed meanwhile.
    """
    for step in plan.changes:
        with naming(step.path, UNFINISHED):
            if step.after is not None:
                _put(step, stage, root)
            else:
                _remove(step, root)
    for path in sorted(_gone(plan, stage, root)):
        with naming(path, UNFINISHED):
            _remove_empty(_above(path, root))
    with naming(LOCK_NAME, UNFINISHED):
        keep_folders(_touched(plan.changes, root))
        _commit(plan, stage, root)
        keep_folders([root])


def _put(step: Step, stage: Path, root: Path) -> None:
    target = place(root, step.path)
    if _is_still_to_do(step, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        staged(stage, step.path).replace(target)


def _remove(step: Step, root: Path) -> None:
    # A link goes by itself; what it points to has a name of its own.
    target = root / step.path
    if _is_still_to_do(step, target):
        target.unlink()


def _is_still_to_do(step: Step, target: Path) -> bool:
    found = content(target)
    if found not in {step.before, step.after}:
        raise WriteError(f"{step.path} was changed during the run; {UNFINISHED}")
    return found != step.after


def _commit(plan: Plan, stage: Path, root: Path) -> None:
    """Make the stage void, and what it did known, in one step."""
    lock = place(root, LOCK_NAME)
    if plan.lock is not None:
        if (stage / LOCK_NAME).exists():
            (stage / LOCK_NAME).replace(lock)
        return
    for each in left_stages(root):
        if each != stage:
            discard(each)
    lock.unlink(missing_ok=True)


def _gone(plan: Plan, stage: Path, root: Path) -> set[str]:
    """Give the paths where this run or a killed one may have left a folder empty."""
    removed = {step.path for step in plan.changes if step.after is None}
    known = {step.path for step in plan.steps if step.after is not None}
    return removed | (left_paths(root) - known if left_stages(stage) else set())


def _above(path: str, root: Path) -> Iterator[Path]:
    """Give a path's folders inside the project, the innermost first."""
    target = root / path
    yield from (root / each for each in target.relative_to(root).parents if each.name)


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        if _is_folder(folder):
            try:
                _remove_compiled(folder)
                folder.rmdir()
            except OSError as error:
                if error.errno in _STAYS:
                    return
                raise


def _remove_compiled(folder: Path) -> None:
    """Remove byte code where nothing else is left."""
    compiled = folder / "__pycache__"
    if _is_folder(compiled) and list(folder.iterdir()) == [compiled]:
        for file in compiled.glob("*.pyc"):
            file.unlink(missing_ok=True)
        compiled.rmdir()


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _touched(changes: Iterable[Step], root: Path) -> set[Path]:
    """Give the folders in which a name may have changed."""
    touched = {root}
    for step in changes:
        for folder in (place(root, step.path).parent, (root / step.path).parent):
            inner = first_there(folder)
            touched |= {inner, *inner.parents} - {*root.parents}
    return touched
