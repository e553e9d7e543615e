"""A run is killed with SIGKILL at any time, as a person or a machine would."""

import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.crash.test_every_call import World, judge, made_world
from tests.crash.worlds import install, scratch, twin

from interceptgen import pipeline
from interceptgen.write import exclusive

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    install(monkeypatch)
    with scratch() as folder:
        yield made_world(folder)


@pytest.mark.parametrize(
    "runs", [15, pytest.param(500, marks=pytest.mark.slow)], ids=str
)
def test_killed_at_random_times(world: World, runs: int) -> None:
    chance = random.Random(runs)  # noqa: S311 - no secret
    longest = lasts(world)
    killed = 0
    for number in range(runs):
        root = world.project()
        killed += kill(start(root), after=chance.uniform(0, longest))
        judge(world, root, f"kill {number}")
    assert killed > runs // 4, "too few were still at work"


def start(root: Path) -> int:
    """Run in a child process."""
    child = os.fork()
    if not child:
        try:
            pipeline.generate(root)
        finally:
            os._exit(0)
    return child


def kill(child: int, *, after: float) -> bool:
    """Kill a process; tell whether it was still at work."""
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def lasts(world: World) -> float:
    """Measure a run in a child process."""
    begin = time.monotonic()
    os.waitpid(start(world.project()), 0)
    return time.monotonic() - begin


def test_a_killed_run_blocks_nobody(world: World) -> None:
    root = world.project()
    assert twin(root, _killed_holding_it) == world.after["new"][0]


def _killed_holding_it(root: Path) -> None:
    child = os.fork()
    if not child:
        with exclusive(root):
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    pipeline.generate(root)
