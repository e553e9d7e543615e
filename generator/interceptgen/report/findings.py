"""What is not as the spec wants it, as values: one for each file and function."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from interceptgen.files import Owner
from interceptgen.merge import Note, NoteKind
from interceptgen.plan import CHANGES, TOLD, Action, Plan, Step
from interceptgen.report.diff import first_difference

__all__ = ["Finding", "State", "findings", "hint", "is_news", "said"]

_GENERATE = "run 'interceptgen generate'"


class State(StrEnum):
    """The states that `check` tells apart."""

    STALE = "stale"
    """The spec, or interceptgen, is newer than the file."""
    EDITED = "edited"
    """A file of the tool holds what the tool did not write."""
    MISSING = "missing"
    """A file is gone that the service can't do without."""
    ORPHAN = "orphan"
    """The spec dropped what the user had edited; it stays, and isn't wired."""
    LEFT_OUT = "left out"
    """The user deleted a file on purpose."""
    MISFIT = "misfit"
    """A hook of the user can't be called as the spec has it."""
    UNSEEN = "unseen"
    """A hook can't be put into the user's file; that is left to the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is not as the spec wants it.

    Attributes:
        state: Which kind of thing.
        path: The file, relative to the project root.
        line: One-based line, for a hook in the file as a run leaves it; 0 for
            the whole file.
        function: The hook that it is about; empty for the whole file.
        reason: Why it is so, in a few words.
        hint: What mends it; may be empty.
        text: Source to be added by hand; mostly empty.
        is_change: Whether a run mends it.
    """

    state: State
    path: str
    line: int = 0
    function: str = ""
    reason: str
    hint: str
    text: str = ""
    is_change: bool = False


def findings(plan: Plan) -> Iterator[Finding]:
    """Tell what is not as the spec wants it, in the order of the paths."""
    for step in plan.steps:
        found = _of_file(step)
        if found is not None:
            yield found
        yield from (_of_note(step, note) for note in step.notes if note.kind in TOLD)


def is_news(plan: Plan) -> bool:
    """Tell whether something is not as the spec wants it, short of on purpose."""
    return any(found.state is not State.LEFT_OUT for found in findings(plan))


def said(reason: str) -> str:
    """Put a plan's reason into words that stand alone."""
    return _SAID.get(reason, reason)


_SAID = {
    "stale": "older than the spec or interceptgen",
    "new": "new in the spec",
    "missing": "it was written, and is gone",
    "gains what the spec adds": "the spec changed its hooks",
}


def _of_file(step: Step) -> Finding | None:
    state = _STATES.get(step.action)
    if state is None:
        return None
    if step.action is Action.CREATE and step.reason == "missing":
        state = State.MISSING
    return Finding(
        state=state,
        path=step.path,
        line=first_difference(step) if state is State.EDITED else 0,
        reason=said(step.reason),
        hint=hint(step),
        is_change=step.action in CHANGES,
    )


_STATES = {
    Action.CREATE: State.STALE,
    Action.REPLACE: State.STALE,
    Action.GROW: State.STALE,
    Action.DELETE: State.STALE,
    Action.ORPHAN: State.ORPHAN,
    Action.CONFLICT: State.EDITED,
    Action.LEFT_OUT: State.LEFT_OUT,
}


def hint(step: Step) -> str:
    """Tell what mends the state in which a step finds its file."""
    match step.action:
        case Action.ORPHAN:
            return "delete it, or put it back into interceptors.yaml"
        case Action.CONFLICT:
            return (
                "put the change into interceptors.yaml or a hook, or run "
                f"'interceptgen fork {step.path}' to keep it, or "
                "'interceptgen generate --force' to discard it"
            )
        case Action.LEFT_OUT if step.record and step.record.owner is Owner.FORKED:
            return f"'interceptgen unfork {step.path}' brings it back"
        case Action.LEFT_OUT:
            return "to have it again, take its entry out of interceptgen.lock"
        case _:
            return _GENERATE


def _of_note(step: Step, note: Note) -> Finding:
    state, reason, mend = _NOTES[note.kind]
    return Finding(
        state=state,
        path=step.path,
        line=note.line,
        function=note.method,
        reason=note.reason or reason,
        hint=mend if note.method else "see to it by hand",
        text=note.text if state is State.UNSEEN else "",
    )


_NOTES = {
    NoteKind.MISFIT: (
        State.MISFIT,
        "it can't be called as the spec has it",
        "give it the parameters of its contract",
    ),
    NoteKind.ORPHAN: (
        State.ORPHAN,
        "no longer in the spec, but edited",
        "delete it, or put the hook back into interceptors.yaml",
    ),
    NoteKind.UNSEEN: (
        State.UNSEEN,
        "it can't be put here safely",
        "add it by hand; 'interceptgen explain' prints it",
    ),
}
