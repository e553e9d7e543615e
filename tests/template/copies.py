"""What tests of the template share: git, copier's command, a service's contents."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

ROOT = Path(__file__).parents[2]


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder, as nobody in particular."""
    identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    command = ["git", *identity, "-c", "commit.gpgsign=false", *arguments]
    run = subprocess.run(
        command, cwd=folder, capture_output=True, check=True, text=True
    )
    return run.stdout


def commit(folder: Path, *, tag: str = "") -> None:
    """Commit everything in a folder, and tag it."""
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "state")
    if tag:
        git(folder, "tag", tag)


def run_copier(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run copier's own command, with nobody to ask."""
    return subprocess.run(
        [sys.executable, "-m", "copier", *arguments],
        capture_output=True,
        check=False,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )


def contents(service: Path) -> dict[str, str]:
    """Map each file of a service to its text, but for copier's answers."""
    return {
        path.relative_to(service).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(service.rglob("*"))
        if path.is_file()
        and path.name != ".copier-answers.yml"
        and not {".git", "__pycache__"} & set(path.parts)
    }


def rules() -> Any:  # noqa: ANN401 - jinja2 gives no types to a template's macros
    """Load the macros as copier does."""
    environment = Environment(
        loader=FileSystemLoader(ROOT),
        extensions=["jinja2_ansible_filters.AnsibleCoreFiltersExtension"],
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 - plain text
    )
    return environment.get_template("templates/rules.jinja").module


RULES = rules()
