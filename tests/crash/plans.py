"""Plans made by hand, and a folder in memory for them."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from interceptgen.lock import Lock, format_lock
from interceptgen.plan import Action, Plan, Step

__all__ = [
    "LOCK_TEXT",
    "fails",
    "left",
    "linux",
    "names",
    "open_files",
    "plan",
    "posix",
    "put",
    "step",
]

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX")
linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
LOCK = Lock(inputs="in", files={})
LOCK_TEXT = format_lock(LOCK).encode()


def put(root: Path, **files: bytes) -> None:
    for name, data in files.items():
        path = root / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def step(path: str, before: bytes | None, after: bytes | None) -> Step:
    written = Action.CREATE if before is None else Action.REPLACE
    return Step(
        action=Action.DELETE if after is None else written,
        path=path,
        before=before,
        after=after,
        reason="test",
    )


def plan(*steps: Step, lock: Lock | None = LOCK) -> Plan:
    return Plan(steps=steps, lock=lock, lock_is_stale=True)


def fails(code: int) -> Callable[..., NoReturn]:
    def fail(*_: object, **__: object) -> NoReturn:
        raise OSError(code, os.strerror(code))

    return fail


def names(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))


def left(root: Path, number: int) -> Path:
    stage = root / f".interceptgen-stage-{number}"
    put(stage, **{"interceptgen.lock": b"{}", "files__a": b""})
    return stage


def open_files() -> int:
    return len([*Path("/proc/self/fd").iterdir()]) if sys.platform == "linux" else 0
