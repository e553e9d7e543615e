"""The plan as data: what is done to each file, and why."""

from dataclasses import dataclass
from enum import StrEnum

from interceptgen.lock import FileRecord, Lock
from interceptgen.merge import Note, NoteKind

__all__ = ["CHANGES", "TOLD", "Action", "Plan", "Step"]


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
"""What a run writes."""
TOLD = frozenset({NoteKind.MISFIT, NoteKind.ORPHAN, NoteKind.UNSEEN})
"""What is not as the spec wants it inside a file, and only a person can mend."""


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
        lock: The lock afterwards; None to remove it, last of all.
        lock_is_stale: Whether the lock on disk says something else.
    """

    steps: tuple[Step, ...]
    lock: Lock | None
    lock_is_stale: bool

    @property
    def changes(self) -> tuple[Step, ...]:
        """The steps that write or delete."""
        return tuple(step for step in self.steps if step.action in CHANGES)

    @property
    def conflicts(self) -> tuple[Step, ...]:
        """The steps that stop the run."""
        return tuple(step for step in self.steps if step.action is Action.CONFLICT)
