"""A made service passes its own gates, whatever was answered or specified."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.service.fleet import ROWS, Member, all_pairs, cases, pairs, rows
from tests.service.forking import Forge
from tests.service.making import Run, Template, run, write

FLEET = (*rows(), *cases())
# An event loop wakes itself through a pair of Unix sockets.
NO_SOCKET = ("--disable-socket", "--allow-unix-socket")
gate = pytest.mark.service


class Made:
    """The members of the fleet, side by side in one folder, made when asked for."""

    def __init__(self, template: Template, folder: Path) -> None:
        """Make members from the template, in the folder."""
        self._template, self.folder = template, folder

    def __getitem__(self, member: Member) -> Path:
        """Give the member's folder."""
        path = self.folder / member.folder_name
        return path if path.exists() else member.make(self._template, self.folder)

    def all(self) -> list[Path]:
        """Give the folders of all members."""
        return [self[member] for member in FLEET]


@pytest.fixture(scope="session")
def made(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Give the fleet."""
    return Made(template, tmp_path_factory.mktemp("fleet"))


def test_each_pair_of_answers_stands_in_a_row() -> None:
    found = set[tuple[object, ...]]().union(*map(pairs, ROWS))
    assert all_pairs() - found == set()


@gate
@pytest.mark.parametrize("row", rows(), ids=str)
def test_the_tests_of_a_row_are_green_offline(made: Made, row: Member) -> None:
    # A new process, as its user's: the libraries' own warnings are errors too.
    done = offline(made[row])
    assert done.code == 0, done.output


@gate
@pytest.mark.parametrize("case", cases(), ids=str)
def test_the_tests_of_a_case_are_green_offline(
    made: Made, forge: Forge, case: Member
) -> None:
    code, output = forge.pytest(made[case], "-p", "pytest_socket", *NO_SOCKET)
    assert code == 0, output


@gate
def test_a_test_that_reaches_for_the_network_is_red(
    template: Template, tmp_path: Path
) -> None:
    service = template.make(tmp_path / "made", package_name="orders")
    text = "import socket\n\ndef test_it() -> None:\n    socket.socket()\n"
    write(service / "tests" / "test_reaching.py", text)
    done = offline(service, "tests/test_reaching.py")
    assert done.code == 1
    assert "SocketBlockedError" in done.output


@gate
def test_ruff_finds_nothing(made: Made) -> None:
    for service in made.all():
        for words in (["check", "."], ["format", "--check", "."]):
            done = run(service, "ruff", *words, "--no-cache")
            assert done.code == 0, f"{service.name}: {done.output}"


@gate
def test_mypy_finds_nothing(made: Made) -> None:
    services = made.all()
    # In one run, for most of its time goes to the libraries.
    settings = its_own(services, "mypy") | {
        "explicit_package_bases": True,
        "mypy_path": [*(f"{each}/src" for each in services), str(made.folder)],
        "files": [f"{each}/{part}" for each in services for part in ("src", "tests")],
    }
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in settings.items()]
    config = made.folder / "pyproject.toml"
    write(config, "[tool.mypy]\n" + "".join(lines))
    done = run(made.folder, "mypy", "--config-file", config)
    assert done.code == 0, done.output


@gate
def test_pyright_finds_nothing(made: Made) -> None:
    services = made.all()
    settings = its_own(services, "pyright") | {
        "include": [each.name for each in services],
        "executionEnvironments": [
            {"root": each.name, "extraPaths": [f"{each.name}/src"]} for each in services
        ],
    }
    config = made.folder / "pyrightconfig.json"
    write(config, json.dumps(settings))
    done = pyright(made.folder, config)
    assert done.code == 0, done.output


@gate
@pytest.mark.slow
def test_the_commands_of_its_readers_find_nothing(made: Made) -> None:
    """Each gate once as its user runs it, in the service's own folder."""
    service = made[FLEET[2]]
    assert run(service, "pytest", "-p", "anyio.pytest_plugin").code == 0
    assert run(service, "ruff", "check").code == 0
    assert run(service, "mypy").code == 0
    done = pyright(service, service / "pyproject.toml")
    assert done.code == 0, done.output


def offline(service: Path, *words: str) -> Run:
    """Run a service's tests with no socket at all, not even to loopback."""
    plugins = ["anyio.pytest_plugin", "pytest_socket", "no:cacheprovider"]
    options = [word for plugin in plugins for word in ("-p", plugin)]
    options += [*NO_SOCKET, "-q", "--tb=short"]
    return run(service, "pytest", *options, *words)


def pyright(folder: Path, config: Path) -> Run:
    """Run pyright on this environment's libraries."""
    # By name: a configuration in a folder above would win otherwise.
    words = ("--project", str(config), "--pythonpath", sys.executable)
    return run(folder, "pyright", *words)


def its_own(services: list[Path], tool: str) -> dict[str, Any]:
    """Give a tool's settings, which are the same in all services."""
    found: list[dict[str, Any]] = []
    for service in services:
        text = (service / "pyproject.toml").read_text(encoding="utf-8")
        found.append(tomllib.loads(text)["tool"][tool])
    assert all(settings == found[0] for settings in found)
    assert found[0].get("strict") or found[0].get("typeCheckingMode") == "strict"
    return found[0]
