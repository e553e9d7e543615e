"""The whole line from spec to disk, one call a stage: the file to read first."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from interceptgen.files import Owner
from interceptgen.fingerprint import inputs_digest
from interceptgen.lock import FileRecord, content_hash
from interceptgen.project import SPEC_NAME
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
        from interceptgen.plan import make_plan

        return make_plan(self.files, self.snapshot, inputs=self.inputs, force=force)


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
    if _is_current(root):
        return None
    # Imported here: a project that is current needs none of it.
    from interceptgen.write import apply, exclusive

    with exclusive(root):
        made = survey(root).plan(force=force)
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
    return None if _is_current(root, telling=True) else survey(root).plan()


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
        snapshot=read_snapshot(root, _paths(files), lock),
    )


def _paths(files: "Iterable[SourceFile]") -> "Iterator[str]":
    for file in files:
        yield file.path
        yield from (former.path for former in file.former)


def _is_current(root: Path, *, telling: bool = False) -> bool:
    """Tell from hashes alone that a run would do nothing.

    False means that it must be looked at, not that something is to be done.
    A file left out on purpose stops no run, but is to be told.
    """
    lock = read_lock(root)
    if lock is None or lock.inputs != inputs_digest(read_input(root / SPEC_NAME)):
        return False
    files = read_snapshot(root, (), lock).files
    return all(
        _is_left(files[path], record, telling=telling)
        for path, record in lock.files.items()
    )


def _is_left(disk: bytes | None, record: FileRecord, *, telling: bool) -> bool:
    if record.owner in {Owner.SEEDED, Owner.FORKED}:
        return disk is not None or not telling
    return disk is not None and content_hash(disk) == record.sha256
