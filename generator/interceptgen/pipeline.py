"""The whole line from spec to disk, one call a stage: the file to read first."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from interceptgen.fingerprint import inputs_digest
from interceptgen.project import SPEC_NAME
from interceptgen.requirements import PYPROJECT, missing_requirements
from interceptgen.shortcut import is_current
from interceptgen.snapshot import (
    Snapshot,
    left_stages,
    read_input,
    read_lock,
    read_snapshot,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from interceptgen.files import SourceFile
    from interceptgen.plan import Plan
    from interceptgen.service import Service

__all__ = ["Survey", "check", "generate", "read_service", "survey"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """A project as its spec wants it, and as it is.

    Attributes:
        inputs: Digest of the spec and the generator.
        service: What the spec says.
        files: What the spec asks for.
        snapshot: What is there.
    """

    inputs: str
    service: "Service"
    files: "tuple[SourceFile, ...]"
    snapshot: Snapshot

    def plan(self, *, force: bool = False) -> "Plan":
        """Decide what a run would do."""
        from interceptgen.plan import make_plan, with_dependencies

        made = make_plan(self.files, self.snapshot, inputs=self.inputs, force=force)
        return with_dependencies(made, self.snapshot, self.service.requires)


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
        ReadError: If a file can't be read; nothing is written.
        BusyError: If another run takes too long; nothing is written.
        WriteError: If the disk refuses.
    """
    seen = _recorded(root)
    if seen is not None and is_current(seen):
        return None
    # Imported here: a project that is current needs none of it.
    from interceptgen.write import apply, exclusive

    with exclusive(root):
        made = _plan(root, seen, force=force)
        todo = made.changes or made.lock_is_stale or left_stages(root)
        if todo and not made.conflicts:
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
    seen = _recorded(root)
    if seen is not None and is_current(seen, telling=True):
        return None
    return _plan(root, seen)


def read_service(label: str, data: bytes) -> "Service":
    """Tell what the bytes of a spec say.

    Args:
        label: The file's name as messages are to give it.
        data: The spec.

    Raises:
        SpecError: If the spec has problems.
    """
    from interceptgen.lower import lower
    from interceptgen.spec.loader import load_spec

    return lower(load_spec(label, data))


def survey(root: Path) -> Survey:
    """Read a project, and print what its spec asks for.

    Raises:
        SpecError: If the spec has problems.
        LockError: If the lock can't be used.
    """
    # Imported here: a project that is current needs none of it.
    from interceptgen.render import render

    lock = read_lock(root)
    data = read_input(root / SPEC_NAME)
    service = read_service(SPEC_NAME, data)
    files = render(service)
    return Survey(
        inputs=inputs_digest(data),
        service=service,
        files=files,
        snapshot=read_snapshot(root, (*_paths(files), PYPROJECT), lock),
    )


def _recorded(root: Path) -> Snapshot | None:
    """Read a project if its spec and its generator are those of the last run.

    One that lost a requirement of its recipes has to be looked at as well.
    """
    lock = read_lock(root)
    if lock is None or lock.inputs != inputs_digest(read_input(root / SPEC_NAME)):
        return None
    if lock.requires:
        seen = read_snapshot(root, (PYPROJECT,), lock)
        missing = missing_requirements(seen.files[PYPROJECT], lock.requires)
        return None if missing else seen
    return read_snapshot(root, (), lock)


def _plan(root: Path, seen: Snapshot | None, *, force: bool = False) -> "Plan":
    """Decide what a run would do, from the spec unless that can be spared."""
    # Another run may have been at work meanwhile: that shows in the lock.
    if seen is not None and seen.lock == read_lock(root):
        # Imported here: a project that is current needs none of it.
        from interceptgen.edited import plan_edited

        known = plan_edited(seen)
        if known is not None:
            return known
    return survey(root).plan(force=force)


def _paths(files: "Iterable[SourceFile]") -> "Iterator[str]":
    for file in files:
        yield file.path
        yield from (former.path for former in file.former)
