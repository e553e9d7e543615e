"""Fifty first requests at once get one runner, which is closed once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.service.making import Template, environment
from tests.service.mutant import SPECS

pytestmark = pytest.mark.service

PROGRAM = Path(__file__).parent / "first_requests.py"


@pytest.fixture(scope="module")
def report(
    template: Template, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, object]:
    """Call a service in which the caller chooses ADK's implementation."""
    folder = tmp_path_factory.mktemp("lazy") / "made"
    service = template.make(folder, SPECS["client"], package_name="orders")
    done = subprocess.run(
        [sys.executable, "-W", "error", PROGRAM],
        cwd=service,
        env=environment(service / "src"),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_importing_the_app_opens_and_starts_nothing(report: dict[str, object]) -> None:
    # An event loop opens a socket pair when it is made, so this sees one too.
    assert report["at_import"] == []
    assert report["threads_at_import"] == 0
    assert report["built_at_import"] == 0


def test_the_factory_is_called_once(report: dict[str, object]) -> None:
    assert report["built_at_start"] == 0
    assert report["built"] == 1


def test_all_requests_complete_on_both_implementations(
    report: dict[str, object],
) -> None:
    assert report["completed"] == 50
    by_new = report["by_new"]
    assert isinstance(by_new, int)
    assert 0 < by_new < 50


def test_the_runner_is_closed_once_at_shutdown(report: dict[str, object]) -> None:
    assert report["closed_while_running"] == [0]
    assert report["closed"] == [1]
