"""Environments of other projects' clients, made once and kept in build/interop.

What they hold is pinned: the JavaScript packages by package.json, the Python
ones by the project's own lock, but for the SDK that differs.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

__all__ = ["MissingError", "node", "node_modules", "python_on_old_sdk"]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KEPT = ROOT / "build" / "interop"
LOCK = ROOT / "requirements" / "dev.txt"
OLD_SDK = "a2a-sdk==0.3.26"
LOCKED_SDK = r"^a2a-sdk==(?:.*\\\n)*.*\n"


class MissingError(Exception):
    """An environment can't be made here; the text says what is missing."""


def python_on_old_sdk() -> Path:
    """Give an interpreter that has ADK on the last a2a-sdk of A2A 0.3.

    Raises:
        MissingError: If uv or the package index can't be reached.
    """
    place = _kept("python", f"{sys.version}{OLD_SDK}{LOCK.read_text('utf-8')}", _python)
    return place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def node_modules() -> Path:
    """Give the folder that holds the JavaScript SDKs.

    Raises:
        MissingError: If npm or its registry can't be reached.
    """
    pins = (HERE / "package.json").read_text("utf-8")
    return _kept("node", pins, _node_modules) / "node_modules"


def node() -> str:
    """Give the command that runs JavaScript.

    Raises:
        MissingError: If there is none.
    """
    return _command("node")


def _kept(kind: str, contents: str, make: Callable[[Path], None]) -> Path:
    """Find what was made of the same contents before, or make it."""
    digest = hashlib.sha256(contents.encode()).hexdigest()[:12]
    place = KEPT / f"{kind}-{digest}"
    if place.exists():
        return place
    KEPT.mkdir(parents=True, exist_ok=True)
    # Made aside and then renamed: another worker may be at the same.
    with tempfile.TemporaryDirectory(dir=KEPT) as scratch:
        made = Path(scratch, kind)
        make(made)
        if not place.exists():
            made.rename(place)
    return place


def _python(place: Path) -> None:
    uv = _command("uv")
    _run(uv, "venv", "--relocatable", "--python", sys.executable, str(place))
    # The project's lock but for the one package, so nothing else can drift.
    locked = re.sub(LOCKED_SDK, f"{OLD_SDK}\n", LOCK.read_text("utf-8"), flags=re.M)
    constraints = place / "constraints.txt"
    constraints.write_text(locked, encoding="utf-8")
    wanted = ("--constraint", str(constraints), "google-adk[a2a]")
    _run(uv, "pip", "install", "--python", str(place), *wanted)


def _node_modules(place: Path) -> None:
    place.mkdir()
    shutil.copy(HERE / "package.json", place)
    quiet = ("--no-audit", "--no-fund", "--no-package-lock")
    # The SDK's peers are for its servers, and no package needs its scripts.
    less = ("--omit=peer", "--ignore-scripts")
    _run(_command("npm"), "install", "--prefix", str(place), *quiet, *less)


def _command(name: str) -> str:
    beside = Path(sys.executable).parent
    found = shutil.which(name, path=str(beside)) or shutil.which(name)
    if found is None:
        raise MissingError(f"{name} is missing")
    return found


def _run(*words: str) -> None:
    run = subprocess.run(words, capture_output=True, check=False, text=True)
    if run.returncode != 0:
        tool = " ".join([Path(words[0]).stem, words[1]])
        raise MissingError(f"'{tool}' failed, perhaps offline: {run.stderr.strip()}")
