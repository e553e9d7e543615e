"""A Plan for hooks that a person edited, all else being as the lock has it."""

from collections.abc import Mapping
from dataclasses import replace

from interceptgen.files import GrownModule
from interceptgen.lock import FileRecord
from interceptgen.merge import NoteKind
from interceptgen.plan.rules import Verdict, judge_edited, step_of
from interceptgen.plan.steps import Action, Plan, Step
from interceptgen.snapshot import Snapshot

__all__ = ["plan_edits"]

# What a person may do to a hook without anybody being told.
_QUIET = frozenset({NoteKind.EDITED, NoteKind.ABSENT})


def plan_edits(wanted: Mapping[str, GrownModule], snapshot: Snapshot) -> Plan | None:
    """Decide about edited hooks alone.

    Args:
        wanted: The class that the spec asks for, by path, for each file that
            isn't as the lock has it.
        snapshot: What is there, with the lock that a run over the same spec left.

    Returns:
        The plan that the whole spec would lead to, but for the steps that leave
        all other files alone. None where more than the lock would change,
        where something is to be told, or where it takes the spec to say.
    """
    lock, steps = snapshot.lock, list[Step]()
    if lock is None:
        return None
    for path, module in sorted(wanted.items()):
        disk, record = snapshot.files[path], lock.files[path]
        if disk is None:
            return None
        verdict = judge_edited(module, disk, record.item, record.stubs)
        if not _is_quiet(verdict, record):
            return None
        steps.append(step_of(path, disk, verdict))
    after = {step.path: step.record for step in steps if step.record is not None}
    left = replace(lock, files={**lock.files, **after})
    return Plan(steps=tuple(steps), lock=left, lock_is_stale=left != lock)


def _is_quiet(verdict: Verdict, record: FileRecord) -> bool:
    """Tell whether a file surely stays, and nothing is to be said of it."""
    if verdict.action is not Action.KEEP:
        return False
    if any(note.kind not in _QUIET for note in verdict.notes):
        return False
    # Without an edited hook it may be the emitted file again, which is the
    # tool's. An untouched one would have the recorded hash.
    return record.pristine or bool(verdict.notes)
