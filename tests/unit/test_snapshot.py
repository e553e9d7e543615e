"""What is read of a project, and what a killed run's stage adds to its lock."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from interceptgen.files import Owner
from interceptgen.lock import (
    LOCK_NAME,
    STAGE_PREFIX,
    FileRecord,
    Lock,
    content_hash,
    format_lock,
)
from interceptgen.snapshot import (
    ReadError,
    Snapshot,
    left_paths,
    left_stages,
    read_input,
    read_lock,
    read_snapshot,
)


def record(content: bytes, owner: Owner = Owner.TOOL) -> FileRecord:
    return FileRecord(owner=owner, item="i", sha256=content_hash(content))


def lock(inputs: str = "in", **files: bytes) -> Lock:
    return Lock(inputs=inputs, files={name: record(files[name]) for name in files})


def put(folder: Path, **files: bytes) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


def leave(folder: Path, number: str, left: Lock | str | None) -> Path:
    """Leave a stage as a killed run would."""
    stage = folder / f"{STAGE_PREFIX}{number}"
    stage.mkdir()
    if left is not None:
        text = left if isinstance(left, str) else format_lock(left)
        (stage / LOCK_NAME).write_text(text, encoding="utf-8")
    return stage


def has(root: Path, base: Lock | None) -> None:
    if base is not None:
        (root / LOCK_NAME).write_text(format_lock(base), encoding="utf-8")


def records(root: Path) -> Mapping[str, FileRecord] | None:
    found = read_lock(root)
    return None if found is None else found.files


def test_no_lock(tmp_path: Path) -> None:
    assert read_lock(tmp_path) is None
    assert Snapshot(files={}, lock=None).records == {}


def test_a_lock_with_nothing_left_beside_it_is_as_it_stands(tmp_path: Path) -> None:
    has(tmp_path, lock(a=b"1"))
    assert read_lock(tmp_path) == lock(a=b"1")
    assert left_paths(tmp_path) == set()


def test_paths_asked_for_and_paths_recorded_are_read(tmp_path: Path) -> None:
    put(tmp_path, a=b"1", b=b"2", c=b"3")
    found = read_snapshot(tmp_path, ["b", "none", "b/under/a/file"], lock(a=b"1"))
    assert found.files == {"a": b"1", "b": b"2", "none": None, "b/under/a/file": None}
    assert found.records == lock(a=b"1").files


OLD, NEW, EDITED = b"old", b"new", b"edited"


@pytest.mark.parametrize(
    ("base", "meant", "disk", "then"),
    [
        # The run had not come to it.
        (OLD, NEW, OLD, OLD),
        (None, NEW, None, None),
        (OLD, None, OLD, OLD),
        # It had.
        (OLD, NEW, NEW, NEW),
        (None, NEW, NEW, NEW),
        (OLD, None, None, None),
        (OLD, NEW, b"new\r\n", OLD),
        # A person has edited it since, or had before.
        (OLD, NEW, EDITED, OLD),
        (None, NEW, EDITED, None),
        (OLD, None, EDITED, OLD),
        (OLD, NEW, None, OLD),
        # It was none of its business.
        (OLD, OLD, OLD, OLD),
        (OLD, OLD, EDITED, OLD),
        (None, None, EDITED, None),
    ],
)
def test_what_a_killed_run_did_is_known(
    tmp_path: Path,
    base: bytes | None,
    meant: bytes | None,
    disk: bytes | None,
    then: bytes | None,
) -> None:
    has(tmp_path, lock() if base is None else lock(a=base))
    leave(tmp_path, "1", lock() if meant is None else lock(a=meant))
    if disk is not None:
        put(tmp_path, a=disk)
    found = read_lock(tmp_path)
    assert found == lock("", **({} if then is None else {"a": then}))
    assert left_paths(tmp_path) == ({"a"} if base or meant else set())


def test_it_is_known_with_all_that_would_have_been_recorded(tmp_path: Path) -> None:
    each = FileRecord(
        owner=Owner.GROWN,
        item="interceptors.x",
        sha256=content_hash(NEW),
        pristine=False,
        stubs={"after_event": "hash"},
    )
    leave(tmp_path, "1", Lock(inputs="", files={"a": each}))
    put(tmp_path, a=NEW)
    assert records(tmp_path) == {"a": each}


def test_nothing_recorded_and_nothing_done_is_no_lock(tmp_path: Path) -> None:
    leave(tmp_path, "1", lock(a=NEW))
    assert read_lock(tmp_path) is None
    assert left_paths(tmp_path) == {"a"}


@pytest.mark.parametrize("left", [None, "", "{", "<<<<<<<", '{"version": 2}'])
def test_a_stage_without_a_lock_is_void(tmp_path: Path, left: str | None) -> None:
    has(tmp_path, lock(a=OLD))
    stage = leave(tmp_path, "1", left)
    leave(stage, "1", lock(a=NEW))
    put(tmp_path, a=NEW)
    assert read_lock(tmp_path) == lock("", a=OLD)


def test_a_stage_with_an_undecodable_lock_is_void(tmp_path: Path) -> None:
    has(tmp_path, lock(a=OLD))
    (leave(tmp_path, "1", None) / LOCK_NAME).write_bytes(b"\xff")
    assert read_lock(tmp_path) == lock("", a=OLD)


def test_the_last_of_several_killed_runs_is_believed(tmp_path: Path) -> None:
    def owned(owner: Owner) -> Lock:
        return Lock(inputs="", files={"a": record(NEW, owner)})

    put(tmp_path, a=NEW)
    leave(tmp_path, "10", owned(Owner.SEEDED))
    stage = leave(tmp_path, "9", owned(Owner.GROWN))
    leave(stage, "2", owned(Owner.TOOL))
    leave(tmp_path, "x", owned(Owner.TOOL))
    assert records(tmp_path) == {"a": record(NEW, Owner.SEEDED)}


def test_a_stage_within_a_stage_is_known(tmp_path: Path) -> None:
    has(tmp_path, lock(a=OLD))
    stage = leave(tmp_path, "2", lock(a=b"newer"))
    leave(stage, "1", lock(a=NEW, b=NEW))
    put(tmp_path, a=NEW, b=NEW)
    assert records(tmp_path) == lock(a=NEW, b=NEW).files
    assert left_paths(tmp_path) == {"a", "b"}


def test_what_only_looks_like_a_stage_is_none(tmp_path: Path) -> None:
    (tmp_path / f"{STAGE_PREFIX}1").write_text("", encoding="utf-8")
    (tmp_path / "stage").mkdir()
    assert left_stages(tmp_path) == []
    stage = leave(tmp_path, "2", None)
    assert left_stages(tmp_path) == [stage]


def test_an_input_must_be_there(tmp_path: Path) -> None:
    put(tmp_path, a=b"1")
    assert read_input(tmp_path / "a") == b"1"
    with pytest.raises(ReadError) as caught:
        read_input(tmp_path / "b")
    assert str(caught.value) == f"{tmp_path / 'b'}: No such file or directory"


def test_a_file_that_can_not_be_opened(tmp_path: Path) -> None:
    path = "a" * 300
    with pytest.raises(ReadError, match=f"^{path}: File name too long$"):
        read_snapshot(tmp_path, [path], None)
