"""The task that completes a copy, and what is said where it can't."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from tests.template.copies import RULES, commit, run_copier

ANSWERS = ["--defaults", "--data", "interceptors=[journal]"]

needs_generator = pytest.mark.skipif(
    importlib.util.find_spec("interceptgen.cli") is None, reason="no generator yet"
)


def path_without_uv() -> str:
    """Give the folders of PATH that hold no uv."""
    folders = os.environ["PATH"].split(os.pathsep)
    path = os.pathsep.join(
        folder for folder in folders if not shutil.which("uv", path=folder)
    )
    if not shutil.which("git", path=path):
        pytest.skip("git and uv are in one folder here")
    return path


@pytest.fixture
def old_libcst(tmp_path: Path) -> str:
    """Give a PYTHONPATH that shows a libcst too old for the generator."""
    metadata = tmp_path / "old" / "libcst-0.1.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text("Metadata-Version: 2.1\nName: libcst\nVersion: 0.1\n")
    return str(metadata.parents[1])


def printed_command(text: str) -> list[str]:
    """Give the words of the one command that a message shows."""
    commands = re.findall(r"^ {4}(uvx .*)$", text, re.MULTILINE)
    assert len(commands) == 1, text
    return shlex.split(commands[0])


def run_here(
    command: list[str], checkout: Path, folder: Path
) -> subprocess.CompletedProcess[str]:
    """Run what `uvx --from <checkout>` would, with this environment's packages."""
    assert command[:4] == ["uvx", "--from", str(checkout), "interceptgen"]
    return subprocess.run(
        [sys.executable, "-m", *command[3:]],
        cwd=folder,
        capture_output=True,
        check=False,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(checkout / "generator")},
    )


def test_a_copy_needs_trust(checkout: Path, tmp_path: Path) -> None:
    run = run_copier("copy", *ANSWERS, str(checkout), str(tmp_path / "orders"))
    assert run.returncode == 4
    assert not (tmp_path / "orders").exists()


@needs_generator
def test_skipping_the_task_shows_the_command_that_completes(
    checkout: Path, tmp_path: Path
) -> None:
    service = tmp_path / "order desk"
    run = run_copier("copy", "--skip-tasks", *ANSWERS, str(checkout), str(service))
    assert run.returncode == 0, run.stderr
    assert not (service / "interceptgen.lock").exists()
    completed = run_here(printed_command(run.stderr), checkout, tmp_path)
    assert completed.returncode == 0, completed.stderr
    assert (service / "interceptgen.lock").exists()


@needs_generator
def test_a_task_that_cannot_run_shows_the_command_that_completes(
    checkout: Path, tmp_path: Path, old_libcst: str
) -> None:
    service = tmp_path / "orders"
    run = run_copier(
        *("copy", "--trust", *ANSWERS, str(checkout), str(service)),
        PYTHONPATH=old_libcst,
        PATH=path_without_uv(),
        UV="",
    )
    assert run.returncode == 1
    assert "there is no uv" in run.stderr
    completed = run_here(printed_command(run.stderr), checkout, tmp_path)
    assert completed.returncode == 0, completed.stderr
    assert (service / "interceptgen.lock").exists()
    spec = yaml.safe_load((service / "interceptors.yaml").read_text(encoding="utf-8"))
    assert [one["name"] for one in spec["interceptors"]] == ["safe_errors", "journal"]


@needs_generator
def test_uv_brings_what_copiers_own_environment_lacks(
    checkout: Path, tmp_path: Path, old_libcst: str
) -> None:
    uv = pytest.importorskip("uv")
    service = tmp_path / "orders"
    run = run_copier(
        *("copy", "--trust", *ANSWERS, str(checkout), str(service)),
        PYTHONPATH=old_libcst,
        UV=uv.find_uv_bin(),
    )
    assert run.returncode == 0, run.stderr
    assert (service / "interceptgen.lock").exists()


def test_a_failing_generator_fails_the_copy(plain: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(plain, broken)
    package = broken / "generator" / "interceptgen"
    (package / "__main__.py").write_text("raise SystemExit(7)\n")
    commit(broken, tag="v0.1.0")
    run = run_copier("copy", "--trust", *ANSWERS, str(broken), str(tmp_path / "orders"))
    assert run.returncode == 1
    assert "exit code 7" in run.stderr
    printed_command(run.stderr)


@needs_generator
def test_recopy_keeps_what_the_user_owns(checkout: Path, tmp_path: Path) -> None:
    service = tmp_path / "orders"
    made = run_copier("copy", "--trust", *ANSWERS, str(checkout), str(service))
    assert made.returncode == 0, made.stderr
    mine = service / "src" / "orders" / "agent.py"
    mine.write_text("# mine\n")
    (service / "README.md").write_text("# mine\n")
    run = run_copier("recopy", "--trust", "--defaults", "--overwrite", str(service))
    assert run.returncode == 0, run.stderr
    assert mine.read_text() == "# mine\n"
    assert (service / "README.md").read_text(encoding="utf-8").startswith("# orders\n")


@pytest.mark.parametrize(
    ("url", "source"),
    [
        ("gh:owner/name", "git+https://github.com/owner/name@c0ffee"),
        ("gh:owner/name.git", "git+https://github.com/owner/name@c0ffee"),
        ("gl:owner/name", "git+https://gitlab.com/owner/name@c0ffee"),
        ("git@host:owner/name.git", "git+ssh://git@host/owner/name.git@c0ffee"),
        ("https://host/name.git", "git+https://host/name.git@c0ffee"),
        ("git+https://host/name", "git+https://host/name@c0ffee"),
        ("../name", "../name"),
    ],
)
def test_a_template_names_the_source_of_its_generator(url: str, source: str) -> None:
    conf = {"vcs_ref_hash": "c0ffee", "src_path": Path("clone")}
    assert RULES.source(conf, {"_src_path": url}) == source
    wheel = {"vcs_ref_hash": None, "src_path": Path("interceptgen/_template")}
    assert RULES.source(wheel, {"_src_path": "anything"}) == ""
