"""A plan for people, a line a file, and the same for programs."""

import json
from collections.abc import Iterator

from interceptgen.plan import Plan
from interceptgen.report.diff import step_diff
from interceptgen.report.findings import Finding, findings

__all__ = ["as_json", "as_lines", "conflict_lines"]


def as_lines(
    plan: Plan | None, *, done: bool = False, template: str | None = None
) -> Iterator[str]:
    """Tell what is not as the spec wants it, a line for each file and function.

    Args:
        plan: The plan; None for a project that is up to date.
        done: Whether it was applied: then its changes are no news, and what
            is left to do by hand is given in full.
        template: What is to be said of the template, if anything.
    """
    for found in findings(plan) if plan else ():
        if done and found.is_change:
            continue
        yield _line(found)
        if done:
            yield from (f"    {line}" for line in found.text.splitlines())
    if template:
        yield template


def _line(found: Finding) -> str:
    place = f"{found.path}:{found.line}" if found.line else found.path
    about = f"{found.function}: " if found.function else ""
    hint = f"; {found.hint}" if found.hint else ""
    return f"{found.state:9} {place}: {about}{found.reason}{hint}"


def as_json(plan: Plan | None, *, template: str | None = None) -> str:
    """Tell the same to a program.

    Args:
        plan: The plan; None for a project that is up to date.
        template: What is to be said of the template, if anything.
    """
    files = [] if plan is None else [_fields(found) for found in findings(plan)]
    told = {"template": template} if template else {}
    content = {"files": files, **told}
    return json.dumps(content, indent=1) if files or told else '{"files": []}'


def _fields(found: Finding) -> dict[str, str | int]:
    return {
        "path": found.path,
        "state": found.state.value,
        **({"line": found.line} if found.line else {}),
        **({"function": found.function} if found.function else {}),
        "reason": found.reason,
        "hint": found.hint,
    }


def conflict_lines(plan: Plan) -> Iterator[str]:
    """Tell why nothing was written: each edited file, its edit, the ways out."""
    for step in plan.conflicts:
        yield f"{step.path}: {step.reason}, so nothing was written"
        yield from (f"  {line}" for line in step_diff(step, reverse=True))
    paths = [step.path for step in plan.conflicts]
    yield "three ways on:"
    yield "  put the change into interceptors.yaml or into a hook, then discard it here"
    yield "  keep the file as yours:"
    yield from (f"    interceptgen fork {path}" for path in paths)
    yield "  discard the change:"
    yield "    interceptgen generate --force"
