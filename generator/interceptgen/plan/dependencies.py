"""A Plan that also lets the project depend on what its recipes need."""

from dataclasses import replace

from interceptgen.plan.steps import Action, Plan, Step
from interceptgen.requirements import (
    PYPROJECT,
    missing_requirements,
    with_requirements,
)
from interceptgen.snapshot import Snapshot

__all__ = ["with_dependencies"]


def with_dependencies(
    plan: Plan, snapshot: Snapshot, requires: tuple[str, ...]
) -> Plan:
    """Add what is missing in pyproject.toml, which stays the user's.

    Args:
        plan: The plan for all else.
        snapshot: What is there, pyproject.toml included.
        requires: What the recipes of the spec need.
    """
    if plan.lock is None or not requires:
        return plan
    # The lock remembers it, for a check that doesn't read the spec.
    lock = replace(plan.lock, requires=requires)
    pyproject = snapshot.files.get(PYPROJECT)
    missing = missing_requirements(pyproject, requires)
    steps = plan.steps
    if pyproject is not None and missing:
        step = Step(
            action=Action.GROW,
            path=PYPROJECT,
            before=pyproject,
            after=with_requirements(pyproject, missing),
            reason=f"lacks {', '.join(missing)}",
        )
        steps = tuple(sorted((*steps, step), key=lambda each: each.path))
    return replace(plan, steps=steps, lock=lock, lock_is_stale=lock != snapshot.lock)
