"""Unified diffs of a plan, fit for `git apply`."""

import difflib
from collections.abc import Iterator

from interceptgen.plan import Plan, Step

__all__ = ["as_diff", "first_difference", "step_diff"]


def as_diff(plan: Plan) -> Iterator[str]:
    """Give the unified diff of what a run would do, line by line."""
    for step in plan.changes:
        yield from step_diff(step)


def step_diff(step: Step, *, reverse: bool = False) -> Iterator[str]:
    """Give the unified diff of one file.

    Args:
        step: The file as it is and as it would be.
        reverse: Show what a person did to it, and not what a run would do.
    """
    old, new = (step.after, step.before) if reverse else (step.before, step.after)
    for line in difflib.unified_diff(
        _lines(old),
        _lines(new),
        f"a/{step.path}" if old is not None else "/dev/null",
        f"b/{step.path}" if new is not None else "/dev/null",
    ):
        text, newline, _ = line.partition("\n")
        yield text
        if not newline:
            yield "\\ No newline at end of file"


def first_difference(step: Step) -> int:
    """Give the first line of a file that is not as a run would have it."""
    before, after = _lines(step.before), _lines(step.after)
    pairs = enumerate(zip(before, after, strict=False), 1)
    shared = min(len(before), len(after)) + 1
    return min(
        next((number for number, (old, new) in pairs if old != new), shared),
        max(len(before), 1),
    )


def _lines(data: bytes | None) -> list[str]:
    """Split at line feeds alone, as git does; a CRLF checkout is no difference."""
    text = (data or b"").replace(b"\r\n", b"\n").decode("utf-8", "replace")
    *whole, last = text.split("\n")
    return [f"{line}\n" for line in whole] + ([last] if last else [])
