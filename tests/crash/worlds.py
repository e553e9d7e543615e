"""A project small enough to break in every way, and three specs for it.

The spec is one word, and a table stands for the emitters: reading, planning
and writing are the real ones, and cheap enough to run thousands of times.
"""

import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from tests.merge.samples import AFTER, BEFORE, EVENT, emitted, wanted

from interceptgen import pipeline, render
from interceptgen.files import Former, GrownModule, Owner, SourceFile, Stub
from interceptgen.merge import Growth, grow
from interceptgen.plan import rules
from interceptgen.project import SPEC_NAME
from interceptgen.snapshot import left_stages

__all__ = [
    "HOUSE",
    "IMPORT",
    "USERS_LINE",
    "WANTED",
    "Tree",
    "be_at",
    "install",
    "make_old",
    "run",
    "scratch",
    "tree",
    "twin",
]

Tree = Mapping[str, tuple[int, bytes]]
"""By path: the kind and permissions, and the content or where a link leads."""

USERS_LINE = b"\n# mine\n"
IMPORT = "from orders.service.contracts import {} as contract\n"
HOOKS = "src/orders/hooks/style.py"


def _file(path: str, text: str, owner: Owner = Owner.TOOL) -> SourceFile:
    return SourceFile(path=path, text=text, owner=owner, item=path)


def _hooks(*stubs: Stub) -> SourceFile:
    chosen = [stub for stub in (BEFORE, EVENT, AFTER) if stub in stubs]
    return SourceFile(
        path=HOOKS,
        text=emitted(*chosen),
        owner=Owner.GROWN,
        item="interceptors.style",
        grown=wanted(*chosen),
    )


HOUSE = Former(
    path="tests/test_house.py",
    package="orders",
    old_module="house",
    new_module="home",
    old_class="House",
    new_class="Home",
)

WANTED: Mapping[str, Sequence[SourceFile]] = {
    "old": [
        _hooks(BEFORE),
        _file("src/orders/service/app.py", "old = 1\n"),
        _file("src/orders/service/linked.py", "old = 2\n"),
        _file("src/orders/service/dropped/deep/one.py", "old = 3\n"),
        _file("tests/old/test_old.py", "old = 4\n", Owner.SEEDED),
        _file("tests/test_house.py", "old = 5\n", Owner.SEEDED),
    ],
    "new": [
        _hooks(BEFORE, EVENT),
        _file("src/orders/service/app.py", "new = 1\n" * 3),
        _file("src/orders/service/linked.py", "new = 2\n"),
        _file("src/orders/service/fresh/deep/two.py", "new = 3\n"),
        _file("tests/test_new.py", "new = 4\n", Owner.SEEDED),
        replace(
            _file("tests/test_home.py", "new = 5\n", Owner.SEEDED), former=(HOUSE,)
        ),
    ],
    "third": [
        _hooks(AFTER),
        _file("src/orders/service/app.py", "third = 1\n"),
        _file("src/orders/service/dropped/deep/one.py", "third = 3\n"),
        _file("tests/old/test_old.py", "third = 4\n", Owner.SEEDED),
        _file("tests/test_third.py", "third = 5\n", Owner.SEEDED),
    ],
}


@dataclass(frozen=True, slots=True)
class OneWord:
    """A service that one word tells all of; it depends on nothing."""

    word: str
    requires: tuple[str, ...] = ()


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one-word specs be what the pipeline reads."""

    def read_service(_: str, data: bytes) -> OneWord:
        return OneWord(data.decode())

    def rendered(service: OneWord) -> Sequence[SourceFile]:
        return WANTED[service.word]

    def digest(data: bytes) -> str:
        return hashlib.sha256(data).hexdigest()

    @cache
    def grown(
        current: bytes, module: GrownModule, recorded: frozenset[tuple[str, str]]
    ) -> Growth:
        return grow(current, module, dict(recorded))

    def grown_once(
        current: bytes, module: GrownModule, recorded: Mapping[str, str]
    ) -> Growth:
        return grown(current, module, frozenset(recorded.items()))

    monkeypatch.setattr(rules, "grow", grown_once)
    monkeypatch.setattr(pipeline, "read_service", read_service)
    monkeypatch.setattr(render, "render", rendered)
    monkeypatch.setattr(pipeline, "inputs_digest", digest)


@contextmanager
def scratch() -> Generator[Path, None, None]:
    """Give a folder in memory, where the system has such; its disk is slow."""
    memory = Path("/dev/shm")  # noqa: S108 - a folder of our own in it
    where = memory if os.access(memory, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as folder:
        yield Path(folder).resolve()


def make_old(root: Path) -> None:
    """Make a project that was generated from "old", and edited since."""
    root.mkdir()
    run(root, "old")
    seeded = root / HOUSE.path
    seeded.write_bytes(IMPORT.format("house").encode() + USERS_LINE)
    hooks, service = root / HOOKS, root / "src/orders/service"
    hooks.write_bytes(hooks.read_bytes() + USERS_LINE)
    hooks.chmod(0o640)
    (service / "app.py").chmod(0o755)
    (service / "linked.py").rename(service / "real.py")
    (service / "linked.py").symlink_to("real.py")
    compiled = service / "dropped/deep/__pycache__"
    compiled.mkdir()
    (compiled / "one.cpython-311.pyc").write_bytes(b"byte code")


def be_at(root: Path, spec: str) -> None:
    """Put a spec into the project."""
    (root / SPEC_NAME).write_text(spec, encoding="utf-8")


def run(root: Path, spec: str) -> None:
    """Generate from a spec; it must come to its end."""
    be_at(root, spec)
    made = pipeline.generate(root)
    assert made is None or made.conflicts == ()
    assert left_stages(root) == []


def tree(root: Path) -> Tree:
    """Read all of a project but its spec."""
    found: dict[str, tuple[int, bytes]] = {}
    for folder, folders, files in os.walk(root):
        for name in [*folders, *files]:
            path = Path(folder, name)
            mode = path.lstat().st_mode
            found[path.relative_to(root).as_posix()] = (mode, _content(path, mode))
    del found[SPEC_NAME]
    return found


def _content(path: Path, mode: int) -> bytes:
    if stat.S_ISLNK(mode):
        return os.fsencode(path.readlink())
    return path.read_bytes() if stat.S_ISREG(mode) else b""


def twin(root: Path, act: Callable[[Path], None]) -> Tree:
    """Give the tree after something was done to a copy of the project."""
    copy = root.with_name(f"{root.name}-twin")
    shutil.copytree(root, copy, symlinks=True)
    try:
        act(copy)
        return tree(copy)
    finally:
        shutil.rmtree(copy)
