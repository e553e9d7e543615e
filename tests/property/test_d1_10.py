"""Acceptance case D1-10, word for word: regenerate keeps my work."""

import difflib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from click.testing import CliRunner, Result

from interceptgen.cli import main
from interceptgen.lock import LOCK_NAME, parse_lock

SPEC = """\
version: 1
service:
  package: orders
  description: Answers questions about orders.
agent: orders.agent:root_agent
interceptors:
  - name: quota
    description: Counts what each caller costs.
    hooks: [before_agent]
    config:
      most: {type: int, default: 5}
  - name: house_style
    description: Signs every answer.
    hooks: [after_event, after_agent]
"""
HOOKS, TESTS = "src/orders/hooks/quota.py", "tests/test_quota.py"
GENERATED = "src/orders/service/executor.py"
HELPER = '''
def charged(words: int) -> int:
    """Count a word as one."""
    return words  # no discount
'''
EXTRA_TEST = '''
def test_a_word_costs_one() -> None:
    """Mine."""
    assert charged(3) == 3
'''


def test_regenerate_keeps_my_work(tmp_path: Path) -> None:
    root = tmp_path / "orders"
    root.mkdir()
    (root / "interceptors.yaml").write_text(SPEC)
    assert run("generate", root).exit_code == 0

    edit(
        root / HOOKS,
        "return context",
        "self.config.most  # mine\n        return context",
    )
    append(root / HOOKS, HELPER)
    edit(
        root / TESTS,
        "from orders.hooks.quota import Quota",
        "from orders.hooks.quota import Quota, charged",
    )
    append(root / TESTS, EXTRA_TEST)
    assert run("generate", root).exit_code == 0
    mine = tree(root)

    edit(root / "interceptors.yaml", "default: 5", "default: 7")
    assert run("generate", root).exit_code == 0
    regenerated = tree(root)
    assert {path: regenerated[path] for path in (HOOKS, TESTS)} == {
        path: mine[path] for path in (HOOKS, TESTS)
    }
    changed = changed_lines(mine, regenerated)
    assert changed.pop(LOCK_NAME) == lock_lines(mine, regenerated, changed)
    assert {path for path in changed if path.endswith(".py")} == {
        "src/orders/service/contracts/quota.py"
    }
    for path, (gone, come) in changed.items():
        assert [line.replace("5", "7") for line in gone] == come, path

    before = stamps(root)
    assert run("generate", root).exit_code == 0
    assert (tree(root), stamps(root)) == (regenerated, before)

    checked = run("check", root)
    assert (checked.exit_code, checked.output) == (0, checked.output)
    assert (tree(root), stamps(root)) == (regenerated, before)

    append(root / GENERATED, "# by hand\n")
    edited, before = tree(root), stamps(root)
    checked = run("check", root)
    assert checked.exit_code == 1
    (told,) = (line for line in checked.output.splitlines() if GENERATED in line)
    assert "edited" in told
    assert "interceptors.yaml" in told
    assert "hook" in told
    assert (tree(root), stamps(root)) == (edited, before)

    refused = run("generate", root)
    assert refused.exit_code == 1
    assert GENERATED in refused.output
    assert (tree(root), stamps(root)) == (edited, before)


def run(command: str, root: Path) -> Result:
    return CliRunner().invoke(main, [command, str(root)])


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


def tree(root: Path) -> Mapping[str, bytes]:
    return {path: (root / path).read_bytes() for path in paths(root)}


def stamps(root: Path) -> Mapping[str, tuple[int, int]]:
    found = {path: (root / path).stat() for path in paths(root)}
    return {path: (stat.st_mtime_ns, stat.st_ino) for path, stat in found.items()}


def paths(root: Path) -> Iterator[str]:
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield path.relative_to(root).as_posix()


def changed_lines(
    before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> dict[str, tuple[list[str], list[str]]]:
    """Give the lines that went and those that came, by file."""
    assert before.keys() == after.keys()
    found: dict[str, tuple[list[str], list[str]]] = {}
    for path in before:
        if before[path] != after[path]:
            old, new = (tree[path].decode().splitlines() for tree in (before, after))
            lines = list(difflib.ndiff(old, new))
            found[path] = (
                [line[2:] for line in lines if line.startswith("- ")],
                [line[2:] for line in lines if line.startswith("+ ")],
            )
    return found


def lock_lines(
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    changed: Mapping[str, object],
) -> tuple[list[str], list[str]]:
    """Give the lock's lines that may differ: hashes of the spec and what changed."""
    sides: list[list[str]] = []
    for side in (before, after):
        lock = parse_lock(side[LOCK_NAME].decode())
        hashes = [
            lock.files[path].sha256 for path in sorted(changed) if path in lock.files
        ]
        told = [f'"sha256": {json.dumps(each)}' for each in hashes]
        told.append(f'"inputs": {json.dumps(lock.inputs)}')
        lines = side[LOCK_NAME].decode().splitlines()
        sides.append([line for line in lines if any(each in line for each in told)])
    return sides[0], sides[1]
