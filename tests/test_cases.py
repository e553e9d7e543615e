"""One directory of `cases/` is one behaviour of the command line.

    spec.yaml      the interceptors.yaml of the run; left out: none
    before.yaml    a spec generated from first; left out: a new project
    edits/         what a person then wrote over the tree
    case.toml      command, exit code, files a person then deleted; earlier:
                   commands that were run before all that; changes: the only
                   paths that the command changes, for a short expected/
    stdout.txt     what the command prints; stderr.txt likewise
    expected/      files afterwards: those whose text depends on the spec
    files.txt      every path afterwards

`--update-cases` writes what is instead of comparing; review its diff as code.
"""

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
WRITING = {"generate", "fork", "unfork", "eject"}


def case_names() -> list[str]:
    return sorted(path.parent.name for path in CASES.glob("*/case.toml"))


@pytest.mark.parametrize("name", case_names())
def test_case(name: str, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    case, root = CASES / name, tmp_path / "project"
    settings = tomllib.loads((case / "case.toml").read_text(encoding="utf-8"))
    set_up(case, root, settings)

    before = dict(tree(root))
    run = CliRunner().invoke(main, [*settings["command"], str(root)])
    seen = outcome(run.stdout, run.stderr, root)
    if "changes" in settings:
        assert changed(before, dict(tree(root))) == set(settings["changes"])
        recorded_too = {f"expected/{path}" for path in settings["changes"]}
        seen = {
            name: text
            for name, text in seen.items()
            if name in {"stdout.txt", "stderr.txt", *recorded_too}
        }

    if pytestconfig.getoption("update_cases"):
        update(case, seen)
    assert run.exception is None or isinstance(run.exception, SystemExit)
    assert run.exit_code == settings["exit"], run.output
    assert seen == recorded(case)
    if run.exit_code or settings["command"][0] not in WRITING:
        assert dict(tree(root)) == before
    else:
        after = dict(tree(root))
        CliRunner().invoke(main, ["generate", str(root)])
        again = dict(tree(root))
        for path in settings.get("changes", after.keys() | again.keys()):
            assert again.get(path) == after.get(path)
    for path in root.rglob("*.py"):
        compile(path.read_bytes(), path, "exec")


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> set[str]:
    """Name what differs between two trees, the lock apart."""
    paths = before.keys() | after.keys()
    differing = {path for path in paths if before.get(path) != after.get(path)}
    return differing - {LOCK_NAME}


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


def outcome(stdout: str, stderr: str, root: Path) -> dict[str, str]:
    """Give what the command left, by the file of the case that holds it."""
    found = {
        "stdout.txt": stdout.replace(str(root), "PROJECT"),
        "stderr.txt": stderr.replace(str(root), "PROJECT"),
        "files.txt": "".join(f"{path}\n" for path, _ in tree(root)),
    }
    copied = set(verbatim())
    for path, data in tree(root):
        text = data.decode("utf-8", "surrogateescape")
        if path not in {SPEC, LOCK_NAME} and without_mark(text) not in copied:
            found[f"expected/{path}"] = text
    return {path: text for path, text in found.items() if text}


def verbatim() -> Iterator[str]:
    """Give the texts that every service receives as they are."""
    for folder in ("runtime", "testing"):
        for path in (template_root() / "templates" / folder).glob("*.py"):
            yield path.read_text(encoding="utf-8")
    schema = template_root() / "generator/interceptgen/spec/interceptors.schema.json"
    yield schema.read_text(encoding="utf-8")


def without_mark(text: str) -> str:
    first, newline, rest = text.partition("\n")
    return rest if newline and first.startswith("# @generated") else text


def tree(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(root).as_posix(), path.read_bytes()


def recorded(case: Path) -> dict[str, str]:
    """Read what the case expects, in the form of `outcome`."""
    names = ["stdout.txt", "stderr.txt", "files.txt"]
    paths = [case / name for name in names if (case / name).is_file()]
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
    for name in ("stdout.txt", "stderr.txt", "files.txt"):
        (case / name).unlink(missing_ok=True)
    for name, text in seen.items():
        (case / name).parent.mkdir(parents=True, exist_ok=True)
        (case / name).write_bytes(text.encode("utf-8", "surrogateescape"))
