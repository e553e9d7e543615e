"""A whole plan: its steps, its lock, and when there is nothing to write."""

from collections.abc import Mapping

import pytest

from interceptgen.files import Owner, SourceFile
from interceptgen.lock import FileRecord, Lock, content_hash
from interceptgen.plan import Action, Plan, make_plan
from interceptgen.snapshot import Snapshot

OLD, EDITED = b"old\n", b"edited\n"


def file(path: str, owner: Owner = Owner.TOOL) -> SourceFile:
    return SourceFile(path=path, text="new\n", owner=owner, item="service")


def record(owner: Owner = Owner.TOOL, item: str = "service") -> FileRecord:
    return FileRecord(owner=owner, item=item, sha256=content_hash(OLD))


def planned(
    disk: Mapping[str, bytes | None],
    records: Mapping[str, FileRecord] | None,
    *files: SourceFile,
    force: bool = False,
    inputs: str = "in",
) -> Plan:
    lock = None if records is None else Lock(inputs="in", files=records)
    snapshot = Snapshot(files=disk, lock=lock)
    return make_plan(files, snapshot, inputs=inputs, force=force)


def actions(made: Plan) -> dict[str, Action]:
    return {step.path: step.action for step in made.steps}


def test_the_plan_of_nothing() -> None:
    made = planned({}, {})
    assert made == Plan(steps=(), lock=Lock(inputs="in", files={}), lock_is_stale=False)


def test_no_lock_is_written_anew() -> None:
    assert planned({}, None).lock_is_stale


def test_a_lock_of_other_inputs_is_written_anew() -> None:
    """Else hashes alone would never again tell that nothing is to be done."""
    assert planned({}, {}, inputs="other").lock_is_stale


def test_steps_are_sorted_and_the_lock_has_what_stays() -> None:
    made = planned(
        {"b": None, "a": OLD, "c": OLD}, {"c": record(), "a": record()},
        file("b"), file("a"),
    )  # fmt: skip
    assert actions(made) == {
        "a": Action.REPLACE,
        "b": Action.CREATE,
        "c": Action.DELETE,
    }
    assert [step.path for step in made.steps] == ["a", "b", "c"]
    assert made.lock is not None
    assert sorted(made.lock.files) == ["a", "b"]
    assert [(step.before, step.after) for step in made.changes] == [
        (OLD, b"new\n"),
        (None, b"new\n"),
        (OLD, None),
    ]
    assert made.conflicts == ()
    assert made.lock_is_stale


@pytest.mark.parametrize(
    ("wants", "forced"), [(True, Action.REPLACE), (False, Action.DELETE)]
)
def test_force_discards_an_edit_of_the_tools_file(
    *, wants: bool, forced: Action
) -> None:
    files = [file("a")] if wants else []
    made = planned({"a": EDITED}, {"a": record()}, *files)
    assert actions(made) == {"a": Action.CONFLICT}
    assert made.conflicts == made.steps
    assert made.changes == ()
    made = planned({"a": EDITED}, {"a": record()}, *files, force=True)
    assert actions(made) == {"a": forced}
    assert made.steps[0].reason.endswith("; forced")


@pytest.mark.parametrize("owner", [Owner.SEEDED, Owner.FORKED])
def test_force_touches_no_file_of_the_users(owner: Owner) -> None:
    made = planned(
        {"a": EDITED, "b": EDITED}, {"a": record(owner), "b": record(owner)},
        file("a", Owner.SEEDED), force=True,
    )  # fmt: skip
    assert actions(made) == {"a": Action.KEEP, "b": Action.ORPHAN}
    assert made.changes == ()


@pytest.mark.parametrize(
    ("owner", "contract"),
    [(Owner.SEEDED, Action.KEEP), (Owner.FORKED, Action.DELETE)],
)
def test_what_an_orphan_imports_stays(owner: Owner, contract: Action) -> None:
    of = "interceptors.x"
    records = {
        "hook": record(owner, of),
        "contract": record(Owner.TOOL, of),
        "other": record(Owner.TOOL, "interceptors.y"),
        "seed": record(Owner.SEEDED, of),
    }
    disk = {"hook": EDITED, "contract": OLD, "other": OLD, "seed": OLD}
    made = planned(disk, records)
    assert actions(made) == {
        "contract": contract,
        "hook": Action.ORPHAN,
        "other": Action.DELETE,
        "seed": Action.DELETE,
    }


def test_while_an_orphan_is_there_hashes_alone_end_no_check() -> None:
    made = planned({"a": EDITED}, {"a": record(Owner.SEEDED)})
    assert made.lock == Lock(inputs="", files={"a": record(Owner.SEEDED)})
