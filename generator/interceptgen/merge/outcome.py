"""What the merge gives back: bytes, hashes, and notes as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Growth", "Note", "NoteKind", "Renamed", "Unseen"]


class NoteKind(StrEnum):
    """What happened to one method, or why nothing did."""

    INSERTED = "inserted"
    """The spec is new here: the method was put into the class."""
    REFRESHED = "refreshed"
    """Nobody had touched the stub: it follows the spec again."""
    REMOVED = "removed"
    """Nobody had touched the stub and the spec dropped it: it is gone."""
    EDITED = "edited"
    """The user's version: kept as it is."""
    MISFIT = "misfit"
    """The user's version: kept, but it can no longer be called."""
    ORPHAN = "orphan"
    """The user's version of what the spec dropped: kept, not wired."""
    ABSENT = "absent"
    """The user deleted the stub: it stays deleted."""
    UNSEEN = "unseen"
    """Not to be added safely: the text is for the user to place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One line of the report.

    Attributes:
        kind: What happened.
        method: The method's name; empty where the note is not about one.
        line: One-based line in the resulting file; for a removed method, in
            the file as it was.
        text: The source that goes with the kind: what was inserted, removed,
            is wanted, or is to be added by hand.
        reason: Why, in a few words; empty where the kind says it all.
    """

    kind: NoteKind
    method: str
    line: int
    text: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """A module after the merge.

    Attributes:
        data: The whole file; the very bytes given where nothing changed.
        stubs: What the lock has to record: method name to stub hash. The
            name `pass` stands for the placeholder of an emptied class.
        notes: What was done or left, kept methods in the spec's order first.
    """

    data: bytes
    stubs: Mapping[str, str]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed:
    """A module carried to a new name.

    Attributes:
        data: The whole file; the very bytes given where nothing changed.
        notes: Lines that still use the old name, for the user to look at.
    """

    data: bytes
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unseen:
    """Why a module can't be worked on.

    Attributes:
        reason: The cause in a few words.
        line: One-based line that shows it.
    """

    reason: str
    line: int = 1
