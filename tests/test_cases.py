"""One directory of `cases/` is one behaviour of the command line.

    spec.yaml      the interceptors.yaml of the run; left out: none
    before.yaml    a spec generated from first; left out: a new project
    edits/         what a person then wrote over the tree
    case.toml      command, exit code, files a person then deleted; earlier:
                   commands that were run before all that; project: false for
                   a command that is about none
    stdout.txt     what the command prints; stderr.txt likewise
    changes.txt    each path that it made (+), changed (~) or deleted (-)
    expected/      what it made or changed, but for what every service receives

`--update-cases` writes what is instead of comparing; review its diff as code.
"""

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interceptgen.cli import main
from interceptgen.lock import LOCK_NAME
from interceptgen.resources import template_root

CASES = Path(__file__).parent / "cases"
SPEC = "interceptors.yaml"
OUTPUTS = ("stdout.txt", "stderr.txt", "changes.txt")
WRITING = {"generate", "add", "fork", "unfork", "eject"}


def case_names() -> list[str]:
    return sorted(path.parent.name for path in CASES.glob("*/case.toml"))


@pytest.mark.parametrize("name", case_names())
def test_case(name: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    case, root = CASES / name, tmp_path / "project"
    settings = tomllib.loads((case / "case.toml").read_text(encoding="utf-8"))
    set_up(case, root, settings)

    before = dict(tree(root))
    about = [str(root)] if settings.get("project", True) else []
    run = CliRunner().invoke(main, [*settings["command"], *about])
    after = dict(tree(root))
    seen = printed(run.stdout, run.stderr, root) | changes(before, after)

    if pytestconfig.getoption("update_cases"):
        update(case, seen)
    assert run.exception is None or isinstance(run.exception, SystemExit)
    assert run.exit_code == settings["exit"], run.output
    assert seen == recorded(case)
    if run.exit_code or settings["command"][0] not in WRITING:
        assert after == before
    if settings["command"][0] == "generate" and not run.exit_code:
        CliRunner().invoke(main, ["generate", str(root)])
        assert dict(tree(root)) == after
    for path, data in after.items():
        if path.endswith(".py") and data != before.get(path):
            compile(data, path, "exec")


def changes(before: dict[str, bytes], after: dict[str, bytes]) -> dict[str, str]:
    """Give what differs between two trees, by the file of the case that holds it."""
    paths = sorted((before.keys() | after.keys()) - {LOCK_NAME})
    differing = [path for path in paths if before.get(path) != after.get(path)]
    lines = [f"{sign(path, before, after)} {path}\n" for path in differing]
    found = {"changes.txt": "".join(lines)} if lines else {}
    copied = set(verbatim())
    for path in differing:
        text = after.get(path, b"").decode("utf-8", "surrogateescape")
        if path in after and as_template(text) not in copied:
            found[f"expected/{path}"] = text
    return found


def sign(path: str, before: dict[str, bytes], after: dict[str, bytes]) -> str:
    if path not in before:
        return "+"
    return "~" if path in after else "-"


def set_up(case: Path, root: Path, settings: dict[str, Any]) -> None:
    """Make the project as it stands before the command."""
    root.mkdir()
    earlier, spec = case / "before.yaml", case / "spec.yaml"
    if earlier.is_file():
        shutil.copy(earlier, root / SPEC)
        first = CliRunner().invoke(main, ["generate", str(root)])
        assert first.exit_code == 0, first.output
    for command in settings.get("earlier", []):
        done = CliRunner().invoke(main, [*command, str(root)])
        assert done.exit_code == 0, done.output
    if (case / "edits").is_dir():
        shutil.copytree(case / "edits", root, dirs_exist_ok=True)
    if spec.is_file():
        shutil.copy(spec, root / SPEC)
    for path in settings.get("deleted", []):
        (root / path).unlink()


def printed(stdout: str, stderr: str, root: Path) -> dict[str, str]:
    """Give what the command printed, by the file of the case that holds it."""
    found = {"stdout.txt": stdout, "stderr.txt": stderr}
    return {
        name: text.replace(str(root), "PROJECT") for name, text in found.items() if text
    }


def verbatim() -> Iterator[str]:
    """Give the texts that every service receives as they are."""
    templates = template_root() / "templates"
    for path in (
        *(templates / "runtime").rglob("*.py"),
        *(templates / "testing").glob("*.py"),
        *(templates / "testing" / "parts").glob("*.py"),
    ):
        yield path.read_text(encoding="utf-8")
    schema = template_root() / "generator/interceptgen/spec/interceptors.schema.json"
    yield schema.read_text(encoding="utf-8")


def as_template(text: str) -> str:
    """Give a copied text as it stands in the template: without mark and package."""
    first, newline, rest = text.partition("\n")
    copied = rest if newline and first.startswith("# @generated") else text
    return re.sub(r"^from \w+\.service\b", "from runtime", copied, flags=re.MULTILINE)


def tree(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(root).as_posix(), path.read_bytes()


def recorded(case: Path) -> dict[str, str]:
    """Read what the case expects, in the form of `outcome`."""
    paths = [case / name for name in OUTPUTS if (case / name).is_file()]
    expected = case / "expected"
    paths += [path for path in expected.rglob("*") if path.is_file()]
    return {
        path.relative_to(case).as_posix(): path.read_bytes().decode(
            "utf-8", "surrogateescape"
        )
        for path in paths
    }


def update(case: Path, seen: dict[str, str]) -> None:
    """Write what was seen into the case."""
    shutil.rmtree(case / "expected", ignore_errors=True)
    for name in OUTPUTS:
        (case / name).unlink(missing_ok=True)
    for name, text in seen.items():
        (case / name).parent.mkdir(parents=True, exist_ok=True)
        (case / name).write_bytes(text.encode("utf-8", "surrogateescape"))
