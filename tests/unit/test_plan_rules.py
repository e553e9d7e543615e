"""The table of ownership, each row a promise; what must not happen comes first."""

import pytest
from tests.merge.samples import BEFORE, EVENT, emitted, recorded, wanted

from interceptgen.files import Owner, SourceFile
from interceptgen.lock import FileRecord, content_hash
from interceptgen.plan import Action
from interceptgen.plan.rules import Verdict, judge, judge_dropped

WANTS, LEFT, EDITED = b"wants = 1\n", b"left = 1\n", b"edited = 1\n"
CRLF = b"wants = 1\r\n"
CONFLICTS: dict[tuple[bytes | None, bytes], str] = {
    (LEFT, EDITED): "edited by hand",
    (LEFT, b""): "edited by hand",
    (LEFT, LEFT + b"\n"): "edited by hand",
    (WANTS, EDITED): "edited by hand",
    (None, EDITED): "not written by interceptgen",
    (None, LEFT): "not written by interceptgen",
}


def file(owner: Owner) -> SourceFile:
    return SourceFile(path="a.py", text=WANTS.decode(), owner=owner, item="wanted")


def record(
    owner: Owner, left: bytes | None, *, pristine: bool = True
) -> FileRecord | None:
    if left is None:
        return None
    return FileRecord(
        owner=owner, item="left", sha256=content_hash(left), pristine=pristine
    )


def judged(owner: Owner, left: bytes | None, disk: bytes | None) -> Verdict:
    return judge(file(owner), disk, record(owner, left))


def fresh(owner: Owner, *, pristine: bool = True) -> FileRecord:
    return FileRecord(
        owner=owner, item="wanted", sha256=content_hash(WANTS), pristine=pristine
    )


@pytest.mark.parametrize(("left", "disk"), CONFLICTS)
def test_a_tools_file_that_a_person_wrote_is_never_written(
    left: bytes | None, disk: bytes
) -> None:
    verdict = judged(Owner.TOOL, left, disk)
    assert verdict == Verdict(
        Action.CONFLICT, WANTS, CONFLICTS[left, disk], fresh(Owner.TOOL)
    )


@pytest.mark.parametrize("left", [None, LEFT, WANTS])
@pytest.mark.parametrize("disk", [b"", EDITED])
def test_a_seeded_file_that_a_person_wrote_is_never_touched(
    left: bytes | None, disk: bytes
) -> None:
    verdict = judged(Owner.SEEDED, left, disk)
    kept = record(Owner.SEEDED, left) or fresh(Owner.SEEDED, pristine=False)
    assert verdict == Verdict(Action.KEEP, disk, "yours", kept)


@pytest.mark.parametrize("left", [LEFT, WANTS])
def test_a_seeded_file_that_was_deleted_stays_deleted(left: bytes) -> None:
    verdict = judged(Owner.SEEDED, left, None)
    kept = record(Owner.SEEDED, left)
    assert verdict == Verdict(Action.LEFT_OUT, None, "deleted on purpose", kept)


@pytest.mark.parametrize("owner", [Owner.TOOL, Owner.GROWN, Owner.SEEDED])
@pytest.mark.parametrize("disk", [b"", LEFT, WANTS, EDITED])
def test_a_forked_file_is_never_touched(owner: Owner, disk: bytes) -> None:
    kept = record(Owner.FORKED, LEFT)
    verdict = judge(file(owner), disk, kept)
    assert verdict == Verdict(Action.KEEP, disk, "forked: yours", kept)


def test_a_forked_file_that_was_deleted_stays_deleted() -> None:
    kept = record(Owner.FORKED, LEFT)
    verdict = judge(file(Owner.TOOL), None, kept)
    assert verdict == Verdict(Action.LEFT_OUT, None, "deleted on purpose", kept)


@pytest.mark.parametrize("owner", [Owner.GROWN, Owner.SEEDED])
@pytest.mark.parametrize("pristine", [True, False])
def test_an_edited_file_outlives_its_item(owner: Owner, *, pristine: bool) -> None:
    kept = record(owner, LEFT, pristine=pristine)
    assert kept is not None
    verdict = judge_dropped(EDITED, kept)
    reason = "no longer in the spec, but edited"
    assert verdict == Verdict(Action.ORPHAN, EDITED, reason, kept)


@pytest.mark.parametrize("owner", [Owner.GROWN, Owner.SEEDED])
def test_a_file_with_a_persons_lines_outlives_its_item(owner: Owner) -> None:
    """It is as the last run left it, but not all of it was the run's."""
    kept = record(owner, LEFT, pristine=False)
    assert kept is not None
    assert judge_dropped(LEFT, kept).action is Action.ORPHAN


@pytest.mark.parametrize("disk", [LEFT, EDITED])
def test_a_forked_file_outlives_its_item(disk: bytes) -> None:
    kept = record(Owner.FORKED, LEFT)
    assert kept is not None
    reason = "no longer in the spec, but forked"
    assert judge_dropped(disk, kept) == Verdict(Action.ORPHAN, disk, reason, kept)


def test_a_dropped_tools_file_that_was_edited_stops_the_run() -> None:
    kept = record(Owner.TOOL, LEFT)
    assert kept is not None
    verdict = judge_dropped(EDITED, kept)
    reason = "edited by hand, and no longer in the spec"
    assert verdict == Verdict(Action.CONFLICT, None, reason, None)


