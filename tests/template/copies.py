"""What tests of the template share: git, copier's command, a service's contents."""

import os
import shutil
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
    """Map each file of a service to its text, but for what tells its origin."""
    return {
        path.relative_to(service).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(service.rglob("*"))
        if path.is_file()
        and path.name not in {".copier-answers.yml", ".interceptgen-template.json"}
        and not {".git", "__pycache__"} & set(path.parts)
    }


def state(service: Path) -> dict[str, tuple[bytes, int]]:
    """Map each file of a service to its bytes and permissions."""
    return {
        path.relative_to(service).as_posix(): (path.read_bytes(), path.stat().st_mode)
        for path in sorted(service.rglob("*"))
        if path.is_file() and not {".git", "__pycache__"} & set(path.parts)
    }


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that a file holds, once or more."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path.name} has no {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def copy_template(plain: Path, folder: Path) -> Path:
    """Copy what copier needs of the template, and nothing else."""
    shutil.copytree(plain / "templates", folder / "templates")
    shutil.copy(plain / "copier.yml", folder)
    return folder


def age(template: Path) -> None:
    """Turn a template into one as it may have been a version earlier."""
    skeleton = template / "templates" / "service"
    edit(skeleton / "README.md.jinja", "You need [uv]", "Install [uv]")
    edit(skeleton / "pyproject.toml.jinja", "uvicorn>=0.34", "uvicorn>=0.30")
    edit(skeleton / "pyproject.toml.jinja", "ruff>=0.15", "ruff>=0.10")
    docker = next(skeleton.glob("*Dockerfile*"))
    edit(docker, "python:3.13-slim", "python:3.12-slim")
    (skeleton / ".env.example.jinja").unlink()
    (skeleton / "NOTES.md").write_text("Dropped by the next version.\n")


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
