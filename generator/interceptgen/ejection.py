"""Ends the tool's ownership of a project: lock and files in, plan out.

Pure. Takes away what is the tool's and nothing else: its marks, its schema, and
those lines of the template that call it, where they stand as the template has
them. What else names the tool is listed for the user.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interceptgen.baseline import RECORD_NAME
from interceptgen.files import Owner
from interceptgen.handover import without_mark
from interceptgen.lock import FileRecord, Lock, content_hash
from interceptgen.plan import Action, Plan, Step

__all__ = ["BLOCKS", "SEARCHED", "Ejection", "eject"]

SCHEMA_NAME = "interceptors.schema.json"

BLOCKS: Mapping[str, str] = {
    "interceptors.yaml": """\
# yaml-language-server: $schema=./interceptors.schema.json
#
""",
    ".pre-commit-config.yaml": """\
      # Is the generated code that of interceptors.yaml? Needs the command
      # "interceptgen", which is no dependency of this service; hence by hand,
      # "pre-commit run --hook-stage manual interceptgen-check", until you take
      # the line "stages" away.
      - id: interceptgen-check
        name: interceptgen check
        entry: interceptgen check
        language: system
        pass_filenames: false
        files: ^(interceptors\\.yaml|interceptgen\\.lock|src/{{ package_name }}/|tests/)
        stages: [manual]
""",
    ".github/workflows/ci.yml": """\
      # Is the generated code that of interceptors.yaml? Runs when the repository
      # variable INTERCEPTGEN says where the generator is installed from, such as
      # git+https://<host>/<owner>/interceptgen@<tag>.
      - if: vars.INTERCEPTGEN != ''
        run: uvx --from "$INTERCEPTGEN" interceptgen check --format github
        env:
          INTERCEPTGEN: ${{ vars.INTERCEPTGEN }}
""",
}
"""The template's lines about the tool, by file; a test keeps them the template's."""

SEARCHED = (
    *BLOCKS,
    RECORD_NAME,
    *("pyproject.toml", "README.md", "AGENTS.md", "Dockerfile"),
)
"""The files beside the recorded ones that are searched for the tool's name."""

_HOLE = re.escape("{{ package_name }}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ejection:
    """What ends the tool's ownership.

    Attributes:
        plan: What is written and removed; the lock is removed last.
        by_hand: Lines that name the tool and stay, as `path:line: text`.
    """

    plan: Plan
    by_hand: tuple[str, ...]


def eject(lock: Lock, disk: Mapping[str, bytes | None]) -> Ejection:
    """Plan the end of the tool's ownership.

    Args:
        lock: The lock of the project.
        disk: Content of the recorded and of the searched files.
    """
    steps = [_recorded(path, disk[path], each) for path, each in lock.files.items()]
    steps += [
        _without_block(path, content)
        for path in SEARCHED
        if path not in lock.files and (content := disk[path]) is not None
    ]
    steps.sort(key=lambda step: step.path)
    plan = Plan(steps=tuple(steps), lock=None, lock_is_stale=True)
    return Ejection(plan=plan, by_hand=tuple(_mentions(steps)))


def _recorded(path: str, before: bytes | None, record: FileRecord) -> Step:
    after = before
    if before is not None and record.owner is Owner.TOOL:
        untouched = content_hash(before) == record.sha256
        drop = path == SCHEMA_NAME and untouched
        after = None if drop else without_mark(before)
    return _step(path, before, after)


def _without_block(path: str, before: bytes) -> Step:
    if path == RECORD_NAME:
        # Only `interceptgen update` reads it; copier's own answers stay.
        return _step(path, before, None)
    block = BLOCKS.get(path)
    if block is None:
        return _step(path, before, before)
    pattern = re.escape(block).replace(_HOLE, r"\w+").replace("\\\n", r"\r?\n")
    found = list(re.finditer(b"^" + pattern.encode(), before, re.MULTILINE))
    if len(found) != 1:
        return _step(path, before, before)
    start, end = found[0].span()
    return _step(path, before, before[:start] + before[end:])


def _step(path: str, before: bytes | None, after: bytes | None) -> Step:
    action = Action.KEEP
    if before != after:
        action = Action.DELETE if after is None else Action.REPLACE
    return Step(
        action=action, path=path, before=before, after=after, reason="ejected: yours"
    )


def _mentions(steps: list[Step]) -> Iterator[str]:
    for step in steps:
        # The spec is the user's; that nothing reads it any more is said apart.
        if step.path not in SEARCHED or step.path == "interceptors.yaml":
            continue
        lines = (step.after or b"").decode("utf-8", "replace").splitlines()
        for number, line in enumerate(lines, 1):
            if "interceptgen" in line.lower():
                yield f"{step.path}:{number}: {line.strip()}"
