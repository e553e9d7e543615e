"""One run without a fault: how long each test takes, and what it reaches."""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import coverage
import pytest
from _pytest.runner import runtestprotocol

from task import Task

__all__ = ["Baseline", "Measuring", "passes"]


class Baseline(NamedTuple):
    """What a run without a fault tells.

    Attributes:
        seconds: How long each test took.
        reached: By file and line the tests that run it.
        modules: What was imported.
    """

    seconds: dict[str, float]
    reached: dict[str, dict[int, list[str]]]
    modules: list[str]

    def tests(self, task: Task) -> list[str]:
        """Give the tests that run the lines of a fault, the fastest first."""
        lines = self.reached.get(task.path, {})
        names = {name for line in range(*task.lines) for name in lines.get(line, ())}
        return sorted(names & self.seconds.keys(), key=self.seconds.__getitem__)

    def tests_of_module(self, task: Task) -> list[str]:
        """Give the tests that run a function of a module, or all if it has none.

        Also those of the module itself: they may compare no more than constants.
        """
        lines = self.reached.get(task.path, {}).values()
        own = f"test_part_{Path(task.path).stem}.py::"
        names = {name for names in lines for name in names} & self.seconds.keys()
        names |= {name for name in self.seconds if names and own in name}
        return sorted(names or self.seconds, key=self.seconds.__getitem__)


class Measuring:
    """A pytest plugin that runs all tests once and writes a `Baseline`."""

    def __init__(self, report: Path, sources: Sequence[str]) -> None:
        self._report = report
        self._sources = sources

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests; one that fails is an error of the caller's."""
        measured = coverage.Coverage(
            data_file=None, config_file=False, include=self._sources
        )
        # Of a module without functions, such as the settings, nothing is.
        measured.set_option("run:disable_warnings", ["no-data-collected"])
        seconds: dict[str, float] = {}
        measured.start()
        for item in session.items:
            measured.switch_context(item.nodeid)
            start = time.perf_counter()
            if not passes(item):
                raise pytest.UsageError(f"{item.nodeid} fails without a fault")
            seconds[item.nodeid] = time.perf_counter() - start
        measured.stop()
        data = measured.get_data()
        reached = {file: data.contexts_by_lineno(file) for file in self._sources}
        found = Baseline(seconds, reached, sorted(sys.modules))
        self._report.write_text(json.dumps(found), encoding="utf-8")
        return True


def passes(item: pytest.Item) -> bool:
    """Run a test with its fixtures."""
    return not any(report.failed for report in runtestprotocol(item, log=False))
