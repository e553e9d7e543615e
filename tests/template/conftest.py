"""The template as its users have it: a git repository with tags, or a folder."""

import shutil
from collections.abc import Callable
from pathlib import Path

import copier
import pytest
from tests.template.copies import ROOT, commit, git

Render = Callable[..., Path]


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the working tree as a folder without git."""
    listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    folder = tmp_path_factory.mktemp("plain") / "interceptgen"
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def checkout(plain: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the working tree as a git repository with one tag."""
    folder = tmp_path_factory.mktemp("checkout") / "interceptgen"
    shutil.copytree(plain, folder)
    commit(folder, tag="v0.1.0")
    return folder


@pytest.fixture
def render(plain: Path, tmp_path: Path) -> Render:
    """Give a function that renders the template with some answers."""

    def apply(**answers: object) -> Path:
        service = tmp_path / "made" / "orders"
        shutil.rmtree(service, ignore_errors=True)
        copier.run_copy(
            str(plain),
            service,
            answers,
            settings=copier.Settings(),
            defaults=True,
            quiet=True,
            skip_tasks=True,
        )
        return service

    return apply
