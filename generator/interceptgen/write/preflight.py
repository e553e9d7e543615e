"""Refuses what could only fail half way, while nothing is written yet."""

import os
import stat
import warnings
from pathlib import Path

from interceptgen.lock import LOCK_NAME
from interceptgen.plan import Plan, Step
from interceptgen.write.failure import UNTOUCHED, WriteError, naming
from interceptgen.write.places import content, first_there, place

__all__ = ["require_room", "require_sound"]


def require_sound(plan: Plan) -> None:
    """Compile every module that is to be written.

    One with a person's code in it may need a newer Python; then it did before.

    Raises:
        ValueError: If one doesn't compile, which is the generator's own fault.
    """
    for step in plan.changes:
        if step.path.endswith(".py") and not _is_sound(step):
            message = f"{step.path} would not compile; {UNTOUCHED}"
            raise ValueError(message)


def require_room(plan: Plan, root: Path) -> None:
    """Look at each place that is to change.

    Raises:
        WriteError: If one is outside the project, on another file system,
            read-only, no file, or not as it was when the run began.
    """
    for step in plan.changes:
        with naming(step.path, UNTOUCHED):
            _require_place(root, step.path)
            if content(place(root, step.path)) != step.before:
                message = f"{step.path} was changed during the run; {UNTOUCHED}"
                raise WriteError(message)
    with naming(LOCK_NAME, UNTOUCHED):
        _require_place(root, LOCK_NAME)


def _is_sound(step: Step) -> bool:
    if step.after is None or _compiles(step.after):
        return True
    if step.record is not None and step.record.pristine:
        return False
    return step.before is None or not _compiles(step.before)


def _compiles(data: bytes) -> bool:
    with warnings.catch_warnings():
        # What Python thinks of a person's style is not our business.
        warnings.simplefilter("ignore")
        try:
            compile(data, "<staged>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _require_place(root: Path, path: str) -> None:
    file = place(root, path)
    if os.path.lexists(file):
        mode = file.lstat().st_mode
        if not stat.S_ISREG(mode):
            raise WriteError(f"{path} is in the way: it is no file; {UNTOUCHED}")
        # A rename would replace it all the same, but the mark is a person's word.
        if not mode & 0o222 or not os.access(file, os.W_OK):
            raise WriteError(f"{path} is read-only; {UNTOUCHED}")
    for folder in {file.parent, (root / path).parent}:
        reason = _obstacle(first_there(folder), root)
        if reason:
            raise WriteError(f"{path}: {reason}; {UNTOUCHED}")


def _obstacle(folder: Path, root: Path) -> str:
    if not folder.is_dir():
        return f"{folder.name} is no folder"
    if folder.stat().st_dev != root.stat().st_dev:
        return f"{folder.name} is on another file system than the project"
    if not os.access(folder, os.W_OK | os.X_OK):
        return f"the folder {folder.name} is read-only"
    return ""
