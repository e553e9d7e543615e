"""What a run has to tell of one file stays told, and what it needs stays there."""

from collections.abc import Mapping

import pytest
from tests.merge.samples import BEFORE, EVENT, emitted, recorded, wanted

from interceptgen.files import Owner, SourceFile, Stub
from interceptgen.lock import FileRecord, Lock, content_hash
from interceptgen.plan import Action, Plan, Step, make_plan
from interceptgen.snapshot import Snapshot

ITEM = "interceptors.house_style"
MINE = "\n# mine\n"


def hooks(*stubs: Stub) -> SourceFile:
    return SourceFile(
        path="hooks",
        text=emitted(*stubs),
        owner=Owner.GROWN,
        item=ITEM,
        grown=wanted(*stubs),
    )


def planned(
    file: SourceFile | None, disk: Mapping[str, str], records: Mapping[str, FileRecord]
) -> Plan:
    files = {path: text.encode() for path, text in disk.items()}
    snapshot = Snapshot(files=files, lock=Lock(inputs="in", files=records))
    return make_plan([file] if file else [], snapshot, inputs="in")


def grown(disk: str, *stubs: Stub, left: Mapping[str, str]) -> tuple[Step, str]:
    """Give the step of an edited module, and the inputs of the next lock."""
    made = planned(hooks(*stubs), {"hooks": disk}, {"hooks": record("", left)})
    assert made.lock is not None
    (step,) = made.steps
    return step, made.lock.inputs


def record(
    text: str, stubs: Mapping[str, str] | None = None, *, pristine: bool = True
) -> FileRecord:
    owner = Owner.TOOL if stubs is None else Owner.GROWN
    return FileRecord(
        owner=owner,
        item=ITEM,
        sha256=content_hash(text.encode()),
        pristine=pristine,
        stubs=stubs or {},
    )


def test_a_method_put_in_is_told_by_the_run_alone() -> None:
    step, inputs = grown(emitted(BEFORE) + MINE, BEFORE, EVENT, left=recorded(BEFORE))
    assert step.action is Action.GROW
    assert step.reason == "gains what the spec adds"
    assert [str(note.kind) for note in step.notes] == ["inserted"]
    assert inputs == "in"


@pytest.mark.parametrize(
    ("disk", "kind", "inputs"),
    [
        # Only a person can mend these, so each check tells them.
        (emitted(BEFORE).replace("async def", "def"), "misfit", ""),
        (emitted(BEFORE).replace("(contract.Hooks)", "(mine.Base)"), "unseen", ""),
        # And these are a person's choice.
        (emitted(BEFORE).replace("return context", "return None"), "edited", "in"),
        (emitted() + "    x = 1\n", "absent", "in"),
    ],
)
def test_what_only_a_person_can_mend_is_told_by_each_check(
    disk: str, kind: str, inputs: str
) -> None:
    left = {} if kind == "unseen" else recorded(BEFORE)
    stubs = (BEFORE, EVENT) if kind == "unseen" else (BEFORE,)
    step, then = grown(disk, *stubs, left=left)
    assert kind in [str(note.kind) for note in step.notes]
    assert step.action is Action.KEEP
    assert then == inputs


def test_what_an_orphan_needs_is_kept_as_it_is() -> None:
    contract = record("contract")
    made = planned(
        None,
        {"contract": "contract", "hooks": emitted(BEFORE) + MINE},
        {"contract": contract, "hooks": record("", recorded(BEFORE))},
    )
    assert made.steps[0] == Step(
        action=Action.KEEP,
        path="contract",
        before=b"contract",
        after=b"contract",
        reason="an orphan needs it",
        record=contract,
    )
    assert made.changes == ()
    assert made.lock is not None
    assert made.lock.files["contract"] == contract


def test_an_orphan_that_nobody_recorded_is_no_reason_to_keep_a_gone_file() -> None:
    snapshot = Snapshot(
        files={"contract": None, "hooks": b"mine"},
        lock=Lock(
            inputs="in",
            files={"contract": record("x"), "hooks": record("", {"a": "b"})},
        ),
    )
    made = make_plan([], snapshot, inputs="in")
    assert made.steps[0].action is Action.KEEP
    assert made.steps[0].reason == "gone"
    assert made.lock is not None
    assert list(made.lock.files) == ["hooks"]


def test_the_record_of_new_hooks_names_each_of_them() -> None:
    snapshot = Snapshot(files={"hooks": None}, lock=None)
    made = make_plan([hooks(BEFORE, EVENT)], snapshot, inputs="in")
    fresh = record(emitted(BEFORE, EVENT), recorded(BEFORE, EVENT))
    assert made.lock == Lock(inputs="in", files={"hooks": fresh})
    assert made.steps[0].record == fresh
