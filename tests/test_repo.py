"""What a stranger who clones this repository may rely on."""

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from interceptgen.cli import main

ROOT = Path(__file__).parents[1]
# Spelled in parts, so that this file passes its own tests.
REGISTRIES = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("registry", "npmjs"),
        ("npmjs", "org"),
        ("deb", "debian", "org"),
    )
]
MACHINE_PATH = re.compile(r"(?<![\w.}-])/(?:work|farm|root|Users)/\w")
LIMIT = 1024 * 1024


@cache
def tracked() -> tuple[Path, ...]:
    """Give the files of the repository, new ones included."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = sorted(filter(None, run.stdout.decode().split("\0")))
    return tuple(ROOT / name for name in names if (ROOT / name).is_file())


@cache
def text(path: Path) -> str:
    """Give a file's text, whatever its encoding."""
    return path.read_text(encoding="utf-8", errors="replace")


def direct_requirements() -> list[Requirement]:
    """Give what pyproject.toml asks for by name."""
    tables = tomllib.loads(text(ROOT / "pyproject.toml"))
    run_time: list[str] = tables["project"]["dependencies"]
    dev: list[str] = tables["dependency-groups"]["dev"]
    return [Requirement(line) for line in [*run_time, *dev]]


def locked() -> dict[str, str]:
    """Map each locked package to its version."""
    lines = re.findall(
        r"^([\w.-]+)==([^\s;]+)", text(ROOT / "requirements" / "dev.txt"), re.MULTILINE
    )
    return {canonicalize_name(name): version for name, version in lines}


@pytest.mark.parametrize("host", REGISTRIES)
def test_no_registry_is_named(host: str) -> None:
    assert [path.name for path in tracked() if host in text(path)] == []


def test_no_machine_path_is_written() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in tracked()
        if (match := MACHINE_PATH.search(text(path)))
    ]
    assert found == []


def test_no_file_is_large() -> None:
    large = [path.name for path in tracked() if path.stat().st_size > LIMIT]
    assert large == []


@pytest.mark.parametrize("requirement", direct_requirements(), ids=str)
def test_requirements_are_locked_in_range(requirement: Requirement) -> None:
    version = locked().get(canonicalize_name(requirement.name))
    assert version is not None, "run: python .ci/dev lock"
    assert requirement.specifier.contains(version, prereleases=True)


def test_every_locked_package_has_a_hash() -> None:
    blocks = text(ROOT / "requirements" / "dev.txt").split("\n")
    heads = [number for number, line in enumerate(blocks) if "==" in line]
    assert [blocks[n] for n in heads if "--hash=sha256:" not in blocks[n + 1]] == []


def test_docs_mention_each_command() -> None:
    docs = "\n".join(
        text(path)
        for path in tracked()
        if path == ROOT / "README.md" or ROOT / "docs" in path.parents
    )
    missing = [name for name in main.commands if f"interceptgen {name}" not in docs]
    assert missing == []


def test_each_adr_is_indexed_and_short() -> None:
    folder = ROOT / "docs" / "adr"
    index = text(folder / "README.md")
    for path in sorted(folder.glob("[0-9]*.md")):
        assert f"]({path.name})" in index
        assert len(text(path).splitlines()) <= 50, f"{path.name} is over one screen"
