"""A run is broken before, within and after each of its writing system calls.

Then each file is old or new, and any later run does its job. All calls, not a
sample: the calls of an undisturbed run are counted first.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from tests.crash.faults import DEAD, Counter, How, Moment, counting, in_child
from tests.crash.worlds import (
    HOUSE,
    IMPORT,
    USERS_LINE,
    Tree,
    be_at,
    install,
    make_old,
    run,
    scratch,
    tree,
    twin,
)

from interceptgen import pipeline
from interceptgen.lock import LOCK_NAME, STAGE_PREFIX
from interceptgen.snapshot import left_stages
from interceptgen.write import WriteError, disk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork")


@dataclass(kw_only=True)
class World:
    """The project before the run, and what it may become.

    Attributes:
        old: The project before.
        folder: Where runs are broken.
        after: The tree after each spec, run on the old and on the new project.
        seen: States that were judged already.
    """

    old: Path
    folder: Path
    after: dict[str, list[Tree]] = field(default_factory=dict[str, list[Tree]])
    seen: set[int] = field(default_factory=set[int])

    def project(self, name: str = "broken") -> Path:
        """Give a fresh copy of the old project with the new spec."""
        root = self.folder / name
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(self.old, root, symlinks=True)
        be_at(root, "new")
        return root


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Give one for all tests: a state that one of them has judged is judged."""
    with pytest.MonkeyPatch.context() as monkeypatch, scratch() as folder:
        install(monkeypatch)
        # A process that is killed sees nothing of the waits for a disk.
        monkeypatch.setattr(os, "fsync", no_wait)
        # In turn, so that a call's number names the same call in each run.
        monkeypatch.setattr(disk, "_AT_ONCE", 1)
        yield made_world(folder)


def no_wait(_: int) -> None:
    """Stand for a wait."""


def made_world(folder: Path) -> World:
    old = folder / "old"
    make_old(old)
    made = World(old=old, folder=folder)
    new = made.project("new")
    run(new, "new")
    for spec in ("old", "new", "third"):
        made.after[spec] = [twin(each, partial(run, spec=spec)) for each in (old, new)]
    return made


def calls(world: World) -> list[str]:
    """Count the calls of a run that nothing disturbs, and miss none."""
    root = world.project()

    def counted() -> str:
        counter = Counter()
        sys.addaudithook(counter.audit)
        with counting(counter):
            pipeline.generate(root)
            seen = list(counter.missed)
        return json.dumps([counter.calls, seen])

    code, said = in_child(counted)
    assert code == 0, said
    found: list[str]
    found, missed = json.loads(said)
    assert missed == []
    return found


def faults(found: list[str]) -> Iterator[tuple[int, Moment]]:
    for number, name in enumerate(found):
        yield number, Moment.BEFORE
        if name == "write":
            yield number, Moment.WITHIN
        yield number, Moment.AFTER


def test_the_plan_does_all_that_a_plan_can_do(world: World) -> None:
    made = pipeline.check(world.project())
    assert made is not None
    assert {step.action for step in made.changes} == {
        "create",
        "replace",
        "grow",
        "delete",
    }
    assert set(calls(world)) >= {
        *("chmod", "fsync", "mkdir", "open", "replace", "rmdir", "unlink", "write")
    }


def test_a_file_moves_with_its_users_lines(world: World) -> None:
    moved = world.after["new"][0]["tests/test_home.py"][1]
    assert moved == IMPORT.format("home").encode() + USERS_LINE
    assert HOUSE.path not in world.after["new"][0]


def test_death(world: World) -> None:
    found = calls(world)
    # To the disk, after a call is before the next one.
    points = [each for each in faults(found) if each[1] is not Moment.AFTER]
    for number, moment in [*points, (len(found) - 1, Moment.AFTER)]:
        root = world.project()

        def die(
            root: Path = root, number: int = number, moment: Moment = moment
        ) -> str:
            with counting(Counter(at=number, moment=moment)):
                pipeline.generate(root)
            return ""

        code, said = in_child(die)
        assert code == DEAD, said
        judge(world, root, f"death {moment} call {number}")


def test_refusal(world: World) -> None:
    for number, moment in faults(calls(world)):
        root, refused = world.project(), ""
        with counting(Counter(at=number, moment=moment, how=How.REFUSAL)):
            try:
                pipeline.generate(root)
            except WriteError as error:
                refused = str(error)
        if not refused:
            # What could not be removed was of no use to anybody.
            assert project_files(tree(root)) == world.after["new"][0]
        elif "nothing was written" in refused:
            assert tree(root) == tree(world.old)
        assert not refused or "No space left on device" in refused
        assert "\n" not in refused
        judge(world, root, f"refusal {moment} call {number}")


def test_interrupt(world: World) -> None:
    states = [tree(world.old), world.after["new"][0]]
    for number, moment in faults(calls(world)):
        root = world.project()
        counter = Counter(at=number, moment=moment, how=How.INTERRUPT)
        with counting(counter), pytest.raises(KeyboardInterrupt):
            pipeline.generate(root)
        assert tree(root) in states, f"interrupt {moment} call {number}"
        judge(world, root, f"interrupt {moment} call {number}")


def test_death_upon_death(world: World) -> None:
    """A run from a third spec finds a dead run, and is killed as well."""
    found = calls(world)
    first = found.index("replace") + 2
    dead = world.project("dead")

    def die(root: Path, number: int) -> str:
        with counting(Counter(at=number)):
            pipeline.generate(root)
        return ""

    assert in_child(lambda: die(dead, first))[0] == DEAD
    assert left_stages(dead) != []
    base = World(old=dead, folder=world.folder, after=world.after)
    for number in range(10_000):
        root = base.project()
        be_at(root, "third")
        code, said = in_child(lambda: die(root, number))  # noqa: B023
        if code == 0:
            break
        assert code == DEAD, said
        state = hash(tuple(sorted(tree(root).items())))
        todo = () if state in base.seen else ("third", "new", "old")
        base.seen.add(state)
        for spec in todo:
            then = twin(root, lambda copy: run(copy, spec))  # noqa: B023
            assert USERS_LINE in b"".join(content for _, content in then.values())
    else:
        pytest.fail("the run has no end")


def project_files(found: Tree) -> Tree:
    return {
        path: each for path, each in found.items() if not path.startswith(STAGE_PREFIX)
    }


def judge(world: World, root: Path, fault: str) -> None:
    """Each file is old or new, and each later run comes to its end."""
    now = tree(root)
    state = hash(tuple(sorted(now.items())))
    if state in world.seen:
        return
    world.seen.add(state)
    old, new = tree(world.old), world.after["new"][0]
    for path in {*project_files(now), *old, *new}:
        assert now.get(path) in [old.get(path), new.get(path)], f"{fault}: {path}"
    assert twin(root, lambda copy: run(copy, "new")) == new, fault
    for spec in ("third", "old"):
        # No conflict, no stage, and each file as if the run had not begun, or
        # had come to its end.
        then = twin(root, partial(run, spec=spec))
        meant = world.after[spec]
        for path in {*then, *meant[0], *meant[1]} - {LOCK_NAME}:
            assert then.get(path) in [each.get(path) for each in meant], (fault, path)
