"""A command pays only for the libraries that it needs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.bench.projects import spec

GENERATOR = Path(__file__).parents[1] / "generator"
RUN_AND_LIST = """
import json, sys
from interceptgen.cli import main
try:
    main(sys.argv[1:])
except SystemExit as exit:
    code = exit.code or 0
print()
print(json.dumps([code, sorted(sys.modules)]))
"""
# A service's libraries are never the generator's business; copier is `new`'s.
ALWAYS = {"a2a", "copier", "fastapi", "google.adk", "pydantic_settings", "uvicorn"}
PARSERS = {"jinja2", "libcst", "pydantic", "yaml"}


def loaded(code: int, *words: str | Path) -> set[str]:
    """Run a command that must end with a code; give the modules it loaded."""
    command = [sys.executable, "-c", RUN_AND_LIST, *words]
    env = {**os.environ, "PYTHONPATH": str(GENERATOR)}
    run = subprocess.run(
        command, env=env, capture_output=True, text=True, encoding="utf-8", check=True
    )
    found, modules = json.loads(run.stdout.splitlines()[-1])
    assert found == code, run.stderr
    return set(modules)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a folder with the spec of three interceptors."""
    (tmp_path / "interceptors.yaml").write_text(spec(3), encoding="utf-8")
    return tmp_path


def test_help_loads_the_command_line_alone() -> None:
    assert loaded(0, "--help") & (ALWAYS | PARSERS) == set()


def test_schema_loads_no_source_editor() -> None:
    assert loaded(0, "schema") & (ALWAYS | {"jinja2", "libcst"}) == set()


@pytest.mark.parametrize("form", ["text", "json"])
def test_listing_recipes_loads_no_source_editor(form: str) -> None:
    needless = ALWAYS | {"jinja2", "libcst", "tomlkit", "yaml"}
    assert loaded(0, "recipes", "--format", form) & needless == set()


def test_adding_a_recipe_loads_no_service_library(project: Path) -> None:
    assert loaded(0, "add", "input_guard", project) & ALWAYS == set()


@pytest.mark.parametrize("command", ["check", "diff"])
def test_reading_loads_no_service_library(command: str, project: Path) -> None:
    assert loaded(1, command, project) & ALWAYS == set()


def test_generating_loads_no_service_library(project: Path) -> None:
    assert loaded(0, "generate", project) & ALWAYS == set()


@pytest.mark.parametrize("command", ["check", "generate"])
def test_an_unchanged_project_is_known_by_its_hashes(
    command: str, project: Path
) -> None:
    loaded(0, "generate", project)
    assert loaded(0, command, project) & (ALWAYS | PARSERS) == set()
