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
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Client", "MissingError", "command"]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
KEPT = ROOT / "build" / "interop"
CLIENTS = HERE / "clients"
LOCK = ROOT / "requirements" / "dev.txt"
OLD_SDK = "a2a-sdk==0.3.26"
LOCKED_SDK = re.compile(r"^a2a-sdk==(?:.*\\\n)*.*\n", re.MULTILINE)


class MissingError(Exception):
    """An environment can't be made here; the text says what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """A script in the folder of clients.

    Attributes:
        script: Its file name.
        old_sdk: Whether it runs on the last a2a-sdk of A2A 0.3.
    """

    script: str
    old_sdk: bool = False

    def __str__(self) -> str:
        """Name the client in a test's id."""
        return f"{self.script}-old-sdk" if self.old_sdk else self.script


def command(client: Client) -> list[str]:
    """Give the command that runs a client.

    Raises:
        MissingError: If a tool is missing or a package index can't be reached.
    """
    if client.script.endswith(".mjs"):
        node = _tool("node")
        return [node, str(_node_modules() / client.script)]
    python = _python_on_old_sdk() if client.old_sdk else Path(sys.executable)
    return [str(python), str(CLIENTS / client.script)]


def _python_on_old_sdk() -> Path:
    # The project's lock but for the one package, so nothing else can drift.
    locked = LOCKED_SDK.sub(f"{OLD_SDK}\n", LOCK.read_text("utf-8"))

    def make(place: Path) -> None:
        uv = _tool("uv")
        _run(uv, "venv", "--relocatable", "--python", sys.executable, str(place))
        constraints = place / "constraints.txt"
        constraints.write_text(locked, encoding="utf-8")
        wanted = ("--constraint", str(constraints), "google-adk[a2a]")
        _run(uv, "pip", "install", "--python", str(place), *wanted)

    place = _kept("python", sys.version + locked, make)
    return place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _node_modules() -> Path:
    """Give a folder with the clients beside what they import, as Node wants it."""
    files = [HERE / "package.json", *sorted(CLIENTS.glob("*.mjs"))]

    def make(place: Path) -> None:
        place.mkdir()
        for file in files:
            shutil.copy(file, place)
        quiet = ("--no-audit", "--no-fund", "--no-package-lock")
        # The SDK's peers are for its servers, and no package needs its scripts.
        less = ("--omit=peer", "--ignore-scripts")
        _run(_tool("npm"), "install", "--prefix", str(place), *quiet, *less)

    return _kept("node", "".join(file.read_text("utf-8") for file in files), make)


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


def _tool(name: str) -> str:
    beside = str(Path(sys.executable).parent)
    found = shutil.which(name, path=beside) or shutil.which(name)
    if found is None:
        raise MissingError(f"{name} is missing")
    return found


def _run(*words: str) -> None:
    run = subprocess.run(words, capture_output=True, check=False, text=True)
    if run.returncode != 0:
        tool = " ".join([Path(words[0]).stem, words[1]])
        raise MissingError(f"'{tool}' failed, perhaps offline: {run.stderr.strip()}")
