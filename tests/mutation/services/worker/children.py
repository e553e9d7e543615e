"""Children of this process, where the tests run."""

import contextlib
import os
import resource
import signal
import sys
from collections.abc import Callable, Generator
from pathlib import Path

from task import KILLED, LIVED, answer

__all__ = ["Forks", "allow", "alone", "told"]

_OUTPUT = Path("output.txt")
_MEMORY = 8 << 30
"""Bytes of address space, for a fault that fills a list without an end."""


class Forks:
    """Children, a few at once, whose exit codes are the answers."""

    def __init__(self, jobs: int) -> None:
        """Begin with none of them; at most `jobs` will run at once."""
        self._jobs = jobs
        self._running: dict[int, int] = {}

    @contextlib.contextmanager
    def child(self, number: int) -> Generator[bool, None, None]:
        """Fork; the block runs in both, and ends the child."""
        while len(self._running) >= self._jobs:
            self._ended()
        process = os.fork()
        if process:
            self._running[process] = number
            yield False
            return
        try:
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
            _silence()
            yield True
        finally:
            os._exit(1)

    def finish(self) -> None:
        """Wait for the last."""
        while self._running:
            self._ended()

    def _ended(self) -> None:
        process, status = os.wait()
        number = self._running.pop(process)
        code = os.waitstatus_to_exitcode(status)
        answer(number, LIVED if code == 0 else KILLED)


def alone(job: Callable[[], object]) -> None:
    """Do something in a child, and wait for its end."""
    process = os.fork()
    if process == 0:
        try:
            with _redirected():
                job()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(process, 0)
    if status:
        sys.exit(f"the tests can't be run:\n{told()}")


def told() -> str:
    """Give the end of what pytest has printed."""
    return _OUTPUT.read_text(encoding="utf-8", errors="replace")[-3000:]


def allow(seconds: float) -> None:
    """End this process by a signal if it takes many times its time."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(10 + 10 * seconds))


@contextlib.contextmanager
def _redirected() -> Generator[None, None, None]:
    """Let what pytest prints stand in a file."""
    with _OUTPUT.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
        yield
        sys.stdout.flush()


def _silence() -> None:
    """Let nobody see what the tests print."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