@pytest.mark.parametrize("owner", [Owner.TOOL, Owner.GROWN, Owner.SEEDED])
@pytest.mark.parametrize("disk", [LEFT, b"left = 1\r\n"])
def test_an_untouched_file_goes_with_its_item(owner: Owner, disk: bytes) -> None:
    kept = record(owner, LEFT)
    assert kept is not None
    verdict = judge_dropped(disk, kept)
    assert verdict == Verdict(Action.DELETE, None, "no longer in the spec", None)


@pytest.mark.parametrize("owner", list(Owner))
def test_a_dropped_file_that_is_gone_is_forgotten(owner: Owner) -> None:
    kept = record(owner, LEFT)
    assert kept is not None
    assert judge_dropped(None, kept) == Verdict(Action.KEEP, None, "gone", None)


@pytest.mark.parametrize("owner", [Owner.TOOL, Owner.GROWN])
@pytest.mark.parametrize(
    ("left", "disk", "action", "reason"),
    [
        (None, None, Action.CREATE, "new"),
        (LEFT, None, Action.CREATE, "missing"),
        (LEFT, LEFT, Action.REPLACE, "stale"),
        (LEFT, b"left = 1\r\n", Action.REPLACE, "stale"),
    ],
)
def test_what_is_the_tools_alone_follows_the_spec(
    owner: Owner, left: bytes | None, disk: bytes | None, action: Action, reason: str
) -> None:
    assert judged(owner, left, disk) == Verdict(action, WANTS, reason, fresh(owner))


@pytest.mark.parametrize("owner", [Owner.TOOL, Owner.GROWN])
@pytest.mark.parametrize("left", [None, LEFT, WANTS])
@pytest.mark.parametrize("disk", [WANTS, CRLF])
def test_what_is_as_wanted_is_kept_and_adopted(
    owner: Owner, left: bytes | None, disk: bytes
) -> None:
    """Line ends of a checkout stay as they are."""
    verdict = judged(owner, left, disk)
    assert verdict == Verdict(Action.KEEP, disk, "up to date", fresh(owner))


def test_a_seeded_file_is_made_once() -> None:
    verdict = judged(Owner.SEEDED, None, None)
    assert verdict == Verdict(Action.CREATE, WANTS, "new", fresh(Owner.SEEDED))


@pytest.mark.parametrize("left", [None, LEFT])
@pytest.mark.parametrize("disk", [WANTS, CRLF])
def test_a_seeded_file_as_wanted_is_adopted(left: bytes | None, disk: bytes) -> None:
    verdict = judged(Owner.SEEDED, left, disk)
    assert verdict == Verdict(Action.KEEP, disk, "up to date", fresh(Owner.SEEDED))


def test_a_seeded_file_that_nobody_touched_follows_the_spec() -> None:
    verdict = judged(Owner.SEEDED, LEFT, LEFT)
    assert verdict == Verdict(Action.REPLACE, WANTS, "stale", fresh(Owner.SEEDED))
    kept = record(Owner.SEEDED, LEFT, pristine=False)
    assert judge(file(Owner.SEEDED), LEFT, kept).action is Action.KEEP


def hooks() -> SourceFile:
    return SourceFile(
        path="hooks.py",
        text=emitted(BEFORE, EVENT),
        owner=Owner.GROWN,
        item="wanted",
        grown=wanted(BEFORE, EVENT),
    )


MINE = emitted(BEFORE).encode() + b"\n# mine\n"


def grown(disk: bytes, *, stubs: bool = True, pristine: bool = True) -> Verdict:
    left = FileRecord(
        owner=Owner.GROWN,
        item="left",
        sha256=content_hash(emitted(BEFORE).encode()),
        pristine=pristine,
        stubs=recorded(BEFORE) if stubs else {},
    )
    return judge(hooks(), disk, left)


def test_an_edited_module_grows_and_keeps_every_line() -> None:
    verdict = grown(MINE)
    assert verdict.action is Action.GROW
    assert verdict.after is not None
    assert verdict.after == emitted(BEFORE, EVENT).encode() + b"\n# mine\n"
    assert [note.kind for note in verdict.notes] == ["inserted"]
    assert verdict.record == FileRecord(
        owner=Owner.GROWN,
        item="wanted",
        sha256=content_hash(verdict.after),
        pristine=False,
        stubs=recorded(BEFORE, EVENT),
    )


def test_a_module_as_last_left_is_edited_all_the_same_if_a_person_wrote_in_it() -> None:
    disk = emitted(BEFORE).encode()
    assert grown(disk).action is Action.REPLACE
    assert grown(disk, pristine=False).action is Action.GROW


def test_an_edited_module_with_all_hooks_is_kept() -> None:
    disk = emitted(BEFORE, EVENT).encode() + b"\n# mine\n"
    verdict = grown(disk)
    assert (verdict.action, verdict.after, verdict.reason) == (
        Action.KEEP,
        disk,
        "yours",
    )
    assert verdict.record is not None
    assert not verdict.record.pristine
    assert verdict.record.sha256 == content_hash(disk)


def test_a_module_without_a_record_is_a_persons() -> None:
    verdict = judge(hooks(), MINE, None)
    assert verdict.action is Action.GROW
    assert verdict.after is not None
    assert b"\n# mine\n" in verdict.after


def test_a_grown_file_must_have_a_class() -> None:
    with pytest.raises(ValueError, match=r"^a\.py is grown, but has no class$"):
        judged(Owner.GROWN, LEFT, EDITED)
