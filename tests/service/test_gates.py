"""A made service passes its own gates, whatever was answered or specified."""

from pathlib import Path

import pytest
from tests.service import gates
from tests.service.fleet import ROWS, Member, all_pairs, cases, pairs, rows
from tests.service.forking import Forge
from tests.service.gates import NO_SOCKET, offline, pyright_by
from tests.service.making import Template, run, write

FLEET = (*rows(), *cases())
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
    done = gates.ruff(made.folder, made.all())
    assert done.code == 0, done.output


@gate
def test_mypy_finds_nothing(made: Made) -> None:
    done = gates.mypy(made.folder, made.all())
    assert done.code == 0, done.output


@gate
def test_pyright_finds_nothing(made: Made) -> None:
    done = gates.pyright(made.folder, made.all())
    assert done.code == 0, done.output


@gate
@pytest.mark.slow
def test_the_commands_of_its_readers_find_nothing(made: Made) -> None:
    """Each gate once as its user runs it, in the service's own folder."""
    service = made[FLEET[2]]
    assert run(service, "pytest", "-p", "anyio.pytest_plugin").code == 0
    assert run(service, "ruff", "check").code == 0
    assert run(service, "mypy").code == 0
    done = pyright_by(service, service / "pyproject.toml")
    assert done.code == 0, done.output
