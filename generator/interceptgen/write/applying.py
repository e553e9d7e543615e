"""The order in which a plan becomes files."""

from pathlib import Path

from interceptgen.plan import Plan
from interceptgen.write.preflight import require_room, require_sound
from interceptgen.write.replacing import put_in_place
from interceptgen.write.staging import discard, drop_content, make_stage

__all__ = ["apply"]


def apply(plan: Plan, root: Path) -> None:
    """Write what the plan says, and the lock; without a lock, remove it.

    To be called by one run at a time: see `exclusive`.

    Args:
        plan: A plan without conflicts.
        root: The project's folder.

    Raises:
        WriteError: If the system refuses, or a file is not as the plan found
            it. Nothing is written then, or what was put in place stays, and a
            later run goes on from there.
    """
    root = root.resolve()
    require_sound(plan)
    require_room(plan, root)
    stage = make_stage(plan, root)
    try:
        put_in_place(plan, stage, root)
    except KeyboardInterrupt:
        # It takes an instant; half a run would help nobody.
        put_in_place(plan, stage, root)
        discard(stage)
        raise
    except BaseException:
        drop_content(stage)
        raise
    discard(stage)
