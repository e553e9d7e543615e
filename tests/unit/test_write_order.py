"""The order in which a disk sees a run, and where the run may be cut short."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.crash.plans import (
    LOCK_TEXT,
    fails,
    left,
    linux,
    names,
    plan,
    put,
    step,
)
from tests.crash.worlds import scratch

from interceptgen.write import (
    WriteError,
    apply,
    staging,
)


def nothing(*_: object, **__: object) -> None:
    """Do nothing."""


def refused(*_: object, **__: object) -> None:
    """Fail as on a read-only disk."""
    raise OSError(errno.EROFS, "read-only")


@pytest.fixture
def root() -> Iterator[Path]:
    with scratch() as folder:
        root = folder / "root"
        root.mkdir()
        yield root


# --- the order ---------------------------------------------------------------


class Seen:
    """What a run had the system do, by name and path."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._root = root
        self._events: list[tuple[str, str]] = []
        for name in ("rename", "replace", "unlink", "rmdir", "mkdir"):
            monkeypatch.setattr(os, name, self._noting(name, getattr(os, name)))
        monkeypatch.setattr(os, "fsync", self._sync)

    @property
    def events(self) -> list[str]:
        """What happened; waits that run at once are sorted."""
        found: list[str] = []
        waits: list[str] = []
        for name, path in [*self._events, ("", "")]:
            if name == "fsync":
                waits.append(f"fsync {path}")
                continue
            found += [*sorted(waits), f"{name} {path}"]
            waits.clear()
        return found[:-1]

    def _noting(
        self, name: str, function: Callable[..., object]
    ) -> Callable[..., object]:
        def noted(*paths: Path | str | int, **more: object) -> object:
            told = [self._told(path) for path in paths if not isinstance(path, int)]
            self._events.append((name, " ".join(told)))
            return function(*paths, **more)

        return noted

    def _sync(self, descriptor: int) -> None:
        path = Path(f"/proc/self/fd/{descriptor}").readlink()
        self._events.append(("fsync", self._told(path)))

    def _told(self, path: Path | str) -> str:
        told = os.path.relpath(path, self._root)
        return told.replace(".interceptgen-stage-", "stage-")


@linux
def test_content_waits_for_the_disk_and_the_lock_for_all(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a=b"old", gone__b=b"b")
    seen = Seen(root, monkeypatch)
    steps = (
        step("a", b"old", b"new"),
        step("gone/b", b"b", None),
        step("n/c", None, b""),
    )
    apply(plan(*steps), root)
    assert names(root) == ["a", "interceptgen.lock", "n", "n/c"]
    stage = "stage-1"
    clearing = [each for each in seen.events if each.startswith(("unlink", "rmdir"))]
    assert [each for each in seen.events if each not in clearing[2:]] == [
        "mkdir stage-1",
        "mkdir stage-1/files",
        "mkdir stage-1/files/n",
        f"fsync {stage}/files/a",
        f"fsync {stage}/files/n/c",
        f"fsync {stage}/interceptgen.lock.draft",
        f"rename {stage}/interceptgen.lock.draft {stage}/interceptgen.lock",
        "fsync .",
        f"fsync {stage}",
        "mkdir .",
        f"replace {stage}/files/a a",
        "unlink gone/b",
        "mkdir n",
        f"replace {stage}/files/n/c n/c",
        "rmdir gone",
        "fsync .",
        "fsync n",
        f"replace {stage}/interceptgen.lock interceptgen.lock",
        "fsync .",
    ]


# --- in place ----------------------------------------------------------------


def test_a_file_changed_at_the_last_moment_is_left(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a=b"typed since", b=b"typed since")
    monkeypatch.setattr("interceptgen.write.applying.require_room", nothing)
    for path, after in (("a", b"new"), ("b", None)):
        with pytest.raises(WriteError) as caught:
            apply(plan(step(path, b"old", after)), root)
        assert str(caught.value) == (
            f"{path} was changed during the run; not all was written; "
            "when that is mended, run the command again"
        )
        assert (root / path).read_bytes() == b"typed since"


def test_a_run_that_fails_in_between_is_known_to_the_next(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a=b"old", b=b"old")
    made = plan(step("a", b"old", b"new"), step("b", b"old", b"new"))
    replace = os.replace

    def no_b(source: Path, target: Path) -> None:
        if target == root / "b":
            fails(errno.EIO)()
        replace(source, target)

    monkeypatch.setattr(os, "replace", no_b)
    with pytest.raises(WriteError) as caught:
        apply(made, root)
    assert str(caught.value) == (
        "b: Input/output error; not all was written; "
        "when that is mended, run the command again"
    )
    assert names(root) == [
        ".interceptgen-stage-1",
        ".interceptgen-stage-1/.gitignore",
        ".interceptgen-stage-1/interceptgen.lock",
        "a",
        "b",
    ]
    assert (root / "a").read_bytes() + (root / "b").read_bytes() == b"newold"


@pytest.mark.parametrize("path", ["a", "b", "interceptgen.lock"])
def test_an_interrupt_comes_when_all_is_in_place(
    root: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a=b"old", gone=b"")
    replace, pressed = os.replace, list[bool]()

    def interrupted(source: Path, target: Path) -> None:
        replace(source, target)
        if target == root / path and not pressed:
            pressed.append(True)
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    steps = step("a", b"old", b"new"), step("b", None, b"b"), step("gone", b"", None)
    with pytest.raises(KeyboardInterrupt):
        apply(plan(*steps), root)
    assert names(root) == ["a", "b", "interceptgen.lock"]
    assert (root / "a").read_bytes() == b"new"
    assert (root / "interceptgen.lock").read_bytes() == LOCK_TEXT


def test_an_interrupt_while_the_stage_is_removed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rmtree, pressed = shutil.rmtree, list[bool]()

    def interrupted(path: Path, *, ignore_errors: bool) -> None:
        if not pressed:
            pressed.append(True)
            raise KeyboardInterrupt
        rmtree(path, ignore_errors=ignore_errors)

    monkeypatch.setattr(shutil, "rmtree", interrupted)
    with pytest.raises(KeyboardInterrupt):
        apply(plan(step("a", None, b"")), root)
    assert names(root) == ["a", "interceptgen.lock"]


def test_a_stage_that_can_not_be_removed_is_void(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lock goes first, so it tells no later run anything."""
    stage = left(root, 1)
    monkeypatch.setattr(shutil, "rmtree", nothing)
    staging.discard(stage)
    assert names(stage) == ["files", "files/a"]
    assert not (stage / "interceptgen.lock").exists()


def test_what_can_not_be_removed_stops_no_run(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = left(root, 1)
    monkeypatch.setattr(os, "rmdir", refused)
    staging.discard(stage)
    assert names(stage) == ["files"]


# --- no lock -----------------------------------------------------------------


def test_without_a_lock_all_stages_go_and_the_lock_last(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, a=b"a", **{"interceptgen.lock": b"{}"})
    left(root, 3)
    unlink, gone = Path.unlink, list[list[str]]()

    def noting(path: Path, *, missing_ok: bool = False) -> None:
        if path == root / "interceptgen.lock":
            gone.append([each.name for each in root.iterdir() if each.is_dir()])
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", noting)
    apply(plan(step("a", b"a", None), lock=None), root)
    # Its own goes after it: nothing is known of a run that was cut short here.
    assert gone == [[".interceptgen-stage-4"]]
    assert names(root) == []
    apply(plan(lock=None), root)
    assert names(root) == []
