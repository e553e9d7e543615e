"""A user's files follow their interceptor to its new name, once and whole."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.merge.samples import BEFORE, EVENT, emitted, recorded, wanted

from interceptgen.files import Former, Owner, SourceFile
from interceptgen.lock import FileRecord, Lock, content_hash
from interceptgen.merge import NoteKind
from interceptgen.plan import Action, Plan, Step, make_plan
from interceptgen.snapshot import Snapshot

ITEM = "interceptors.tone"
TEST = "from orders.hooks.house_style import HouseStyle\n\nassert HouseStyle\n"
TONE_TEST = "from orders.hooks.tone import Tone\n\nassert Tone\n"
MINE = "# HouseStyle is mine\n"


def former(path: str, name: str = "house_style", cls: str = "HouseStyle") -> Former:
    return Former(
        path=path,
        package="orders",
        old_module=name,
        new_module="tone",
        old_class=cls,
        new_class="Tone",
    )


def seeded(*formers: Former) -> SourceFile:
    return SourceFile(
        path="new",
        text=TONE_TEST,
        owner=Owner.SEEDED,
        item=ITEM,
        former=formers or (former("old"),),
    )


def toned(text: str) -> str:
    return text.replace("import house_style", "import tone").replace(
        "HouseStyle", "Tone"
    )


HOOKS = SourceFile(
    path="new",
    text=toned(emitted(BEFORE, EVENT)),
    owner=Owner.GROWN,
    item=ITEM,
    grown=replace(wanted(BEFORE, EVENT), class_name="Tone"),
    former=(former("old"),),
)


def record(
    left: str,
    owner: Owner = Owner.SEEDED,
    *,
    pristine: bool = True,
    stubs: Mapping[str, str] | None = None,
) -> FileRecord:
    return FileRecord(
        owner=owner,
        item="interceptors.house_style",
        sha256=content_hash(left.encode()),
        pristine=pristine,
        stubs=stubs or {},
    )


def planned(
    file: SourceFile,
    disk: Mapping[str, str | None],
    records: Mapping[str, FileRecord],
    *more: SourceFile,
) -> Plan:
    files = {
        path: None if text is None else text.encode() for path, text in disk.items()
    }
    snapshot = Snapshot(files=files, lock=Lock(inputs="in", files=records))
    # A generator can be read once only.
    return make_plan((each for each in (file, *more)), snapshot, inputs="in")


def steps(made: Plan) -> dict[str, Step]:
    return {step.path: step for step in made.steps}


def told(step: Step) -> list[tuple[str, int]]:
    return [(str(note.kind), note.line) for note in step.notes]


def test_an_edited_test_is_carried_with_what_it_imports() -> None:
    made = planned(seeded(), {"old": TEST + MINE, "new": None}, {"old": record(TEST)})
    after = (TONE_TEST + MINE).encode()
    left = FileRecord(
        owner=Owner.SEEDED, item=ITEM, sha256=content_hash(after), pristine=False
    )
    new, old = made.steps
    assert (new.action, new.path, new.reason) == (Action.CREATE, "new", "was old")
    assert (new.before, new.after, new.record) == (None, after, left)
    assert told(new) == [("unseen", 4)]
    assert old == Step(
        action=Action.DELETE,
        path="old",
        before=(TEST + MINE).encode(),
        after=None,
        reason="now new",
    )
    # What a rename leaves to look at is told once: the next check is green.
    assert made.lock == Lock(inputs="in", files={"new": left})


@pytest.mark.parametrize("pristine", [True, False])
def test_a_test_that_nobody_touched_is_emitted_anew(*, pristine: bool) -> None:
    """It is as the last run left it; only if that was all the tool's, it is new."""
    old = TEST + MINE
    made = planned(
        seeded(),
        {"old": old, "new": None},
        {"old": record(old, pristine=pristine)},
    )
    new = steps(made)["new"]
    expected = TONE_TEST if pristine else TONE_TEST + MINE
    assert new.after == expected.encode()
    assert new.record is not None
    assert new.record.pristine is pristine


def test_edited_hooks_are_carried_and_grow() -> None:
    old = emitted(BEFORE) + MINE
    made = planned(
        HOOKS,
        {"old": old, "new": None},
        {"old": record(emitted(BEFORE), Owner.GROWN, stubs=recorded(BEFORE))},
    )
    new = steps(made)["new"]
    assert new.after is not None
    assert new.after == toned(emitted(BEFORE, EVENT)).encode() + MINE.encode()
    assert [note.kind for note in new.notes] == [NoteKind.UNSEEN, NoteKind.INSERTED]
    assert new.reason == "was old"
    assert new.record == FileRecord(
        owner=Owner.GROWN,
        item=ITEM,
        sha256=content_hash(new.after),
        pristine=False,
        stubs=recorded(BEFORE, EVENT),
    )


