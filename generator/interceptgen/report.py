"""What a plan says to a person, to a program, and as a diff."""

import difflib
import json
from collections.abc import Iterator

from interceptgen.plan import CHANGES, Action, Plan, Step

__all__ = ["as_diff", "as_json", "as_lines", "conflict_lines", "is_news"]

_STATES = {
    Action.REPLACE: ("stale", "run 'interceptgen generate'"),
    Action.GROW: ("stale", "run 'interceptgen generate'"),
    Action.DELETE: ("dropped", "run 'interceptgen generate'"),
    Action.ORPHAN: ("orphan", "delete it, or put it back into interceptors.yaml"),
    Action.CONFLICT: ("edited", "put the change into interceptors.yaml or a hook"),
    Action.LEFT_OUT: ("left out", ""),
}


def state(step: Step) -> tuple[str, str]:
    """Name the state that a step finds a file in, and the way out of it."""
    if step.action is Action.CREATE:
        found = "missing" if step.reason == "missing" else "stale"
        return found, "run 'interceptgen generate'"
    return _STATES.get(step.action, ("", ""))


def as_lines(plan: Plan, *, done: bool = False) -> Iterator[str]:
    """Tell what is not as the spec wants it, a line a file.

    Args:
        plan: The plan.
        done: Whether it was applied, so that its changes are no news.
    """
    for step in plan.steps:
        found, way_out = state(step)
        if found and not (done and step.action in CHANGES):
            yield _line(found, step.path, step.reason, way_out)
        for note in step.notes:
            if note.kind in _TOLD:
                place = f"{step.path}:{note.line}"
                yield _line(note.kind, place, note.method, note.reason)


def _line(found: str, place: str, reason: str, way_out: str) -> str:
    return f"{found:9} {place}: {reason}" + (f"; {way_out}" if way_out else "")


_TOLD = {"misfit", "orphan", "unseen"}


def conflict_lines(plan: Plan) -> Iterator[str]:
    """Tell why nothing was written: each edited file, its edit, the ways out."""
    for step in plan.conflicts:
        yield f"{step.path}: {step.reason}, so nothing was written"
        yield from (f"  {line}" for line in _diff(step, reverse=True))
    yield "put the change into interceptors.yaml or into a hook,"
    yield "or discard it: interceptgen generate --force"


def is_news(plan: Plan) -> bool:
    """Tell whether something is not as the spec wants it, short of on purpose."""
    states = (step.action for step in plan.steps)
    news = any(each not in {Action.KEEP, Action.LEFT_OUT} for each in states)
    notes = (note.kind for step in plan.steps for note in step.notes)
    return news or any(kind in _TOLD for kind in notes)


def as_json(plan: Plan) -> str:
    """Tell the same to a program."""
    files = [
        {"path": step.path, "state": found, "reason": step.reason, "hint": way_out}
        for step in plan.steps
        for found, way_out in [state(step)]
        if found
    ]
    return json.dumps({"files": files}, indent=1)


def as_diff(plan: Plan) -> Iterator[str]:
    """Give the unified diff of what a run would do."""
    for step in plan.changes:
        yield from _diff(step)


def _diff(step: Step, *, reverse: bool = False) -> Iterator[str]:
    sides = [(step.before, "a"), (step.after, "b")]
    (old, _), (new, _) = reversed(sides) if reverse else sides
    yield from difflib.unified_diff(
        _lines(old),
        _lines(new),
        f"a/{step.path}" if old is not None else "/dev/null",
        f"b/{step.path}" if new is not None else "/dev/null",
        lineterm="",
    )


def _lines(data: bytes | None) -> list[str]:
    return [] if data is None else data.decode("utf-8", "replace").splitlines()
