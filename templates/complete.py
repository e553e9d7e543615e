"""Completes a service that copier has rendered: runs the generator of this checkout.

Copier runs this file with its own Python, which may lack what the generator
needs. Then uv brings it; without uv the task fails with the command that
completes the service.
"""

from __future__ import annotations

import importlib.util
import json
import os
import runpy
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import yaml
from packaging.requirements import Requirement

__all__ = ["main"]

# What the generator imports; a test keeps this equal to pyproject.toml.
REQUIREMENTS = (
    "click>=8.1.7",
    "jinja2>=3.1.6",
    "libcst>=1.8.6",
    "packaging>=24",
    "pydantic>=2.11,<3",
    "pyyaml>=6.0.2",
    "ruff>=0.17.6,<0.18",
    "tomlkit>=0.13",
)
MINIMUM_PYTHON = (3, 11)
# To keep what an update of a service without a commit needs; copier's Python has it.
COPIER = "copier>=9.19"


def main(destination: str, answers_file: str, source: str) -> int:
    """Generate the code of the service in the working directory.

    Args:
        destination: The service's folder as its maker wrote it.
        answers_file: Copier's answers, relative to the working directory.
        source: Where the generator can be installed from; empty for an
            installed one.

    Returns:
        0, or what the generator exits with, at least 1.
    """
    command = _generator()
    if command is None:
        reason = "this Python lacks what the generator needs, and there is no uv"
        status = 1
    else:
        status = subprocess.run(command, check=False).returncode  # noqa: S603 - no text from outside
        reason = f"the generator failed with exit code {status}"
    if status:
        remedy = _completing_command(destination, Path(answers_file), source)
        sys.stderr.write(
            f"\ninterceptgen: {reason}.\nThis command makes the complete service:\n\n"
            f"    {remedy}\n\n"
        )
    return status


def _generator() -> list[str] | None:
    """Tell how to run the generator here, if it can be run at all."""
    inner = [str(Path(__file__).resolve()), "--inside", "generate", "."]
    if _satisfied():
        return [sys.executable, *inner]
    # A tool that uv itself runs, as `uvx copier` does, finds uv in UV.
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv is None:
        return None
    needs = [part for name in (*REQUIREMENTS, COPIER) for part in ("--with", name)]
    python = ".".join(map(str, MINIMUM_PYTHON))
    options = ["--isolated", "--no-project", "--quiet", "--python", f">={python}"]
    return [uv, "run", *options, *needs, "python", *inner]


def _satisfied() -> bool:
    """Tell whether this very Python can run the generator."""
    try:
        return sys.version_info >= MINIMUM_PYTHON and all(
            need.specifier.contains(version(need.name), prereleases=True)
            for need in map(Requirement, REQUIREMENTS)
        )
    except PackageNotFoundError:
        return False


def _completing_command(destination: str, answers_file: Path, source: str) -> str:
    """Write the command that makes the same service from nothing.

    From nothing, for copier removes the folder of a copy whose task failed.
    """
    answers = yaml.safe_load(answers_file.read_text(encoding="utf-8"))
    command = ["uvx", "--from", source] if source else []
    command += ["interceptgen", "new", destination, "--defaults"]
    for key, value in answers.items():
        if not key.startswith("_"):
            command += ["--data", f"{key}={_flow(value)}"]
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)


def _flow(value: object) -> str:
    """Write an answer as copier reads it from a command line."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _run_inside(arguments: list[str]) -> None:
    """Run the generator of this checkout, or of the wheel that holds this file.

    It is loaded by its place and not through PYTHONPATH: in a wheel its
    neighbours are packages of another environment.
    """
    root = Path(__file__).resolve().parents[1]
    checkout = root / "generator" / "interceptgen"
    package = checkout if checkout.is_dir() else root.parent
    spec = importlib.util.spec_from_file_location(
        "interceptgen",
        package / "__init__.py",
        submodule_search_locations=[str(package)],
    )
    if spec is None or spec.loader is None:
        raise FileNotFoundError(package)
    module = importlib.util.module_from_spec(spec)
    sys.modules["interceptgen"] = module
    spec.loader.exec_module(module)
    # The folder of this file holds modules of services, none of the generator's.
    del sys.path[0]
    _remember()
    sys.argv = ["interceptgen", *arguments]
    runpy.run_module("interceptgen", run_name="__main__", alter_sys=True)


def _remember() -> None:
    """Record which template the service in the working directory stands on."""
    from interceptgen import baseline  # noqa: PLC0415 - it was loaded just now

    commit = baseline.commit_of(Path())
    if commit:
        stands_on = baseline.Baseline(baseline.template_digest(), commit, None)
        baseline.write_baseline(Path(), stands_on)
    else:
        from interceptgen.template import remember  # noqa: PLC0415 - needs copier

        remember(Path())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        _run_inside(sys.argv[2:])
    else:
        sys.exit(main(*sys.argv[1:]))
