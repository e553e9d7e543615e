"""A project depends on what its recipes need, and nobody's line is touched for it."""

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from click.testing import CliRunner

from interceptgen import lower_recipe
from interceptgen.cli import main
from interceptgen.lock import LOCK_NAME, LockError, parse_lock
from interceptgen.recipes import RECIPES
from interceptgen.requirements import missing_requirements, with_requirements

SPEC = """\
version: 1
service: {package: orders, description: Answers questions about orders.}
agent: orders.agent:root_agent
interceptors:
  - {name: guard, use: input_guard}
"""
PROJECT = """\
[project]
name = "orders"
dependencies = [
    "uvicorn>=0.34", # serves
]

[tool.ruff]
"""
NEEDED = '    "pyjwt[crypto]>=2.10",\n'
ADDED = PROJECT.replace("# serves\n", f"# serves\n{NEEDED}")


@pytest.mark.parametrize(
    "stated",
    ["py-jwt", "Py.JWT==1.0", "py_jwt[crypto] >= 2", "py-jwt; python_version > '3'"],
)
def test_a_requirement_counts_by_its_name(stated: str) -> None:
    data = f'[project]\ndependencies = ["{stated}"]\n'
    assert missing_requirements(data.encode(), ["py-jwt[crypto]>=2.10"]) == ()


def test_another_name_is_another_requirement() -> None:
    data = b'[project]\ndependencies = ["pyjwt-more"]\n'
    assert missing_requirements(data, ["pyjwt>=2"]) == ("pyjwt>=2",)


@pytest.mark.parametrize(
    "text",
    [
        "[tool.poetry.dependencies]\n",
        '[project]\nname = "a"\ndynamic = ["dependencies"]\n',
        "[project\n",
        "[project]\ndependencies = 3\n",
        "project = 1\n",
    ],
)
def test_another_way_to_state_them_is_left_alone(text: str) -> None:
    assert missing_requirements(text.encode(), ["pyjwt"]) == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PROJECT, ADDED),
        (PROJECT.replace("\n", "\r\n"), ADDED.replace("\n", "\r\n")),
        (
            "[project]\ndependencies = []\n",
            '[project]\ndependencies = ["pyjwt[crypto]>=2.10"]\n',
        ),
        (
            '[project]\nname = "a"\n',
            f'[project]\nname = "a"\ndependencies = [\n{NEEDED}]\n',
        ),
    ],
    ids=["lines", "windows", "empty", "absent"],
)
def test_every_other_byte_stays(before: str, after: str) -> None:
    added = with_requirements(before.encode(), ["pyjwt[crypto]>=2.10"])
    assert added.decode() == after


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a project with a recipe that needs something."""
    needing = replace(RECIPES["input_guard"], requires=("pyjwt[crypto]>=2.10",))
    recipes = MappingProxyType({**RECIPES, "input_guard": needing})
    monkeypatch.setattr(lower_recipe, "RECIPES", recipes)
    (tmp_path / "interceptors.yaml").write_text(SPEC, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    return tmp_path


def run(command: str, project: Path, code: int) -> str:
    done = CliRunner().invoke(main, [command, str(project)])
    assert done.exit_code == code, done.output
    return done.output


def test_generate_adds_what_a_recipe_needs(project: Path) -> None:
    assert "grow     pyproject.toml\n" in run("generate", project, 0)
    assert (project / "pyproject.toml").read_text("utf-8") == ADDED
    assert run("generate", project, 0) == "nothing to do\n"
    assert run("check", project, 0) == "up to date\n"


def test_check_tells_what_is_missing_and_the_way_out(project: Path) -> None:
    run("generate", project, 0)
    (project / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    assert run("check", project, 1) == (
        "stale     pyproject.toml: lacks pyjwt[crypto]>=2.10;"
        " run 'interceptgen generate'\n"
    )
    run("generate", project, 0)
    assert (project / "pyproject.toml").read_text("utf-8") == ADDED


def test_a_version_of_ones_own_stays(project: Path) -> None:
    own = PROJECT.replace("uvicorn>=0.34", "PyJWT==2.11")
    (project / "pyproject.toml").write_text(own, encoding="utf-8")
    run("generate", project, 0)
    assert (project / "pyproject.toml").read_text("utf-8") == own


def test_dropping_the_recipe_drops_no_requirement(project: Path) -> None:
    run("generate", project, 0)
    shorter = SPEC.replace("  - {name: guard, use: input_guard}\n", "  []\n")
    (project / "interceptors.yaml").write_text(shorter, encoding="utf-8")
    run("generate", project, 0)
    assert (project / "pyproject.toml").read_text("utf-8") == ADDED
    assert parse_lock((project / LOCK_NAME).read_text("utf-8")).requires == ()


def test_a_project_without_a_pyproject_is_generated(project: Path) -> None:
    (project / "pyproject.toml").unlink()
    run("generate", project, 0)
    assert not (project / "pyproject.toml").exists()


@pytest.mark.parametrize("requires", ["1", '"x"', "[1]", "{}"])
def test_a_lock_with_other_requirements_is_refused(requires: str) -> None:
    text = f'{{"version": 1, "inputs": "", "requires": {requires}, "files": {{}}}}'
    with pytest.raises(LockError, match="requirements"):
        parse_lock(text)
