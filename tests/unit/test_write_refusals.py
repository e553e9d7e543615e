"""What can't be written: one line that names the path, and nothing changed."""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.crash.worlds import be_at, install, make_old, run, tree

from interceptgen import pipeline
from interceptgen.cli import main
from interceptgen.files import Owner
from interceptgen.lock import FileRecord, Lock
from interceptgen.plan import Action, Plan, Step
from interceptgen.write import WriteError, apply

APP = "src/orders/service/app.py"
FRESH = "src/orders/service/fresh"
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX's links")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    install(monkeypatch)
    make_old(tmp_path / "old")
    be_at(tmp_path / "old", "new")
    return tmp_path / "old"


def link_file(root: Path) -> None:
    (root.parent / "outside.py").write_text("old = 1\n", encoding="utf-8")
    (root / APP).unlink()
    (root / APP).symlink_to(root.parent / "outside.py")


def link_folder(root: Path) -> None:
    (root / "src/orders/service").rename(root.parent / "outside")
    (root / "src/orders/service").symlink_to(root.parent / "outside")


def link_to_itself(root: Path) -> None:
    (root / APP).unlink()
    (root / APP).symlink_to("app.py")


def link_the_lock(root: Path) -> None:
    (root / "interceptgen.lock").rename(root.parent / "lock")
    (root / "interceptgen.lock").symlink_to(root.parent / "lock")


def link_to_a_neighbour(root: Path) -> None:
    """Its name begins as the project's does."""
    (root.parent / "older").mkdir()
    (root / APP).rename(root.parent / "older/app.py")
    (root / APP).symlink_to("../../../../older/app.py")


def folder_for_file(root: Path) -> None:
    (root / APP).unlink()
    (root / APP).mkdir()


def pipe_for_file(root: Path) -> None:
    (root / APP).unlink()
    os.mkfifo(root / APP)


def file_for_folder(root: Path) -> None:
    (root / FRESH).write_text("mine", encoding="utf-8")


def read_only(root: Path) -> None:
    (root / APP).chmod(0o444)


OUT = "leads out of the project through a symbolic link"
REFUSED: dict[Callable[[Path], None], str] = {
    link_file: f"{APP} {OUT}",
    link_folder: f"src/orders/service/app.py {OUT}",
    link_to_itself: f"{APP}( is in the way: it is no file|: Too many levels.*)",
    link_the_lock: f"interceptgen.lock {OUT}",
    link_to_a_neighbour: f"{APP} {OUT}",
    folder_for_file: f"{APP} is in the way: it is no file",
    pipe_for_file: f"{APP} is in the way: it is no file",
    file_for_folder: f"{FRESH}/deep/two.py: fresh is no folder; nothing was written",
    read_only: f"{APP} is read-only; nothing was written",
}


@posix
@pytest.mark.parametrize("spoil", REFUSED, ids=lambda each: each.__name__)
def test_refused(root: Path, spoil: Callable[[Path], None]) -> None:
    spoil(root)
    outside = {path: path.read_bytes() for path in files_of(root.parent)}
    before = names_of(root)
    run = CliRunner().invoke(main, ["generate", str(root)])
    assert run.exit_code == 2, run.output
    assert re.fullmatch(REFUSED[spoil], run.stderr.removesuffix("\n"))
    assert names_of(root) == before
    assert {path: path.read_bytes() for path in files_of(root.parent)} == outside


@posix
@pytest.mark.parametrize(
    "spoil",
    [each for each in REFUSED if each not in {file_for_folder, read_only}],
    ids=lambda each: each.__name__,
)
def test_not_even_read(root: Path, spoil: Callable[[Path], None]) -> None:
    spoil(root)
    run = CliRunner().invoke(main, ["check", str(root)])
    assert run.exit_code == 2, run.output
    assert re.fullmatch(REFUSED[spoil], run.stderr.removesuffix("\n"))