def test_only_the_contract_of_the_own_package_is_renamed() -> None:
    other = emitted(BEFORE, EVENT).replace("orders.service", "bills.service") + MINE
    made = planned(
        HOOKS,
        {"old": other, "new": None},
        {"old": record("", Owner.GROWN, stubs=recorded(BEFORE, EVENT))},
    )
    after = steps(made)["new"].after
    assert after is not None
    assert b"from bills.service.contracts import house_style as contract" in after


def test_a_deleted_test_stays_deleted_under_its_new_name() -> None:
    old = record(TEST)
    made = planned(seeded(), {"old": None, "new": None}, {"old": old})
    kept = replace(old, item=ITEM)
    assert steps(made)["new"] == Step(
        action=Action.LEFT_OUT,
        path="new",
        before=None,
        after=None,
        reason="deleted on purpose",
        record=kept,
    )
    assert steps(made)["old"].action is Action.KEEP
    assert made.lock == Lock(inputs="in", files={"new": kept})


def test_deleted_hooks_are_emitted_under_the_new_name() -> None:
    """Of the tool's promise they are a part; only a test may be done without."""
    made = planned(HOOKS, {"old": None, "new": None}, {"old": record("x", Owner.GROWN)})
    new = steps(made)["new"]
    assert (new.action, new.reason, new.after) == (
        Action.CREATE,
        "new",
        HOOKS.text.encode(),
    )


def test_the_latest_of_several_names_is_carried() -> None:
    file = seeded(former("oldest", "plain", "Plain"), former("old"))
    made = planned(
        file,
        {"oldest": "oldest = 1\n", "old": TEST + MINE, "new": None},
        {"oldest": record(""), "old": record("")},
    )
    assert steps(made)["new"].after == (TONE_TEST + MINE).encode()
    assert steps(made)["oldest"].action is Action.ORPHAN


def test_a_name_before_the_last_is_carried_where_the_last_is_not_there() -> None:
    file = seeded(former("older"), former("old"))
    made = planned(
        file, {"older": TEST + MINE, "old": None, "new": None}, {"older": record("")}
    )
    assert steps(made)["new"].after == (TONE_TEST + MINE).encode()


def test_a_file_that_no_run_made_is_not_carried() -> None:
    made = planned(seeded(), {"old": TEST + MINE, "new": None}, {})
    assert list(steps(made)) == ["new"]
    assert steps(made)["new"].after == TONE_TEST.encode()


def test_a_name_that_is_in_use_again_is_not_carried() -> None:
    """Two interceptors swap: each has its own files where they are."""
    taken = SourceFile(path="old", text=TEST, owner=Owner.SEEDED, item="other")
    made = planned(
        seeded(), {"old": TEST + MINE, "new": None}, {"old": record(TEST)}, taken
    )
    assert steps(made)["old"].action is Action.KEEP
    assert steps(made)["new"].after == TONE_TEST.encode()


def test_what_stands_under_the_new_name_is_not_written_over() -> None:
    made = planned(
        seeded(),
        {"old": TEST + MINE, "new": "mine = 1\n"},
        {"old": record(TEST)},
    )
    assert {path: step.action for path, step in steps(made).items()} == {
        "new": Action.KEEP,
        "old": Action.ORPHAN,
    }


def test_a_test_deleted_under_its_new_name_stays_deleted() -> None:
    made = planned(
        seeded(),
        {"old": TEST + MINE, "new": None},
        {"old": record(TEST), "new": record(TONE_TEST)},
    )
    assert steps(made)["new"].action is Action.LEFT_OUT
    assert steps(made)["old"].action is Action.ORPHAN


@pytest.mark.parametrize("known", [True, False])
def test_a_move_that_was_cut_short_is_finished(*, known: bool) -> None:
    moved = TONE_TEST + MINE
    left = record(moved, pristine=False)
    made = planned(
        seeded(),
        {"old": TEST + MINE, "new": moved},
        {"old": record(TEST), **({"new": left} if known else {})},
    )
    assert steps(made)["new"].action is Action.KEEP
    assert steps(made)["old"].action is Action.DELETE
    assert steps(made)["old"].reason == "now new"


def test_hooks_that_go_to_a_new_name_go_though_an_orphan_has_the_old_one() -> None:
    """Else the user would have the same hooks twice."""
    hooks = replace(HOOKS, path="hooks/new", former=(former("hooks/old"),))
    old = emitted(BEFORE, EVENT) + MINE
    made = planned(
        hooks,
        {"hooks/old": old, "hooks/new": None, "old": TEST + MINE, "new": "mine = 1\n"},
        {
            "hooks/old": record(
                old, Owner.GROWN, pristine=False, stubs=recorded(BEFORE, EVENT)
            ),
            "old": record(TEST),
        },
        seeded(),
    )
    assert {path: step.action for path, step in steps(made).items()} == {
        "hooks/new": Action.CREATE,
        "hooks/old": Action.DELETE,
        "new": Action.KEEP,
        "old": Action.ORPHAN,
    }
