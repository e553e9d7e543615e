"""Breaks a run at one of its system calls, and finds out which there are.

Every function of `os` that isn't known to read is counted, so a run that comes
to use another one is broken there as well. What goes round `os` is found by
the interpreter's own audit events.
"""

import errno
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ParamSpec, TypeVar

__all__ = ["DEAD", "Counter", "How", "Moment", "counting", "in_child"]

P = ParamSpec("P")
R = TypeVar("R")

DEAD = 77
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
READING = frozenset(
    {
        "DirEntry",
        "PathLike",
        "access",
        "close",
        "cpu_count",
        "fsdecode",
        "fsencode",
        "fspath",
        "fstat",
        "get_exec_path",
        "get_inheritable",
        "get_terminal_size",
        "getcwd",
        "getcwdb",
        "getegid",
        "getenv",
        "geteuid",
        "getgid",
        "getlogin",
        "getpgid",
        "getpgrp",
        "getpid",
        "getppid",
        "getrandom",
        "getuid",
        "isatty",
        "listdir",
        "lseek",
        "lstat",
        "read",
        "readlink",
        "register_at_fork",
        "scandir",
        "stat",
        "stat_result",
        "strerror",
        "sysconf",
        "umask",
        "uname",
        "urandom",
        "waitpid",
        "walk",
    }
)
AUDITED = frozenset(
    {
        "os.chmod",
        "os.chown",
        "os.link",
        "os.mkdir",
        "os.remove",
        "os.removexattr",
        "os.rename",
        "os.rmdir",
        "os.setxattr",
        "os.symlink",
        "os.truncate",
        "os.utime",
    }
)


class Moment(StrEnum):
    """When, seen from the call."""

    BEFORE = "before"
    WITHIN = "within"
    """After half of what was to be written."""
    AFTER = "after"


class How(StrEnum):
    """What happens then."""

    DEATH = "death"
    REFUSAL = "refusal"
    INTERRUPT = "interrupt"


@dataclass(kw_only=True)
class Counter:
    """Counts the calls of a run, and breaks it at one of them.

    Attributes:
        at: The number of that call; -1 to break at none.
        calls: What was called so far.
        missed: Writes that no counted call made.
    """

    at: int = -1
    moment: Moment = Moment.BEFORE
    how: How = How.DEATH
    calls: list[str] = field(default_factory=list[str])
    missed: list[str] = field(default_factory=list[str])
    _depth: int = 0
    _broken: bool = False

    def wrapped(self, name: str, function: Callable[P, R]) -> Callable[P, R]:
        """Give a function of `os` that is counted."""

        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if name == "open" and not _flags(args) & WRITING:
                return function(*args, **kwargs)
            number = len(self.calls)
            self.calls.append(name)
            self._strike(number, Moment.BEFORE)
            if name == "write" and self._is_due(number, Moment.WITHIN):
                os_write(*_half(args))
                self._strike(number, Moment.WITHIN)
            self._depth += 1
            try:
                return function(*args, **kwargs)
            finally:
                self._depth -= 1
                self._strike(number, Moment.AFTER)

        return call

    def audit(self, event: str, args: tuple[object, ...]) -> None:
        """Note a write that isn't counted."""
        opened = event == "open" and isinstance(args[2], int) and args[2] & WRITING
        if (opened or event in AUDITED) and not self._depth:
            self.missed.append(f"{event} {args[0]!r}")

    def _is_due(self, number: int, moment: Moment) -> bool:
        return (self.at, self.moment, self._broken) == (number, moment, False)

    def _strike(self, number: int, moment: Moment) -> None:
        if not self._is_due(number, moment):
            return
        self._broken = True
        if self.how is How.DEATH:
            os_exit(DEAD)
        if self.how is How.INTERRUPT:
            raise KeyboardInterrupt
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


os_exit, os_write = os._exit, os.write


def _flags(args: tuple[object, ...]) -> int:
    return args[1] if len(args) > 1 and isinstance(args[1], int) else 0


def _half(args: tuple[object, ...]) -> tuple[int, bytes]:
    descriptor, data = args
    assert isinstance(descriptor, int)
    assert isinstance(data, memoryview)
    whole = data.tobytes()
    return descriptor, whole[: len(whole) // 2]


@contextmanager
def counting(counter: Counter) -> Generator[Counter, None, None]:
    """Count what is called meanwhile."""
    saved = {
        name: value
        for name, value in vars(os).items()
        if callable(value)
        and not name.startswith("_")
        and name not in READING
        and not isinstance(value, type)
    }
    for name, function in saved.items():
        setattr(os, name, counter.wrapped(name, function))
    try:
        yield counter
    finally:
        for name, function in saved.items():
            setattr(os, name, function)


def in_child(act: Callable[[], str]) -> tuple[int, str]:
    """Do something in a child process.

    Returns:
        The exit code, and what the child said; a traceback if it failed.
    """
    sys.stdout.flush()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        code = 0
        try:
            said = act()
        except BaseException as error:  # noqa: BLE001 - told to the parent
            code, said = 1, f"{type(error).__name__}: {error}"
        os_write(writer, said.encode())
        os_exit(code)
    os.close(writer)
    with open(reader, encoding="utf-8") as pipe:  # noqa: PTH123 - a descriptor
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), said
