"""A project in memory, and what has to hold after each run over it."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import product

from tests.property.kept_bytes import lost
from tests.property.spec_pool import VARIANTS, Entry, Spec, files_of
from tests.property.user_edits import Edit, hooks_in

from interceptgen.files import Former, Owner, SourceFile, Stub
from interceptgen.lock import FileRecord, Lock, content_hash, format_lock, parse_lock
from interceptgen.merge import NoteKind
from interceptgen.merge.source import compiles
from interceptgen.plan import Action, Plan, make_plan
from interceptgen.snapshot import Snapshot

__all__ = ["HOOKS", "TESTS", "Project", "State"]

HOOKS, TESTS = "src/orders/hooks/{}.py", "tests/test_{}.py"
_PLACES = re.compile(r"src/orders/hooks/(?!__)(\w+)\.py|tests/test_(\w+)\.py")


@lru_cache(maxsize=1 << 16)
def parses(data: bytes) -> bool:
    """Tell whether a file compiles."""
    return compiles(data)


def is_plain(data: bytes, former: Former) -> bool:
    """Tell whether a module surely has the one class that is to be renamed."""
    once = data.count(former.old_class.encode()) == data.count(
        b"class " + former.old_class.encode() + b"("
    )
    free = former.new_class.encode() not in data
    return once and free and data.isascii() and defines(data, former.old_class)


def defines(data: bytes, name: str) -> bool:
    """Tell whether a valid module has one such class."""
    return parses(data) and name in {
        node.name for node in ast.parse(data).body if isinstance(node, ast.ClassDef)
    }


@cache
def every_stub() -> tuple[Stub, ...]:
    """Give each hook in the wording of each edition, with a state and without."""
    return tuple(dict.fromkeys(_stubs()))


def _stubs() -> Iterator[Stub]:
    for variant, edition in product(range(len(VARIANTS)), (0, 1)):
        for file in files_of(Spec((Entry("tone", variant),), edition=edition)):
            yield from file.grown.stubs if file.grown else ()


@dataclass(frozen=True, slots=True)
class State:
    """What stood on the disk at one time, and whose it was."""

    disk: Mapping[str, bytes]
    touched: frozenset[str]


@dataclass(slots=True)
class Project:
    """The disk, the lock and the spec, with what a person has done.

    Attributes:
        disk: Content by path.
        lock: The lock, as it reads back from its text.
        spec: The spec as it is.
        left: The content that the tool alone gave a file, by path; a file of a
            person's that isn't here holds something of theirs.
        deleted: The tests that a person deleted.
    """

    disk: dict[str, bytes] = field(default_factory=dict[str, bytes])
    lock: Lock | None = None
    spec: Spec = field(default_factory=Spec)
    left: dict[str, str] = field(default_factory=dict[str, str])
    deleted: set[str] = field(default_factory=set[str])

    def edit(self, path: str, edit: Edit, word: str, pick: int) -> None:
        """Let a person edit a file."""
        self.disk[path] = edit(self.disk[path], word, pick)

    def delete(self, path: str) -> None:
        """Let a person delete a file."""
        del self.disk[path]
        # The service can't do without its hook modules: those come back.
        is_test = path.startswith("tests/")
        if is_test and path in self._records and path not in self._orphans():
            self.deleted.add(path)

    def plan(self) -> Plan:
        """Decide what a run does."""
        files = files_of(self.spec)
        paths = {file.path for file in files} | set(self._records)
        paths |= {former.path for file in files for former in file.former}
        there = {path: self.disk.get(path) for path in paths}
        snapshot = Snapshot(files=there, lock=self.lock)
        return make_plan(files, snapshot, inputs=str(hash(self.spec)))

    def generate(self) -> Plan:
        """Run, and check all that a run promises."""
        before, records = dict(self.disk), dict(self._records)
        touched = {path for path in self.owned() if self._is_touched(path)}
        files = {file.path: file for file in files_of(self.spec)}
        moves = dict(self._moves(files))
        plan = self.plan()
        assert not plan.conflicts, plan.conflicts
        self._apply(plan)
        steps = {step.path: step for step in plan.steps}

        for path in self.owned(before):
            target, former = moves.get(path, (path, None))
            if path not in touched:
                continue
            if former is not None:
                assert path not in self.disk, f"{path} is still there"
            assert target in self.disk, f"{path} is lost, {target} isn't there"
            notes = steps[target].notes if target in steps else ()
            problem = lost(before[path], self.disk[target], notes, every_stub(), former)
            assert not problem, f"{path} -> {target}: {problem}"
            assert parses(self.disk[target]) or not parses(before[path]), target
            if former is not None and path.startswith("src/"):
                assert not is_plain(before[path], former) or defines(
                    self.disk[target], former.new_class
                ), f"{target} does not have its class"
            if former is None and path in records:
                present = {name for _, name in hooks_in(before[path])}
                gone = records[path].stubs.keys() - present
                put = {note.method for note in notes if note.kind is NoteKind.INSERTED}
                assert not gone & put, f"{path}: {gone} was deleted by its owner"
            if former is None:
                for name, number in hooks_in(self.disk[target]).items():
                    there = hooks_in(before[path]).get(name, 0)
                    assert number <= max(1, there), (target, name)
        self._follow(files, moves, touched, records, before)
        self._check_tool(files)
        self._check_untouched(files)
        self._check_second_run(plan)
        return plan

    def state(self) -> State:
        """Give what is there."""
        return State(
            dict(self.disk),
            frozenset(path for path in self.owned() if self._is_touched(path)),
        )

    def owned(self, disk: Mapping[str, bytes] | None = None) -> list[str]:
        """Give the files that a person may edit, orphans included."""
        disk = self.disk if disk is None else disk
        return sorted(path for path in disk if _PLACES.fullmatch(path))

    def _is_touched(self, path: str) -> bool:
        return self.left.get(path) != content_hash(self.disk[path])

    @property
    def _records(self) -> Mapping[str, FileRecord]:
        return self.lock.files if self.lock else {}

    def _orphans(self) -> set[str]:
        return {path for path in self.owned() if _name(path) not in self.spec.names}

    def _apply(self, plan: Plan) -> None:
        for step in plan.changes:
            assert self.disk.get(step.path) == step.before
            if step.after is None:
                del self.disk[step.path]
            else:
                self.disk[step.path] = step.after
        for step in plan.steps:
            assert self.disk.get(step.path) == step.after, step
        assert plan.lock is not None
        text = format_lock(plan.lock)
        self.lock = parse_lock(text)
        assert self.lock == plan.lock
        assert format_lock(self.lock) == text

    def _moves(
        self, files: Mapping[str, SourceFile]
    ) -> Iterator[tuple[str, tuple[str, Former]]]:
        """Tell where the files of renamed interceptors have to go."""
        for file in files.values():
            if file.path in self._records or file.path in self.disk:
                continue
            for former in reversed(file.former):
                if former.path in self._records and (
                    former.path in self.disk or former.path in self.deleted
                ):
                    yield former.path, (file.path, former)
                    break

    def _follow(
        self,
        files: Mapping[str, SourceFile],
        moves: Mapping[str, tuple[str, Former | None]],
        touched: set[str],
        records: Mapping[str, FileRecord],
        before: Mapping[str, bytes],
    ) -> None:
        """Bring the model up to date with what the run had to do."""
        kept = {moves[path][0] if path in moves else path for path in touched}
        self.deleted = {
            moves[path][0] if path in moves else path for path in self.deleted
        } & files.keys()
        self.left = {}
        for path in self.owned():
            fresh = files[path].text.encode() if path in files else None
            is_fresh = fresh is not None and content_hash(fresh) == content_hash(
                self.disk[path]
            )
            if path not in kept or is_fresh:
                self.left[path] = content_hash(self.disk[path])
        for path in self.deleted:
            assert path not in self.disk, f"{path} was deleted by its owner"
        for path in files.keys() - self.deleted:
            assert path in self.disk, f"{path} is missing"
        for path in kept - files.keys():
            hooks = HOOKS.format(_name(path))
            if path in records and hooks in before and hooks in records:
                assert hooks in self.disk or hooks in moves, f"{path} needs {hooks}"
        for path in records.keys() - files.keys() - kept:
            if path in self.disk:
                assert self._is_needed(path, kept), f"{path} is not wanted any more"

    def _is_needed(self, path: str, kept: set[str]) -> bool:
        """Tell whether an orphan imports it."""
        name = path.rpartition("/")[2].removesuffix(".py").removeprefix("test_")
        return path.startswith("src/orders/") and bool(
            {HOOKS.format(name), TESTS.format(name)} & kept
        )

    def _check_tool(self, files: Mapping[str, SourceFile]) -> None:
        assert self.lock is not None
        for path, file in files.items():
            if file.owner is Owner.TOOL:
                data = self.disk[path]
                assert data == file.text.encode(), f"{path} is not as a fresh one"
                assert not path.endswith(".py") or parses(data), path
        for path in self.disk.keys() - files.keys():
            data, record = self.disk[path], self.lock.files.get(path)
            if record is not None and record.owner is Owner.TOOL:
                assert content_hash(data) == record.sha256
                assert parses(data)
        assert self.lock.files.keys() >= files.keys() - self.deleted

    def _check_untouched(self, files: Mapping[str, SourceFile]) -> None:
        for path in self.owned():
            if path in files and not self._is_touched(path):
                fresh = files[path].text.encode()
                assert content_hash(self.disk[path]) == content_hash(fresh), path

    def _check_second_run(self, first: Plan) -> None:
        again = self.plan()
        assert again.changes == (), [step.path for step in again.changes]
        assert not again.conflicts
        assert not again.lock_is_stale
        assert again.lock == first.lock
        left_out = {s.path for s in again.steps if s.action is Action.LEFT_OUT}
        assert left_out == self.deleted


def _name(path: str) -> str:
    found = _PLACES.fullmatch(path)
    return (found[1] or found[2]) if found else ""
