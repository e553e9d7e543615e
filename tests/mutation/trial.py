"""Runs tests against mutants, each in a fork of the process that collected them."""

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from enum import Enum
from types import CodeType, FunctionType
from typing import NamedTuple

import coverage
import pytest
from _pytest.runner import runtestprotocol
from tests.mutation.mutants import Mutant

__all__ = ["Trial", "Verdict"]

_EXIT_LIVED = 0
_EXIT_KILLED = 1


class Verdict(Enum):
    """What became of a mutant."""

    KILLED = "killed"
    LATE = "late"
    """A test took many times its time, as in a loop without an end."""
    LIVED = "lived"


class _Test(NamedTuple):
    item: pytest.Item
    seconds: float


class Trial:
    """A pytest plugin that runs what was collected against each mutant.

    Attributes:
        verdicts: The mutants in the order of their ends.
    """

    def __init__(self, mutants: Sequence[Mutant], jobs: int) -> None:
        self.verdicts: list[tuple[Mutant, Verdict]] = []
        self._mutants = [each for each in mutants if _living(each) is not None]
        self._jobs = jobs
        self._reached: dict[str, dict[int, list[str]]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all tests once as they are, then those for each mutant."""
        if session.testsfailed:
            raise session.Interrupted("collection failed")
        tests = self._first_run(session.items)
        running: dict[int, Mutant] = {}
        for mutant in self._mutants:
            while len(running) >= self._jobs:
                self._ended(running)
            running[_fork(mutant, self._for(mutant, tests))] = mutant
        while running:
            self._ended(running)
        return True

    def _first_run(self, items: Sequence[pytest.Item]) -> dict[str, _Test]:
        files = sorted({str(mutant.path) for mutant in self._mutants})
        measured = coverage.Coverage(data_file=None, config_file=False, include=files)
        tests: dict[str, _Test] = {}
        measured.start()
        for item in items:
            measured.switch_context(item.nodeid)
            start = time.perf_counter()
            if not _passes(item):
                raise pytest.UsageError(f"{item.nodeid} fails without a mutant")
            tests[item.nodeid] = _Test(item, time.perf_counter() - start)
        measured.stop()
        data = measured.get_data()
        self._reached = {file: data.contexts_by_lineno(file) for file in files}
        return tests

    def _for(self, mutant: Mutant, tests: dict[str, _Test]) -> list[_Test]:
        reached = self._reached[str(mutant.path)]
        names = {name for line in mutant.lines for name in reached.get(line, ())}
        found = [tests[name] for name in names if name in tests]
        return sorted(found, key=lambda test: test.seconds)

    def _ended(self, running: dict[int, Mutant]) -> None:
        process, status = os.wait()
        mutant = running.pop(process)
        code = os.waitstatus_to_exitcode(status)
        late = code == -signal.SIGALRM
        ended = Verdict.LATE if late else Verdict.KILLED
        verdict = Verdict.LIVED if code == _EXIT_LIVED else ended
        self.verdicts.append((mutant, verdict))
        if verdict is Verdict.LIVED:
            sys.stdout.write(f"lived: {mutant}\n")
            sys.stdout.flush()


def _fork(mutant: Mutant, tests: Sequence[_Test]) -> int:
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        code = _EXIT_KILLED
        try:
            code = _EXIT_LIVED if _survives(mutant, tests) else _EXIT_KILLED
        finally:
            os._exit(code)
    return process


def _survives(mutant: Mutant, tests: Sequence[_Test]) -> bool:
    with open(os.devnull, "w", encoding="utf-8") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    found = _living(mutant)
    if found is None:
        return True
    function, code = found
    function.__code__ = code
    for test in tests:
        # The default action of this signal ends the process.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(5 + 10 * test.seconds))
        if not _passes(test.item):
            return False
    return True


def _passes(item: pytest.Item) -> bool:
    return not any(report.failed for report in runtestprotocol(item, log=False))


def _living(mutant: Mutant) -> tuple[FunctionType, CodeType] | None:
    """Give the function to break, and what breaks it; None where it isn't used."""
    parts = mutant.path.with_suffix("").parts
    name = ".".join(parts[parts.index("interceptgen", parts.index("generator")) :])
    found: object = __import__(name, fromlist=["_"])
    for part in mutant.function.split("."):
        found = vars(found).get(part)
        found = found.fget if isinstance(found, property) else found
    # What a decorator of the standard library has put around it.
    found = getattr(found, "__wrapped__", found)
    if not isinstance(found, FunctionType):
        return None
    old = found.__code__
    if old.co_firstlineno != mutant.first:
        # Another system has a function of this name.
        return None
    for code in _codes(mutant.code):
        same = code.co_qualname == old.co_qualname
        if same and code.co_firstlineno == old.co_firstlineno:
            return (found, code) if code.co_freevars == old.co_freevars else None
    return None


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)
