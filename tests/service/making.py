"""Makes services for tests, to run in this environment: nothing is installed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import copier
from click.testing import CliRunner

from interceptgen.cli import main

__all__ = ["ROOT", "Run", "Template", "environment", "generate", "run", "write"]

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Run:
    """How a command ended.

    Attributes:
        code: Its exit code.
        output: What it printed, errors last.
    """

    code: int
    output: str


class Template:
    """The project's template, as a folder that no git repository slows down."""

    def __init__(self, folder: Path) -> None:
        """Copy the template of this checkout into an empty folder."""
        self._folder = folder
        shutil.copytree(ROOT / "templates", folder / "templates")
        shutil.copy2(ROOT / "copier.yml", folder)

    def make(self, service: Path, spec: str | None = None, **answers: object) -> Path:
        """Make a complete service.

        Args:
            service: Its folder, which isn't there yet.
            spec: Its interceptors.yaml; by default the template's own.
            answers: The answers to the template's questions.
        """
        copier.run_copy(
            str(self._folder),
            service,
            answers,
            settings=copier.Settings(),
            defaults=True,
            quiet=True,
            skip_tasks=True,
        )
        if spec is not None:
            (service / "interceptors.yaml").write_text(spec, encoding="utf-8")
        generate(service)
        return service


def generate(service: Path) -> None:
    """Run `interceptgen generate`, which must succeed."""
    done = CliRunner().invoke(main, ["generate", str(service)])
    assert done.exit_code == 0, done.output


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def run(
    service: Path, module: str, *arguments: str | Path, before: Sequence[Path] = ()
) -> Run:
    """Run a module of this environment in a service's folder.

    Args:
        service: The service.
        module: What follows `python -m`.
        arguments: The words after it.
        before: Folders of packages that win over this environment's.
    """
    done = subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=service,
        env=environment(*before, service / "src"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return Run(done.returncode, done.stdout + done.stderr)


def environment(*packages: Path) -> dict[str, str]:
    """Give the variables of a process that can import what lies in the folders.

    Of this environment's pytest plugins none loads by itself: a service has
    only those of its own dependencies.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST_", "COV_", "ORDERS_"))
    }
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(map(str, packages)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
