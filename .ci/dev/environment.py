"""The project's virtual environment: made, filled and kept in step.

Needs Python 3.11+ and the package index, nothing else; the standard library
is all it imports, since it runs before anything is installed.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping
from pathlib import Path

__all__ = ["ROOT", "SetupError", "call", "environ", "lock", "python", "setup"]

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
REQUIREMENTS = ROOT / "requirements" / "dev.txt"
STAMP = VENV / "interceptgen-setup.txt"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
FLOOR = (3, 11)


class SetupError(Exception):
    """Set-up can't go on; the text says what is missing."""


def python() -> Path:
    """Give the environment's interpreter, whether it is there or not."""
    return SCRIPTS / ("python.exe" if os.name == "nt" else "python")


def environ() -> dict[str, str]:
    """Give the variables of a command that runs inside the environment."""
    path = os.pathsep.join([str(SCRIPTS), os.environ.get("PATH", os.defpath)])
    return {**os.environ, "PATH": path, "VIRTUAL_ENV": str(VENV)}


def call(
    *command: str | Path,
    cwd: Path = ROOT,
    variables: Mapping[str, str] | None = None,
) -> int:
    """Run a command inside the environment and give its exit code."""
    env = {**environ(), **(variables or {})}
    words = [str(word) for word in command]
    shown = ["python" if word == str(python()) else word for word in words]
    print(f"$ {' '.join(shown)}", flush=True)
    # By its full path: on Windows a bare name isn't looked up in `env`.
    words[0] = shutil.which(words[0], path=env["PATH"]) or words[0]
    return subprocess.run(words, cwd=cwd, env=env, check=False).returncode


def setup() -> None:
    """Make the environment hold exactly what the requirements file says.

    Does nothing where that is so already.

    Raises:
        SetupError: If the interpreter is too old or an install fails.
    """
    if sys.version_info < FLOOR:
        found = ".".join(map(str, sys.version_info[:3]))
        raise SetupError(f"Python 3.11 or newer is needed, this is {found}")
    if _stamp_is_current():
        return
    print(f"setting up {VENV.relative_to(ROOT)} ...", flush=True)
    if not python().exists():
        _make_venv()
    uv = _uv()
    _install(uv, "sync", "--require-hashes", str(REQUIREMENTS))
    # Not isolated: the build backend is among the hashed requirements.
    editable = ("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    _install(uv, "install", *editable)
    STAMP.write_text(_fingerprint(), encoding="utf-8")


def lock(*, upgrade: bool) -> int:
    """Compile the requirements file from pyproject.toml.

    Args:
        upgrade: Take the newest versions, not those that the file holds.

    Returns:
        The compiler's exit code.
    """
    options = [
        "--universal",
        "--python-version=3.11",
        "--generate-hashes",
        "--no-emit-index-url",
        "--no-emit-find-links",
        "--custom-compile-command=python .ci/dev lock",
        "--group=dev",
        "--quiet",
    ]
    target = f"--output-file={REQUIREMENTS.relative_to(ROOT).as_posix()}"
    more = ["--upgrade"] if upgrade else []
    return call("uv", "pip", "compile", *options, *more, target, "pyproject.toml")


def _make_venv() -> None:
    if (uv := shutil.which("uv")) is not None:
        _run(uv, "venv", "--quiet", "--python", sys.executable, str(VENV))
        return
    try:
        venv.create(VENV, with_pip=True)
    except subprocess.CalledProcessError as error:
        text = "this Python can't make environments; on Debian: install python3-venv"
        raise SetupError(text) from error


def _uv() -> str:
    """Find uv, or install the very one that the requirements file names."""
    path = environ()["PATH"]
    if (uv := shutil.which("uv", path=path)) is not None:
        return uv
    with tempfile.TemporaryDirectory() as folder:
        only = Path(folder, "uv.txt")
        only.write_text(_requirement("uv"), encoding="utf-8")
        pip = (str(python()), "-m", "pip", "--disable-pip-version-check")
        _run(*pip, "install", "--quiet", "--requirement", str(only))
    found = shutil.which("uv", path=path)
    if found is None:
        raise SetupError("uv was installed, but can't be found")
    return found


def _requirement(name: str) -> str:
    text = REQUIREMENTS.read_text(encoding="utf-8")
    match = re.search(rf"^{name}==(?:.*\\\n)*.*\n", text, flags=re.MULTILINE)
    if match is None:
        raise SetupError(f"{REQUIREMENTS.relative_to(ROOT)} has no {name}")
    return match[0]


def _install(uv: str, verb: str, *words: str) -> None:
    _run(uv, "pip", verb, "--quiet", "--python", str(python()), *words)


def _run(*words: str) -> None:
    try:
        subprocess.run(words, cwd=ROOT, check=True)
    except subprocess.CalledProcessError as error:
        text = f"set-up stopped: {Path(words[0]).name} ended with {error.returncode}"
        raise SetupError(text) from error


def _stamp_is_current() -> bool:
    if not python().exists() or not STAMP.exists():
        return False
    return STAMP.read_text(encoding="utf-8") == _fingerprint()


def _fingerprint() -> str:
    digest = hashlib.sha256(str(ROOT).encode())
    for path in (REQUIREMENTS, ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()
