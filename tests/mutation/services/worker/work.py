"""Runs a service's tests against faults of its modules, each in a fork.

Run as a script, in the service's folder, with its `src` on the path. It reads JSON
lines from its input and writes as many to its output; `measure.py` is the other end.

What pytest and google-adk cost at their start is paid once. A fault within a function
is put into the living function of a process that has collected the tests; for any
other fault the service is imported anew with it.
"""

import contextlib
import gc
import importlib
import importlib.machinery
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import NoReturn

import pytest

from baseline import Baseline, Measuring, passes
from children import Forks, allow, alone, told
from living import is_same, living
from task import SAME, UNREACHED, Task, answer

JOBS = int(sys.argv[1])
TESTS = "tests/generated"
PLUGINS = (
    *("-p", "anyio.pytest_plugin", "-p", "no:cacheprovider", "-q", "-s", "-x"),
    *(f"--ignore={TESTS}/{name}" for name in sys.argv[2:]),
)
"""How pytest is called: without the test files that are named on the command line."""


class Trying:
    """A pytest plugin that runs what was collected against each fault."""

    def __init__(self, tasks: Sequence[Task], baseline: Baseline) -> None:
        self._tasks = tasks
        self._baseline = baseline
        self.elsewhere: list[Task] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Fork for each fault."""
        items = {item.nodeid: item for item in session.items}
        forks = Forks(JOBS)
        for task in self._tasks:
            found = living(task)
            if found is None:
                self.elsewhere.append(task)
                continue
            tests = self._baseline.tests(task)
            if not tests:
                answer(task.number, UNREACHED)
                continue
            with forks.child(task.number) as is_child:
                if is_child:
                    self._try(found, [items[name] for name in tests])
        forks.finish()
        return True

    def _try(
        self,
        found: tuple[Sequence[FunctionType], CodeType],
        items: Sequence[pytest.Item],
    ) -> NoReturn:
        functions, code = found
        for function in functions:
            function.__code__ = code
        for item in items:
            allow(self._baseline.seconds[item.nodeid])
            if not passes(item):
                os._exit(1)
        os._exit(0)


def serve(tasks: Sequence[Task]) -> None:
    """Try all faults of a service."""
    baseline = measured(sorted({task.path for task in tasks}))
    for name in filter(is_shared, baseline.modules):
        # Some can't be imported by name.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    left = Path("elsewhere.json")

    def put_in() -> None:
        trying = Trying(tasks, baseline)
        run([TESTS], trying)
        left.write_text(json.dumps([task.number for task in trying.elsewhere]))

    alone(put_in)
    elsewhere = set(json.loads(left.read_bytes()))
    import_with([task for task in tasks if task.number in elsewhere], baseline)


def measured(sources: Sequence[str]) -> Baseline:
    """Run all tests without a fault."""
    report = Path("baseline.json")
    alone(lambda: run([TESTS], Measuring(report, sources)))
    if not report.is_file():
        sys.exit(f"a test fails without a fault:\n{told()}")
    seconds, reached, modules = json.loads(report.read_bytes())
    by_line = {
        file: {int(line): names for line, names in lines.items()}
        for file, lines in reached.items()
    }
    return Baseline(seconds, by_line, modules)


def import_with(tasks: Sequence[Task], baseline: Baseline) -> None:
    """Import the service anew for each fault, and run the tests of the module."""
    forks = Forks(JOBS)
    for task in tasks:
        tests = baseline.tests_of_module(task)
        if not tests:
            answer(task.number, UNREACHED)
            continue
        with forks.child(task.number) as is_child:
            if is_child:
                allow(20 + sum(baseline.seconds[name] for name in tests))
                load_with(task)
                os._exit(int(run(tests) != 0))
    forks.finish()


def run(words: Sequence[str], *plugins: object) -> int:
    """Run pytest."""
    return int(pytest.main([*PLUGINS, *words], plugins=plugins))


def is_shared(name: str) -> bool:
    """Tell whether a module may be imported before pytest and the service are.

    pytest wants to be the first to import a plugin, and a C module that the library
    around it didn't import is half of one.
    """
    first = name.partition(".")[0]
    own = {"tests", *(path.name for path in Path("src").iterdir())}
    return first not in own and not name.startswith("_") and "pytest" not in name


def load_with(task: Task) -> None:
    """Let the import of the module give the one with the fault."""
    loader = importlib.machinery.SourceFileLoader
    read = loader.get_code

    def get_code(
        self: importlib.machinery.SourceFileLoader, name: str
    ) -> CodeType | None:
        if self.path == task.path:
            return compile(task.text, task.path, "exec", dont_inherit=True)
        return read(self, name)

    loader.get_code = get_code  # type: ignore[method-assign, assignment]


def main() -> None:
    """Read the faults, and answer each."""
    del sys.path[0]
    tasks = [Task(**json.loads(line)) for line in sys.stdin.read().splitlines()]
    whole: list[Task] = []
    for task in tasks:
        if is_same(task):
            answer(task.number, SAME)
        else:
            whole.append(task)
    if whole:
        serve(whole)


if __name__ == "__main__":
    main()
