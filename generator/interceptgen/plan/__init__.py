"""SourceFiles and Snapshot to Plan: what would be done to each file, and why.

Pure: a plan can be printed, checked or applied, and says the same each time.
"""

from interceptgen.plan.dependencies import with_dependencies
from interceptgen.plan.editing import plan_edits
from interceptgen.plan.making import make_plan
from interceptgen.plan.steps import CHANGES, TOLD, Action, Plan, Step

__all__ = [
    "CHANGES",
    "TOLD",
    "Action",
    "Plan",
    "Step",
    "make_plan",
    "plan_edits",
    "with_dependencies",
]
