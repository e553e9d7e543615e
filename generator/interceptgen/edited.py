"""What a run does where a person only wrote in hooks, the spec unread.

With the spec and the generator as they were, all else is as the spec asks. In any
doubt nothing is told here, and the spec is read.
"""

from interceptgen.contract import contract_path, wanted_class
from interceptgen.files import GrownModule, Owner
from interceptgen.plan import Plan, plan_edits
from interceptgen.shortcut import differing
from interceptgen.snapshot import Snapshot

__all__ = ["plan_edited"]


def plan_edited(seen: Snapshot) -> Plan | None:
    """Decide what a run would do.

    Args:
        seen: A project whose spec and generator are those of the last run.

    Returns:
        A plan that leaves the same files and the same lock as the spec's would,
        and says the same. None if it takes the spec to decide.
    """
    paths = differing(seen, telling=True)
    if any(seen.records[path].owner is not Owner.GROWN for path in paths):
        return None
    wanted = {path: _wanted(path, seen) for path in paths}
    known = {path: module for path, module in wanted.items() if module is not None}
    return plan_edits(known, seen) if known == wanted else None


def _wanted(path: str, seen: Snapshot) -> GrownModule | None:
    """Give the class that the spec asks for at a path, if it can be told."""
    beside = contract_path(path)
    record, contract = seen.records.get(beside), seen.files.get(beside)
    # A forked one is the user's to change.
    if record is None or record.owner is not Owner.TOOL or contract is None:
        return None
    return wanted_class(path, contract)
