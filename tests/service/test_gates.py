"""A made service passes its own gates, whatever was answered or specified."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from tests.service.fleet import ROWS, Member, all_pairs, fleet, pairs
from tests.service.making import Template, run, write

FLEET = fleet()
service_test = pytest.mark.service
each_member = pytest.mark.parametrize("member", FLEET, ids=lambda member: member.name)


def test_each_pair_of_answers_stands_in_a_row() -> None:
    found = set[tuple[object, ...]]().union(*map(pairs, ROWS))
    assert all_pairs() - found == set()


@pytest.fixture(scope="session")
def made(template: Template, tmp_path_factory: pytest.TempPathFactory) -> "Made":
    """Give what makes each member of the fleet once."""
    return Made(template, tmp_path_factory.mktemp("fleet"))


class Made:
    """The members that are made, side by side in one folder."""

    def __init__(self, template: Template, folder: Path) -> None:
        """Make members from the template, in the folder."""
        self._template, self.folder = template, folder

    def __getitem__(self, member: Member) -> Path:
        """Make the member unless it is there."""
        path = self.folder / member.package
        return path if path.exists() else member.make(self._template, self.folder)

    def all(self) -> list[Path]:
        """Make all members."""
        return [self[member] for member in FLEET]


@service_test
@each_member
def test_its_tests_are_green_offline(made: Made, member: Member) -> None:
    """With warnings as errors and no socket at all."""
    plugins = ["anyio.pytest_plugin", "pytest_socket", "no:cacheprovider"]
    words = [word for plugin in plugins for word in ("-p", plugin)]
    done = run(
        made[member], "pytest", *words, "--disable-socket", "--allow-unix-socket", "-q"
    )
    assert done.code == 0, done.output


@service_test
def test_all_are_clean_for_ruff(made: Made) -> None:
    for service in made.all():
        for words in (["check", "."], ["format", "--check", "."]):
            done = run(service, "ruff", *words, "--no-cache")
            assert done.code == 0, f"{service.name}: {done.output}"


@service_test
def test_all_are_clean_for_mypy(made: Made) -> None:
    """In one run: most of its time goes to the libraries."""
    services = made.all()
    config = services[0] / "pyproject.toml"
    bases = [f"{service / 'src'}" for service in services]
    together = made.folder / "mypy.ini"
    settings = config.read_text(encoding="utf-8").partition("[tool.mypy]\n")[2]
    assert settings.startswith("strict = true\n")
    write(
        together,
        f"[mypy]\nstrict = True\nexplicit_package_bases = True\n"
        f"mypy_path = {':'.join([*bases, str(made.folder)])}\n",
    )
    done = run(made.folder, "mypy", "--config-file", together, *packages(services))
    assert done.code == 0, done.output


@service_test
def test_all_are_clean_for_pyright(made: Made) -> None:
    """In one run, with an execution environment for each."""
    services = made.all()
    config = made.folder / "pyrightconfig.json"
    write(config, json.dumps(together(services)))
    done = run(made.folder, "pyright", "--project", config, "--outputjson")
    report = cast("dict[str, object]", json.loads(done.output))
    problems = list(complaints(report))
    assert problems == []
    assert done.code == 0, done.output
