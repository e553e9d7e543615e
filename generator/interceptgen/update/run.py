"""The course of an update: merge, generate, check; or everything as it was."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from interceptgen import pipeline
from interceptgen.baseline import (
    ANSWERS_NAME,
    RECORD_NAME,
    format_baseline,
)
from interceptgen.errors import UserError
from interceptgen.lock import LOCK_NAME
from interceptgen.update.journal import Journal, put, remove
from interceptgen.update.merging import CHANGES, Merge, Result, merge_all
from interceptgen.update.repository import has_markers, require_clean, state_folder
from interceptgen.update.sides import Sides, read_sides

if TYPE_CHECKING:
    from interceptgen.plan import Plan

__all__ = ["Outcome", "UpdateError", "abort", "begin", "resume"]

_UNDONE = "the update was undone: every file is as it was"


class UpdateError(UserError):
    """The update can't be begun or finished; the message tells why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an update did.

    Attributes:
        merges: What became of the template's files.
        conflicts: The files that a person has to solve; then it isn't finished.
        generated: What was generated; None for nothing.
        left: What a check finds afterwards; None for nothing.
        blocked: What can't be generated, for files were edited by hand; then
            nothing is done, or it isn't finished.
        note: Something that a person should know; empty for nothing.
    """

    merges: tuple[Merge, ...] = ()
    conflicts: tuple[str, ...] = ()
    generated: "Plan | None" = None
    left: "Plan | None" = None
    blocked: "Plan | None" = None
    note: str = ""


def begin(
    root: Path,
    *,
    data: Mapping[str, str],
    ref: str | None = None,
    interactive: bool = False,
) -> Outcome:
    """Bring a service to its template's present state, and generate.

    Args:
        root: The service's folder, all of it committed.
        data: Answers that change, as written on a command line.
        ref: The template's commit or tag; None for its last tag.
        interactive: There is a person who can be asked what is new.

    Returns:
        What was done. With conflicts it is to be resumed or aborted.

    Raises:
        UserError: It can't be done; every file is as it was.
    """
    journal = Journal(state_folder(root), root)
    if journal.exists:
        raise UpdateError("an update is under way: --continue or --abort it")
    require_clean(root)
    if blocked := _blocked(root):
        return Outcome(blocked=blocked)
    sides = read_sides(root, data=data, ref=ref, interactive=interactive)
    merges = _decide(root, sides)
    with _undone_on_failure(journal):
        _write(root, journal, sides, merges)
        conflicts = {
            one.path: one.dividers for one in merges if one.result is Result.CONFLICT
        }
        journal.mark(conflicts)
        if conflicts:
            return Outcome(merges=merges, conflicts=tuple(conflicts))
        generated, left = _finish(root, journal)
    journal.close()
    return Outcome(merges=merges, generated=generated, left=left, note=_note(sides))


def resume(root: Path) -> Outcome:
    """Finish an update whose conflicts a person has solved.

    Raises:
        UserError: Nothing is under way, a marker is left, or it can't be
            generated. What was solved stays; it can be resumed again.
    """
    journal = Journal(state_folder(root), root)
    marked = tuple(
        path
        for path, dividers in journal.conflicts.items()
        if (root / path).is_file() and has_markers((root / path).read_bytes(), dividers)
    )
    if marked:
        return Outcome(conflicts=marked)
    if blocked := _blocked(root):
        return Outcome(blocked=blocked)
    generated, left = _finish(root, journal)
    journal.close()
    return Outcome(generated=generated, left=left)


def abort(root: Path) -> None:
    """Put back every file that an update under way has touched.

    Raises:
        UserError: Nothing is under way.
    """
    Journal(state_folder(root), root).restore()


def _decide(root: Path, sides: Sides) -> tuple[Merge, ...]:
    paths = {*sides.now, *(sides.before or ())}
    special = {path for path in paths if _is_special(root, path)}
    yours = {path: None if path in special else _content(root / path) for path in paths}
    return merge_all(yours, sides.before, sides.now, special=special)


def _is_special(root: Path, path: str) -> bool:
    place = root / path
    within = [place, *(root / parent for parent in Path(path).parents)][:-1]
    blocked = any(folder.is_file() for folder in within[1:])
    return blocked or place.is_dir() or any(part.is_symlink() for part in within)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _write(
    root: Path, journal: Journal, sides: Sides, merges: tuple[Merge, ...]
) -> None:
    changes = [one for one in merges if one.result in CHANGES]
    journal.save([*(one.path for one in changes), ANSWERS_NAME, RECORD_NAME])
    for change in changes:
        if change.text is None:
            remove(root, change.path)
        else:
            put(root / change.path, change.text)
    put(root / ANSWERS_NAME, sides.answers)
    put(root / RECORD_NAME, format_baseline(sides.baseline).encode())


def _finish(root: Path, journal: Journal) -> "tuple[Plan | None, Plan | None]":
    """Generate, with an undo, and check."""
    planned = pipeline.check(root)
    steps = planned.changes if planned else ()
    journal.save([*(step.path for step in steps), LOCK_NAME])
    generated = pipeline.generate(root)
    if generated is not None and generated.conflicts:
        raise UpdateError("a generated file was edited just now")
    return generated, pipeline.check(root)


def _blocked(root: Path) -> "Plan | None":
    """Give the plan if files that were edited by hand stop it."""
    planned = pipeline.check(root)
    return planned if planned and planned.conflicts else None


def _note(sides: Sides) -> str:
    if sides.baseline.template:
        return ""
    return (
        f"the template at {sides.baseline.commit} is not the one of this interceptgen: "
        "generate with the interceptgen of that version"
    )


@contextmanager
def _undone_on_failure(journal: Journal) -> Generator[None, None, None]:
    """Open a journal; put everything back if the body fails or is stopped."""
    try:
        journal.open()
    except OSError as error:
        raise UpdateError(f"the update can't be begun: {error}") from error
    try:
        yield
    except BaseException as error:
        journal.restore()
        if isinstance(error, UserError):
            raise UpdateError(f"{error}\n{_UNDONE}") from error
        if isinstance(error, KeyboardInterrupt):
            raise UpdateError(f"stopped; {_UNDONE}") from error
        raise