def files_of(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def names_of(root: Path) -> list[str]:
    return sorted(str(path) for path in root.rglob("*"))


@posix
@pytest.mark.skipif(
    sys.platform != "win32" and os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_read_only_folder(root: Path) -> None:
    before, folder = tree(root), root / "src/orders/service"
    folder.chmod(0o555)
    with pytest.raises(
        WriteError, match=r"app\.py: the folder service is read-only; n"
    ):
        pipeline.generate(root)
    folder.chmod(0o755)
    assert tree(root) == before
    run(root, "new")


@posix
def test_links_inside_are_followed_and_kept(root: Path) -> None:
    service = root / "src/orders/service"
    service.rename(root / "shelf")
    service.symlink_to(root / "shelf")
    (root / "shelf/app.py").chmod(0o640)
    run(root, "new")
    assert service.is_symlink()
    assert (service / "linked.py").readlink() == Path("real.py")
    assert (root / "shelf/real.py").read_text(encoding="utf-8") == "new = 2\n"
    assert (root / "shelf/app.py").stat().st_mode & 0o777 == 0o640
    assert (root / "shelf/fresh/deep/two.py").is_file()
    assert not (root / "shelf/dropped").exists()


@posix
def test_a_dropped_link_goes_and_its_file_stays(root: Path) -> None:
    run(root, "third")
    assert not (root / "src/orders/service/linked.py").is_symlink()
    assert (root / "src/orders/service/real.py").is_file()


def test_a_link_from_outside_is_no_stage(root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "mine").write_text("mine", encoding="utf-8")
    (root / ".interceptgen-stage-9").symlink_to(outside)
    run(root, "new")
    assert (outside / "mine").is_file()


def test_a_stage_of_any_name_is_cleared_away(root: Path) -> None:
    (root / ".interceptgen-stage-x").mkdir()
    (root / ".interceptgen-stage-10").mkdir()
    (root / ".interceptgen-stage-9").mkdir()
    run(root, "new")


def plan(path: str, before: bytes | None, after: bytes, *, pristine: bool) -> Plan:
    record = FileRecord(owner=Owner.GROWN, item="i", sha256="0", pristine=pristine)
    step = Step(
        action=Action.GROW,
        path=path,
        before=before,
        after=after,
        reason="test",
        record=record,
    )
    lock = Lock(inputs="", files={path: record})
    return Plan(steps=(step,), lock=lock, lock_is_stale=True)


@pytest.mark.parametrize(
    ("before", "after", "pristine"),
    [
        (None, b"def", True),
        (b"x = 1\n", b"def", True),
        (b"x = 1\n", b"def", False),
        # A file that is the tool's alone has no newer syntax of a person's.
        (b"def", b"def\n", True),
        (b"x = 1\n", b"x = '\0'\n", True),
    ],
)
def test_nothing_is_written_that_does_not_compile(
    tmp_path: Path, before: bytes | None, after: bytes, *, pristine: bool
) -> None:
    if before is not None:
        (tmp_path / "a.py").write_bytes(before)
    names = names_of(tmp_path)
    with pytest.raises(ValueError, match=r"^a\.py would not compile; nothing was w"):
        apply(plan("a.py", before, after, pristine=pristine), tmp_path)
    assert names_of(tmp_path) == names


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", b"newer than this Python", b"newer than this Python\n"),
        ("a.py", None, b"moved, and newer"),
        ("a.json", None, b"no Python"),
        ("a.py", None, b"x = '\\d'\n"),
    ],
)
def test_a_persons_newer_syntax_is_no_obstacle(
    tmp_path: Path, path: str, before: bytes | None, after: bytes
) -> None:
    if before is not None:
        (tmp_path / path).write_bytes(before)
    apply(plan(path, before, after, pristine=False), tmp_path)
    assert (tmp_path / path).read_bytes() == after


@pytest.mark.parametrize("now", [None, b"typed since"])
def test_a_file_changed_since_it_was_read_is_left(
    tmp_path: Path, now: bytes | None
) -> None:
    if now is not None:
        (tmp_path / "a.py").write_bytes(now)
    with pytest.raises(WriteError, match=r"^a\.py was changed during the run; nothing"):
        apply(plan("a.py", b"x = 1\n", b"x = 2\n", pristine=True), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"] * (now is not None)


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    path = "a" * 300 + ".py"
    with pytest.raises(WriteError) as caught:
        apply(plan(path, None, b"", pristine=True), tmp_path)
    assert str(caught.value) == f"{path}: File name too long; nothing was written"
    assert list(tmp_path.iterdir()) == []


def test_a_plan_without_a_lock_removes_it_last(root: Path) -> None:
    (root / ".interceptgen-stage-3").mkdir()
    apply(Plan(steps=(), lock=None, lock_is_stale=True), root)
    assert not (root / "interceptgen.lock").exists()
    assert not list(root.glob(".interceptgen-stage-*"))


def test_no_spec(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=r"interceptors\.yaml: No such file"):
        pipeline.survey(tmp_path)
