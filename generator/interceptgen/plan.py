"""SourceFiles and Snapshot to Plan: what would be done to each file, and why.

Pure: the plan can be printed, checked or applied, and says the same each time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from interceptgen.files import Owner, SourceFile
from interceptgen.lock import FileRecord, Lock, content_hash
from interceptgen.merge import Growth, Note, grow, stub_hash
from interceptgen.snapshot import Snapshot

__all__ = ["CHANGES", "Action", "Plan", "Step", "make_plan"]


class Action(StrEnum):
    """What a run does with a file."""

    CREATE = "create"
    REPLACE = "replace"
    GROW = "grow"
    DELETE = "delete"
    KEEP = "keep"
    LEFT_OUT = "left out"
    """The user deleted a seeded file; it stays deleted."""
    ORPHAN = "orphan"
    """The spec dropped a file that the user edited; it stays."""
    CONFLICT = "conflict"
    """The tool's own file was edited by hand; nothing is written."""


CHANGES = frozenset({Action.CREATE, Action.REPLACE, Action.GROW, Action.DELETE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One file of a plan.

    Attributes:
        action: What is done.
        path: POSIX path relative to the project root.
        before: What stands there now; None for no file.
        after: What stands there afterwards; None for no file.
        reason: Why, in a few words.
        notes: What was done or left inside a grown file, one line each.
        record: What the lock says of it afterwards; None for nothing.
    """

    action: Action
    path: str
    before: bytes | None
    after: bytes | None
    reason: str
    notes: tuple[Note, ...] = ()
    record: FileRecord | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run does.

    Attributes:
        steps: One for each file, sorted by path.
        lock: The lock afterwards.
        lock_is_stale: Whether the lock on disk says something else of a file.
    """

    steps: tuple[Step, ...]
    lock: Lock
    lock_is_stale: bool

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that write or delete."""
        return tuple(step for step in self.steps if step.action in CHANGES)

    @property
    def conflicts(self) -> tuple[Step, ...]:
        """The steps that stop the run."""
        return tuple(step for step in self.steps if step.action is Action.CONFLICT)


def make_plan(
    files: Iterable[SourceFile], snapshot: Snapshot, *, inputs: str, force: bool = False
) -> Plan:
    """Decide what to do with each file.

    Args:
        files: What the spec asks for.
        snapshot: What is there.
        inputs: Digest of the spec and the generator, for the lock.
        force: Replace the tool's files even where they were edited by hand.
    """
    records = snapshot.lock.files if snapshot.lock else {}
    wanted = {file.path: file for file in files}
    steps = [
        _STEP[file.owner](file, snapshot.files[path], records.get(path))
        for path, file in wanted.items()
    ]
    steps += [
        _dropped(path, snapshot.files[path], record)
        for path, record in records.items()
        if path not in wanted
    ]
    if force:
        steps = [_forced(step) for step in steps]
    steps.sort(key=lambda step: step.path)
    after = {step.path: step.record for step in steps if step.record is not None}
    return Plan(
        steps=tuple(steps),
        lock=Lock(inputs=inputs, files=after),
        lock_is_stale=snapshot.lock is None or dict(records) != after,
    )


def _tool(file: SourceFile, disk: bytes | None, record: FileRecord | None) -> Step:
    after = file.text.encode()
    kept = _record(file, after)
    if disk is None:
        reason = "new" if record is None else "missing"
        return Step(
            action=Action.CREATE,
            path=file.path,
            before=disk,
            after=after,
            reason=reason,
            record=kept,
        )
    if _same(disk, after):
        return Step(
            action=Action.KEEP,
            path=file.path,
            before=disk,
            after=disk,
            reason="up to date",
            record=kept,
        )
    if record is not None and content_hash(disk) == record.sha256:
        return Step(
            action=Action.REPLACE,
            path=file.path,
            before=disk,
            after=after,
            reason="stale",
            record=kept,
        )
    reason = "edited by hand" if record is not None else "not written by interceptgen"
    return Step(
        action=Action.CONFLICT,
        path=file.path,
        before=disk,
        after=after,
        reason=reason,
        record=kept,
    )


def _seeded(file: SourceFile, disk: bytes | None, record: FileRecord | None) -> Step:
    after = file.text.encode()
    if disk is None and record is None:
        kept = _record(file, after)
        return Step(
            action=Action.CREATE,
            path=file.path,
            before=None,
            after=after,
            reason="new",
            record=kept,
        )
    if disk is None:
        reason = "deleted on purpose"
        return Step(
            action=Action.LEFT_OUT,
            path=file.path,
            before=None,
            after=None,
            reason=reason,
            record=record,
        )
    adopted = _record(file, after, pristine=_same(disk, after))
    return Step(
        action=Action.KEEP,
        path=file.path,
        before=disk,
        after=disk,
        reason="yours",
        record=record or adopted,
    )


def _grown(file: SourceFile, disk: bytes | None, record: FileRecord | None) -> Step:
    after = file.text.encode()
    fresh = _record(file, after)
    if disk is None:
        reason = "new" if record is None else "missing"
        return Step(
            action=Action.CREATE,
            path=file.path,
            before=None,
            after=after,
            reason=reason,
            record=fresh,
        )
    if _same(disk, after):
        return Step(
            action=Action.KEEP,
            path=file.path,
            before=disk,
            after=disk,
            reason="up to date",
            record=fresh,
        )
    if record is not None and _is_pristine(disk, record):
        return Step(
            action=Action.REPLACE,
            path=file.path,
            before=disk,
            after=after,
            reason="stale",
            record=fresh,
        )
    assert file.grown is not None, file.path
    growth = grow(disk, file.grown, record.stubs if record else {})
    return _merged(file, disk, growth)


def _merged(file: SourceFile, disk: bytes, growth: Growth) -> Step:
    record = FileRecord(
        owner=file.owner,
        item=file.item,
        sha256=content_hash(growth.data),
        pristine=False,
        stubs=growth.stubs,
    )
    grown = growth.data != disk
    return Step(
        action=Action.GROW if grown else Action.KEEP,
        path=file.path,
        before=disk,
        after=growth.data,
        reason="gains what the spec adds" if grown else "yours",
        notes=growth.notes,
        record=record,
    )


def _dropped(path: str, disk: bytes | None, record: FileRecord) -> Step:
    if disk is None:
        return Step(
            action=Action.KEEP,
            path=path,
            before=None,
            after=None,
            reason="gone",
            record=None,
        )
    if _is_pristine(disk, record):
        return Step(
            action=Action.DELETE,
            path=path,
            before=disk,
            after=None,
            reason="no longer in the spec",
            record=None,
        )
    if record.owner is Owner.TOOL:
        reason = "edited by hand, and no longer in the spec"
        return Step(
            action=Action.CONFLICT,
            path=path,
            before=disk,
            after=None,
            reason=reason,
            record=None,
        )
    reason = "no longer in the spec, but edited"
    return Step(
        action=Action.ORPHAN,
        path=path,
        before=disk,
        after=disk,
        reason=reason,
        record=record,
    )


_STEP = {Owner.TOOL: _tool, Owner.SEEDED: _seeded, Owner.GROWN: _grown}


def _forced(step: Step) -> Step:
    if step.action is not Action.CONFLICT:
        return step
    action = Action.DELETE if step.after is None else Action.REPLACE
    return replace(step, action=action, reason=f"{step.reason}; forced")


def _record(file: SourceFile, content: bytes, *, pristine: bool = True) -> FileRecord:
    return FileRecord(
        owner=file.owner,
        item=file.item,
        sha256=content_hash(content),
        pristine=pristine,
        stubs=_stub_hashes(file),
    )


def _stub_hashes(file: SourceFile) -> Mapping[str, str]:
    stubs = file.grown.stubs if file.grown else ()
    return {stub.name: stub_hash(stub.text) for stub in stubs}


def _is_pristine(disk: bytes, record: FileRecord) -> bool:
    return record.pristine and content_hash(disk) == record.sha256


def _same(left: bytes, right: bytes) -> bool:
    return content_hash(left) == content_hash(right)
