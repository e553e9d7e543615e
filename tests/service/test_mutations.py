"""A broken service turns one of its own tests red."""

import shutil
from pathlib import Path

import pytest
from tests.service.forking import Forge
from tests.service.making import Template
from tests.service.mutant import SPECS, Mutant
from tests.service.mutants_of_app import APP_MUTANTS
from tests.service.mutants_of_boundary import BOUNDARY_MUTANTS
from tests.service.mutants_of_hooks import HOOK_MUTANTS
from tests.service.mutants_of_runs import RUN_MUTANTS
from tests.service.mutants_of_state import STATE_MUTANTS

pytestmark = pytest.mark.service

FAILED = 1
MUTANTS = (
    *HOOK_MUTANTS,
    *RUN_MUTANTS,
    *APP_MUTANTS,
    *BOUNDARY_MUTANTS,
    *STATE_MUTANTS,
)


@pytest.fixture(scope="session")
def services(
    template: Template, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Path]:
    """Give the services that mutants are copies of."""
    folder = tmp_path_factory.mktemp("sound")
    return {
        name: template.make(folder / name, spec, package_name="orders")
        for name, spec in SPECS.items()
    }


@pytest.mark.parametrize("service", SPECS)
def test_sound_services_are_green(
    services: dict[str, Path], forge: Forge, service: str, tmp_path: Path
) -> None:
    whole = shutil.copytree(services[service], tmp_path / "whole")
    code, output = forge.pytest(whole)
    assert code == 0, output


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_a_broken_service_is_seen(
    services: dict[str, Path], forge: Forge, mutant: Mutant, tmp_path: Path
) -> None:
    broken = shutil.copytree(services[mutant.service], tmp_path / "broken")
    path = broken / mutant.file
    text = path.read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.file} has changed:\n{text}"
    text = text.replace(mutant.old, mutant.new)
    compile(text, mutant.file, "exec")
    path.write_text(text, encoding="utf-8")

    code, output = forge.pytest(
        broken, "--maxfail=1", *(f"tests/{test}" for test in mutant.tests)
    )

    # Not any other code: a run that can't start or is killed proves nothing.
    assert code == FAILED, f"survived {mutant.tests}:\n{output}"
    assert "ERROR collecting" not in output, output
