"""A pair of versions below the floor stops the service with one line."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from tests.service.making import ROOT, Template, run, write

from runtime.versions import SUPPORTED, require_supported_versions

OLD = "0.3.26"
SPEC = """\
version: 1
service: {package: orders, description: Counts.}
agent: orders.agent:root_agent
implementation: client
run: {empty_result: last_output}
"""
AGENT = """\
from google.adk.workflow import START, Workflow


def count(node_input: str) -> dict[str, object]:
    return {"total": 3}


root_agent = Workflow(name="counting", description="Counts.", edges=[(START, count)])
"""
# By the service's own application and runner; nothing stands in.
SILENT = """\
import time

import pytest

from orders.service.app import app
from .generated.harness import WIRES, running

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("extension", [False, True])
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_the_output_is_the_answer(wire, extension):
    async with running(app) as caller:
        began = time.monotonic()
        reply = await caller.send("hello", wire, extension=extension)
        took = time.monotonic() - began
    assert reply.state == "completed"
    assert reply.artifact_texts == ['{"total":3}']
    assert reply.by_new_implementation is extension
    assert took < 2
"""


# --- in this process -----------------------------------------------------------


def installed(**versions: str) -> Callable[[str], str]:
    """Stand in for `importlib.metadata.version`."""

    def version(name: str) -> str:
        try:
            return versions[name.replace("-", "_")]
        except KeyError:
            raise PackageNotFoundError(name) from None

    return version


@pytest.mark.parametrize(
    ("adk", "a2a"),
    [("2.12.0", "1.3.0"), ("2.99.1", "1.9"), ("2.13.0rc1", "1.4.0.dev2")],
)
def test_a_pair_in_range_starts(adk: str, a2a: str) -> None:
    require_supported_versions(installed(google_adk=adk, a2a_sdk=a2a))


@pytest.mark.parametrize(
    ("adk", "a2a"),
    [
        ("2.13.0", OLD),
        ("2.13.0", "1.2.9"),
        ("2.13.0", "2.0.0"),
        ("2.11.9", "1.3.0"),
        ("3.0.0", "1.3.0"),
        ("1.0.0", OLD),
    ],
)
def test_a_pair_out_of_range_stops_with_one_line(adk: str, a2a: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        require_supported_versions(installed(google_adk=adk, a2a_sdk=a2a))
    assert_says(str(stopped.value), f"google-adk {adk} with a2a-sdk {a2a}")


def test_a_missing_package_is_named() -> None:
    with pytest.raises(SystemExit) as stopped:
        require_supported_versions(installed(google_adk="2.13.0"))
    assert_says(str(stopped.value), "google-adk 2.13.0 with a2a-sdk (missing)")


def test_the_floor_is_the_one_that_services_ask_for() -> None:
    template = ROOT / "templates" / "service" / "pyproject.toml.jinja"
    text = template.read_text(encoding="utf-8")
    asked = dict(re.findall(r'"(google-adk|a2a-sdk)\[[\w-]+\]([^"]+)"', text))
    assert asked == SUPPORTED


# --- with the old package ------------------------------------------------------


@pytest.fixture(scope="module")
def old_sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder that holds the old a2a-sdk; it wins over this environment's."""
    folder = tmp_path_factory.mktemp("old") / "packages"
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    if uv is None:
        pytest.skip("uv isn't installed")
    command = [uv, "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
    done = subprocess.run(
        [*command, f"a2a-sdk=={OLD}"], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"a2a-sdk {OLD} can't be had: {done.stderr.splitlines()[-1]}")
    return folder


@pytest.fixture(scope="module")
def service(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a service of a workflow that says nothing, as D1-12 has it."""
    service = tmp_path_factory.mktemp("floor") / "made"
    template.make(service, SPEC, package_name="orders", agent="workflow")
    write(service / "src" / "orders" / "agent.py", AGENT)
    return service


@pytest.mark.service
def test_its_output_is_the_answer(service: Path) -> None:
    write(service / "tests" / "test_silent.py", SILENT)
    done = run(service, "pytest", "-p", "anyio.pytest_plugin", "-q")
    assert done.code == 0, done.output


@pytest.mark.service
@pytest.mark.parametrize(
    "command", [("orders",), ("uvicorn", "orders.service.app:app")], ids=" ".join
)
def test_a_service_on_the_old_sdk_does_not_start(
    service: Path, old_sdk: Path, command: tuple[str, ...]
) -> None:
    done = run(service, *command, before=[old_sdk])
    assert done.code == 1, done.output
    assert_says(done.output.removesuffix("\n"), f"a2a-sdk {OLD}")
    assert re.search(r"google-adk \d+\.\d+", done.output)


def assert_says(line: str, pair: str) -> None:
    assert "\n" not in line
    assert pair in line
    fix = "'google-adk[a2a]>=2.12,<3' 'a2a-sdk[http-server]>=1.3,<2'"
    assert line.endswith(f"can't run this service; run: pip install {fix}")
