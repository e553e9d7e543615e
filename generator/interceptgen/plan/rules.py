"""What becomes of one file, by its owner; the whole promise stands here."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from interceptgen.files import GrownModule, Owner, SourceFile
from interceptgen.lock import FileRecord, content_hash
from interceptgen.merge import Note, grow, stub_hash
from interceptgen.plan.steps import Action, Step

__all__ = ["Verdict", "judge", "judge_dropped", "judge_edited", "step_of"]


class Verdict(NamedTuple):
    """What is done to a file.

    Attributes:
        action: What is done.
        after: What stands there afterwards; None for no file.
        reason: Why, in a few words.
        record: What the lock says of it afterwards; None for nothing.
        notes: What was done or left inside a grown file.
    """

    action: Action
    after: bytes | None
    reason: str
    record: FileRecord | None
    notes: tuple[Note, ...] = ()


def judge(file: SourceFile, disk: bytes | None, record: FileRecord | None) -> Verdict:
    """Decide about a file that the spec asks for.

    Args:
        file: What the spec asks for.
        disk: What stands there; None for no file.
        record: What the last run left there; None if it left nothing.
    """
    if record is not None and record.owner is Owner.FORKED:
        return _forked(disk, record)
    return _RULES[file.owner](file, disk, record)


def judge_dropped(disk: bytes | None, record: FileRecord) -> Verdict:
    """Decide about a file that the spec no longer asks for."""
    if disk is None:
        return Verdict(Action.KEEP, None, "gone", None)
    if record.owner is Owner.FORKED:
        reason = "no longer in the spec, but forked"
        return Verdict(Action.ORPHAN, disk, reason, record)
    if _is_pristine(disk, record):
        return Verdict(Action.DELETE, None, "no longer in the spec", None)
    if record.owner is Owner.TOOL:
        reason = "edited by hand, and no longer in the spec"
        return Verdict(Action.CONFLICT, None, reason, None)
    reason = "no longer in the spec, but edited"
    return Verdict(Action.ORPHAN, disk, reason, record)


def step_of(path: str, before: bytes | None, verdict: Verdict) -> Step:
    """Say of a path what was decided."""
    return Step(
        action=verdict.action,
        path=path,
        before=before,
        after=verdict.after,
        reason=verdict.reason,
        notes=verdict.notes,
        record=verdict.record,
    )


def judge_edited(
    wanted: GrownModule, disk: bytes, item: str, recorded: Mapping[str, str]
) -> Verdict:
    """Decide about a grown file that isn't all the tool's.

    Args:
        wanted: The class that the spec asks for.
        disk: What stands there.
        item: The spec item that it comes from.
        recorded: The hash of each method as the tool last emitted it.
    """
    growth = grow(disk, wanted, recorded)
    left = FileRecord(
        owner=Owner.GROWN,
        item=item,
        sha256=content_hash(growth.data),
        pristine=False,
        stubs=growth.stubs,
    )
    if growth.data == disk:
        return Verdict(Action.KEEP, disk, "yours", left, growth.notes)
    reason = "gains what the spec adds"
    return Verdict(Action.GROW, growth.data, reason, left, growth.notes)


def _tool(file: SourceFile, disk: bytes | None, record: FileRecord | None) -> Verdict:
    after = file.text.encode()
    fresh = _record(file, after)
    if disk is None:
        return Verdict(Action.CREATE, after, _new_or_missing(record), fresh)
    if _same(disk, after):
        return Verdict(Action.KEEP, disk, "up to date", fresh)
    if record is None:
        return Verdict(Action.CONFLICT, after, "not written by interceptgen", fresh)
    if content_hash(disk) == record.sha256:
        return Verdict(Action.REPLACE, after, "stale", fresh)
    return Verdict(Action.CONFLICT, after, "edited by hand", fresh)


def _seeded(file: SourceFile, disk: bytes | None, record: FileRecord | None) -> Verdict:
    after = file.text.encode()
    if disk is None and record is None:
        return Verdict(Action.CREATE, after, "new", _record(file, after))
    if disk is None:
        return Verdict(Action.LEFT_OUT, None, "deleted on purpose", record)
    if _same(disk, after):
        return Verdict(Action.KEEP, disk, "up to date", _record(file, after))
    if record is not None and _is_pristine(disk, record):
        # Nobody has written it but the tool: its next words are no harm.
        return Verdict(Action.REPLACE, after, "stale", _record(file, after))
    adopted = _record(file, after, pristine=False)
    return Verdict(Action.KEEP, disk, "yours", record or adopted)


def _grown(file: SourceFile, disk: bytes | None, record: FileRecord | None) -> Verdict:
    after = file.text.encode()
    fresh = _record(file, after)
    if disk is None:
        return Verdict(Action.CREATE, after, _new_or_missing(record), fresh)
    if _same(disk, after):
        return Verdict(Action.KEEP, disk, "up to date", fresh)
    if record is not None and _is_pristine(disk, record):
        return Verdict(Action.REPLACE, after, "stale", fresh)
    if file.grown is None:
        message = f"{file.path} is grown, but has no class"
        raise ValueError(message)
    recorded: Mapping[str, str] = record.stubs if record else {}
    verdict = judge_edited(file.grown, disk, file.item, recorded)
    if verdict.after is not None and _same(verdict.after, after):
        # The user's parts of it were the tool's own words.
        return verdict._replace(record=fresh)
    return verdict


def _forked(disk: bytes | None, record: FileRecord) -> Verdict:
    if disk is None:
        return Verdict(Action.LEFT_OUT, None, "deleted on purpose", record)
    return Verdict(Action.KEEP, disk, "forked: yours", record)


_Rule: TypeAlias = Callable[[SourceFile, bytes | None, FileRecord | None], Verdict]
_RULES: Mapping[Owner, _Rule] = {
    Owner.TOOL: _tool,
    Owner.SEEDED: _seeded,
    Owner.GROWN: _grown,
}


def _new_or_missing(record: FileRecord | None) -> str:
    return "new" if record is None else "missing"


def _record(file: SourceFile, content: bytes, *, pristine: bool = True) -> FileRecord:
    stubs = file.grown.stubs if file.grown else ()
    return FileRecord(
        owner=file.owner,
        item=file.item,
        sha256=content_hash(content),
        pristine=pristine,
        stubs={stub.name: stub_hash(stub.text) for stub in stubs},
    )


def _is_pristine(disk: bytes, record: FileRecord) -> bool:
    return record.pristine and content_hash(disk) == record.sha256


def _same(left: bytes, right: bytes) -> bool:
    return content_hash(left) == content_hash(right)
