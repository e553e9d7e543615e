"""Four ways in, one result."""

import importlib.util
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.template.copies import contents, run_copier

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("interceptgen.cli") is None, reason="no generator yet"
)

ANSWERS = {
    "package_name": "orders",
    "agent": "workflow",
    "implementation": "legacy",
    "interceptors": "[house_style]",
}
DATA = [part for item in ANSWERS.items() for part in ("--data", "=".join(item))]
Way = Callable[[Path, Path], None]


def succeed(run: subprocess.CompletedProcess[str]) -> None:
    """Pass if a command did, and show what it said if not."""
    assert run.returncode == 0, run.stdout + run.stderr


def by_git_url(checkout: Path, service: Path) -> None:
    """Copy from a URL: its last tag."""
    url = f"git+file://{checkout.as_posix()}"
    succeed(run_copier("copy", "--trust", "--defaults", *DATA, url, str(service)))


def by_checkout(checkout: Path, service: Path) -> None:
    """Copy from a checkout as it stands."""
    options = ["--trust", "--defaults", "--vcs-ref", "HEAD", *DATA]
    succeed(run_copier("copy", *options, str(checkout), str(service)))


def interceptgen(path: Path, *arguments: str) -> None:
    """Run the command of a package that lies in a folder."""
    run = subprocess.run(
        [sys.executable, "-m", "interceptgen", *arguments],
        capture_output=True,
        check=False,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(path)},
    )
    succeed(run)


def by_new(checkout: Path, service: Path) -> None:
    """Make it with the command, from a checkout."""
    generator = checkout / "generator"
    interceptgen(generator, "new", str(service), "--defaults", *DATA)


def unpacked_wheel(checkout: Path) -> Path:
    """Build the wheel and lay it out as an installer does."""
    build = "from hatchling.build import build_wheel; print(build_wheel('wheel'))"
    run = subprocess.run(
        [sys.executable, "-c", build],
        cwd=checkout,
        capture_output=True,
        check=False,
        text=True,
    )
    succeed(run)
    site = checkout.parent / "site"
    with zipfile.ZipFile(checkout / "wheel" / run.stdout.split()[-1]) as wheel:
        wheel.extractall(site)
    return site


def by_wheel(checkout: Path, service: Path) -> None:
    """Make it with the command, from an installed wheel."""
    site = unpacked_wheel(checkout)
    interceptgen(site, "new", str(service), "--defaults", *DATA)


def by_template_in_wheel(checkout: Path, service: Path) -> None:
    """Copy from the folder that an installed wheel holds."""
    template = unpacked_wheel(checkout) / "interceptgen" / "_template"
    succeed(
        run_copier("copy", "--trust", "--defaults", *DATA, str(template), str(service))
    )


@pytest.fixture(scope="module")
def by_hand(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Give the service in two steps: no task, then the generator."""
    service = tmp_path_factory.mktemp("by_hand") / "service"
    options = ["--skip-tasks", "--defaults", *DATA, "--data", "project_name=Desk"]
    succeed(run_copier("copy", *options, str(checkout), str(service)))
    interceptgen(checkout / "generator", "generate", str(service))
    return contents(service)


@pytest.mark.parametrize(
    "way", [by_git_url, by_checkout, by_new, by_wheel, by_template_in_wheel]
)
def test_each_way_in_gives_the_same_service(
    checkout: Path, tmp_path: Path, by_hand: dict[str, str], way: Way
) -> None:
    service = tmp_path / "Desk"
    way(checkout, service)
    assert contents(service) == by_hand
    assert "interceptgen.lock" in by_hand


@pytest.mark.parametrize("way", [by_git_url, by_new, by_wheel])
def test_no_machine_path_is_in_a_service(
    checkout: Path, tmp_path: Path, way: Way
) -> None:
    service = tmp_path / "Desk"
    way(checkout, service)
    answers = (service / ".copier-answers.yml").read_text(encoding="utf-8")
    if way is by_wheel:
        assert "_src_path" not in answers
    else:
        # Copier needs to know where an update comes from; nothing else does.
        answers = "\n".join(
            line for line in answers.splitlines() if not line.startswith("_src_path:")
        )
    everything = "\n".join([answers, *contents(service).values()])
    for path in (checkout.parent, tmp_path, Path(sys.prefix), Path.home()):
        assert str(path) not in everything
