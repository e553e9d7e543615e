"""The wheel alone, in an environment with nothing else, makes a whole service."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from uv import find_uv_bin

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.service


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command that must succeed, without what this process was told."""
    unwanted = {"PYTHONPATH", "VIRTUAL_ENV", "UV_PYTHON"}
    env = {key: value for key, value in os.environ.items() if key not in unwanted}
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and install it into an environment of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    run(
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-t",
        "wheel",
        "-d",
        folder,
        cwd=ROOT,
    )
    (wheel,) = folder.glob("*.whl")
    uv = find_uv_bin()
    run(uv, "venv", "--quiet", "--python", sys.executable, folder / "bare", cwd=folder)
    scripts = folder / "bare" / ("Scripts" if os.name == "nt" else "bin")
    run(uv, "pip", "install", "--python", scripts / "python", wheel, cwd=folder)
    return scripts / "interceptgen"


def test_a_service_made_by_the_wheel_is_complete(tool: Path, tmp_path: Path) -> None:
    run(
        *(tool, "new", "orders", "--defaults"),
        *("--data", "interceptors=[house_style]"),
        cwd=tmp_path,
    )
    orders = tmp_path / "orders"

    assert "up to date" in run(tool, "check", orders, cwd=tmp_path)
    assert " passed" in run(find_uv_bin(), "run", "pytest", "-q", cwd=orders)
