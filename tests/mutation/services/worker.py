"""Runs a service's tests against faults of its modules, each in a fork.

Run as a program, in the service's folder, with its `src` on the path. It reads JSON
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
import resource
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple, NoReturn

import coverage
import pytest
from _pytest.runner import runtestprotocol

JOBS = int(sys.argv[1])
TESTS = "tests/generated"
PLUGINS = (
    *("-p", "anyio.pytest_plugin", "-p", "no:cacheprovider", "-q", "-s", "-x"),
    *(f"--ignore={TESTS}/{name}" for name in sys.argv[2:]),
)
"""How pytest is called: without the test files that are named on the command line."""
MEMORY = 8 << 30
"""Bytes of address space, for a fault that fills a list without an end."""
LIVED, KILLED, UNREACHED = "lived", "killed", "unreached"
SAME = "same"
"""The fault is none: Python makes the same of both texts."""
NOT_FOUND = 64
"""Exit code: there is no function to put the fault into."""


class Task(NamedTuple):
    """A fault to try.

    Attributes:
        number: What the answer names it by.
        path: The module's file.
        lines: The first line of the statement with the fault, and the one after it.
        text: The whole module with the fault.
    """

    number: int
    path: str
    lines: tuple[int, int]
    text: str


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
        """Give the tests that run anything of a module, the fastest first."""
        names = {
            each for line in self.reached.get(task.path, {}).values() for each in line
        }
        return sorted(names & self.seconds.keys(), key=self.seconds.__getitem__)


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
        forks = Forks()
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


class Forks:
    """Children, a few at once, whose exit codes are the answers."""

    def __init__(self) -> None:
        self._running: dict[int, int] = {}

    @contextlib.contextmanager
    def child(self, number: int) -> Iterator[bool]:
        """Fork; the block runs in the child, which never leaves it, and in the parent."""
        while len(self._running) >= JOBS:
            self._ended()
        process = os.fork()
        if process:
            self._running[process] = number
            yield False
            return
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            silence()
            yield True
        finally:
            os._exit(code)

    def finish(self) -> None:
        """Wait for the last."""
        while self._running:
            self._ended()

    def _ended(self) -> None:
        process, status = os.wait()
        number = self._running.pop(process)
        code = os.waitstatus_to_exitcode(status)
        answer(number, LIVED if code == 0 else KILLED)


def serve(tasks: Sequence[Task]) -> None:
    """Try all faults of a service."""
    report = Path("baseline.json")
    sources = sorted({task.path for task in tasks})
    alone(lambda: run([TESTS], Measuring(report, sources)))
    seconds, reached, modules = json.loads(report.read_bytes())
    by_line = {
        file: {int(line): names for line, names in lines.items()}
        for file, lines in reached.items()
    }
    baseline = Baseline(seconds, by_line, modules)
    for name in modules:
        if is_shared(name):
            # Some can't be imported twice, or by name at all.
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
    forks = Forks()
    for task in tasks:
        if task.number not in elsewhere:
            continue
        tests = baseline.tests_of_module(task)
        if not tests:
            answer(task.number, UNREACHED)
            continue
        with forks.child(task.number) as is_child:
            if is_child:
                allow(sum(baseline.seconds[name] for name in tests) + 20)
                load_with(task)
                os._exit(int(run(tests) != 0))
    forks.finish()


def run(words: Sequence[str], *plugins: object) -> int:
    """Run pytest."""
    return int(pytest.main([*PLUGINS, *words], plugins=plugins))


def alone(job) -> None:
    """Do something in a child, and wait for its end."""
    process = os.fork()
    if process == 0:
        try:
            with redirected():
                job()
            os._exit(0)
        except BaseException as error:
            sys.stderr.write(repr(error))
            raise
        finally:
            os._exit(1)
    _, status = os.waitpid(process, 0)
    if status:
        sys.exit(f"the tests can't be run: {Path('output.txt').read_text()[-3000:]}")


ANSWERS = os.dup(1)
"""Where answers go, whatever the tests print."""


@contextlib.contextmanager
def redirected() -> Iterator[None]:
    """Let what pytest prints stand in a file."""
    with Path("output.txt").open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        yield
        sys.stdout.flush()


def silence() -> None:
    """Let nobody see what the tests print."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def answer(number: int, verdict: str) -> None:
    """Tell what became of a fault."""
    os.write(ANSWERS, (json.dumps([number, verdict]) + "\n").encode())


def allow(seconds: float) -> None:
    """End this process by a signal if it takes many times its time."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(10 + 10 * seconds))


def passes(item: pytest.Item) -> bool:
    """Run a test with its fixtures."""
    return not any(report.failed for report in runtestprotocol(item, log=False))


def is_shared(name: str) -> bool:
    """Tell whether a module may be imported before pytest and the service are.

    pytest wants to be the first to import a plugin, and a C module that the library
    around it didn't import is half of one.
    """
    first = name.partition(".")[0]
    own = {"tests", *os.listdir("src")}
    return first not in own and not name.startswith("_") and "pytest" not in name


def load_with(task: Task) -> None:
    """Let the import of the module give the one with the fault."""
    loader = importlib.machinery.SourceFileLoader
    read = loader.get_code

    def get_code(self: importlib.machinery.SourceFileLoader, name: str):
        if self.path == task.path:
            return compile(task.text, task.path, "exec", dont_inherit=True)
        return read(self, name)

    loader.get_code = get_code


def living(task: Task) -> tuple[Sequence[FunctionType], CodeType] | None:
    """Give the functions to put a fault into, and what is put in."""
    sound = compile(Path(task.path).read_bytes(), task.path, "exec", dont_inherit=True)
    broken = compile(task.text, task.path, "exec", dont_inherit=True)
    found = other_function(sound, broken)
    if found is None:
        return None
    old, new = found
    functions = [
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType) and each.__code__ == old
    ]
    if not functions or old.co_freevars != new.co_freevars:
        return None
    return functions, new


def other_function(old: CodeType, new: CodeType) -> tuple[CodeType, CodeType] | None:
    """Give the one outermost function in which two modules differ."""
    if old.co_flags & IS_FUNCTION:
        return old, new
    if meaning(old)[:-1] != meaning(new)[:-1]:
        return None
    pairs = zip(codes(old), codes(new), strict=True)
    different = [pair for pair in pairs if meaning(pair[0]) != meaning(pair[1])]
    return other_function(*different[0]) if len(different) == 1 else None


IS_FUNCTION = 2
"""CO_NEWLOCALS without a class body, which has neither it nor CO_OPTIMIZED."""


def meaning(code: CodeType) -> tuple[object, ...]:
    """Give what a code does, without its lines; what is nested in it comes last."""
    own = [
        (type(each), each) for each in code.co_consts if not isinstance(each, CodeType)
    ]
    return (
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_flags,
        code.co_exceptiontable,
        own,
        [meaning(each) for each in codes(code)],
    )


def codes(code: CodeType) -> list[CodeType]:
    """Give the codes nested in a code."""
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def main() -> None:
    """Read the faults, and answer each."""
    del sys.path[0]
    tasks = [Task(**json.loads(line)) for line in sys.stdin.read().splitlines()]
    whole: list[Task] = []
    for task in tasks:
        sound = compile(Path(task.path).read_bytes(), task.path, "exec")
        broken = compile(task.text, task.path, "exec")
        if meaning(sound) == meaning(broken):
            answer(task.number, SAME)
        else:
            whole.append(task)
    if whole:
        serve(whole)


if __name__ == "__main__":
    main()
