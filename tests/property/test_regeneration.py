"""Random specs, random edits, runs in between: the promise, end to end.

Sequences are counted and printed. `REGENERATION_SEQUENCES` asks for more of
them in all; the proof of a release is 50,000.
"""

import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    rule,
    run_state_machine_as_test,  # pyright: ignore[reportUnknownVariableType]
)
from tests.property import spec_edits, user_edits
from tests.property.project import HOOKS, Project
from tests.property.spec_pool import Entry, Spec, files_of, printed

from interceptgen.files import GrownModule, Owner
from interceptgen.lock import content_hash
from interceptgen.merge import Growth, grow, rename_class, rename_imports

SEQUENCES = int(os.environ.get("REGENERATION_SEQUENCES", "2000"))
STEPS = 7
SHARDS = 8
FUNCTIONS: Mapping[str, str] = {
    str(number): text
    for number, text in enumerate(
        json.loads(Path(__file__).with_name("functions.json").read_bytes())
    )
}
USER_EDITS = {**user_edits.EDITS, **user_edits.with_functions(FUNCTIONS)}
# A function of the grammar is one edit among many, whichever it is.
KINDS = st.sampled_from([*user_edits.EDITS]) | st.sampled_from(
    [*user_edits.with_functions(FUNCTIONS)]
)
NUMBERS = st.integers(0, 11)
VARIANTS = st.sampled_from([2, 1, 0, 3, 4])


class Regeneration(RuleBasedStateMachine):
    """One sequence: a project, a person with an editor, and the tool."""

    sequences: ClassVar[int] = 0
    runs: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).sequences += 1
        self.project = Project()
        self._words = 0

    @initialize(
        names=st.sampled_from([("quota",), ("house_style", "quota"), ("tone",)]),
        variant=VARIANTS,
        kinds=st.lists(KINDS, max_size=2),
        pick=NUMBERS,
    )
    def start(
        self, names: tuple[str, ...], variant: int, kinds: list[str], pick: int
    ) -> None:
        """Make the service, and write a first hook."""
        self.project.spec = Spec(tuple(Entry(name, variant) for name in names))
        self.generate()
        self._edit(HOOKS.format(names[0]), kinds, pick)

    @rule(kinds=st.lists(KINDS, min_size=1, max_size=3), where=NUMBERS, pick=NUMBERS)
    def edit(self, kinds: list[str], where: int, pick: int) -> None:
        """Edit any file of the user's."""
        owned = self.project.owned()
        if owned:
            self._edit(owned[where % len(owned)], kinds, pick)

    @rule(kinds=st.lists(KINDS, min_size=1, max_size=2), where=NUMBERS, pick=NUMBERS)
    def edit_hooks(self, kinds: list[str], where: int, pick: int) -> None:
        """Edit the hooks of an interceptor that the spec has."""
        owned = [HOOKS.format(name) for name in self.project.spec.names]
        there = [path for path in owned if path in self.project.disk]
        if there:
            self._edit(there[where % len(there)], kinds, pick)

    def _edit(self, path: str, kinds: list[str], pick: int) -> None:
        for kind in kinds:
            self._words += 1
            word = f"word{self._words}"
            self.project.edit(path, USER_EDITS[kind], word, pick)

    @rule(where=NUMBERS)
    def delete(self, where: int) -> None:
        """Delete a file of the user's."""
        owned = self.project.owned()
        if owned:
            self.project.delete(owned[where % len(owned)])

    @rule(
        kind=st.sampled_from([*spec_edits.EDITS]),
        where=NUMBERS,
        pick=NUMBERS,
    )
    def change(self, kind: str, where: int, pick: int) -> None:
        """Edit the spec, and generate."""
        if self._changes(kind, where, pick):
            self.generate()

    @rule(
        kind=st.sampled_from([*spec_edits.EDITS]),
        where=NUMBERS,
        pick=NUMBERS,
    )
    def change_only(self, kind: str, where: int, pick: int) -> None:
        """Edit the spec, and forget to generate."""
        self._changes(kind, where, pick)

    @rule(
        kind=st.sampled_from([*spec_edits.EDITS]),
        where=NUMBERS,
        pick=NUMBERS,
    )
    def there_and_back(self, kind: str, where: int, pick: int) -> None:
        """Try another spec, and take it back."""
        self.generate()
        before, spec = self.project.state(), self.project.spec
        if not self._changes(kind, where, pick):
            return
        self.generate()
        self.project.spec = spec
        if not self.project.spec.legal():
            return
        self.generate()
        after = self.project.state()
        for file in files_of(spec):
            path = file.path
            is_mine = file.owner is Owner.TOOL or path not in before.touched
            if is_mine and path not in after.touched and path in before.disk:
                # A line end is no edit: what nobody else touched comes back plain.
                now, then = content_hash(after.disk[path]), before.disk[path]
                assert now == content_hash(then), path
        dropped = set(spec.names)
        for path in before.touched & after.disk.keys():
            # What the other spec did not name was an orphan, and lost nothing.
            if kind in {"remove", "remove all", "reorder", "pin"} and dropped:
                assert after.disk[path] == before.disk[path], path

    @rule()
    def generate(self) -> None:
        """Run the tool."""
        type(self).runs += 1
        self.project.generate()

    @rule(where=NUMBERS)
    def meddle(self, where: int) -> None:
        """Edit a file of the tool's: it is named, and nothing is done."""
        if self.project.plan().changes:
            return
        tools = [
            file.path
            for file in files_of(self.project.spec)
            if file.owner is Owner.TOOL
        ]
        path = tools[where * 7 % len(tools)]
        kept = self.project.disk[path]
        self.project.disk[path] = kept + b"# mine\n"
        plan = self.project.plan()
        assert [step.path for step in plan.conflicts] == [path]
        self.project.disk[path] = kept

    def _changes(self, kind: str, where: int, pick: int) -> bool:
        spec = spec_edits.EDITS[kind](self.project.spec, where, pick)
        if spec == self.project.spec or not spec.legal():
            return False
        self.project.spec = spec
        return True


@pytest.fixture(autouse=True)
def remembered_merge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the merge, which is pure, be asked but once for the same."""

    @lru_cache(maxsize=20_000)
    def grown(
        data: bytes, module: GrownModule, stubs: frozenset[tuple[str, str]]
    ) -> Growth:
        return grow(data, module, dict(stubs))

    def remembered(
        data: bytes, module: GrownModule, recorded: Mapping[str, str]
    ) -> Growth:
        return grown(data, module, frozenset(recorded.items()))

    monkeypatch.setattr("interceptgen.plan.rules.grow", remembered)
    for carry in (rename_class, rename_imports):
        target = f"interceptgen.plan.moves.{carry.__name__}"
        monkeypatch.setattr(target, lru_cache(maxsize=20_000)(carry))


@pytest.mark.parametrize("shard", range(SHARDS))
def test_a_person_and_the_tool(shard: int) -> None:
    class Shard(Regeneration):
        sequences = 0
        runs = 0

    count = SEQUENCES // SHARDS
    run_state_machine_as_test(
        seed(shard)(Shard),
        settings=settings(
            max_examples=count,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            print_blob=False,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=[
                HealthCheck.data_too_large,
                HealthCheck.filter_too_much,
                HealthCheck.too_slow,
            ],
        ),
    )
    told = f"shard {shard}: {Shard.sequences} sequences, {Shard.runs} runs"
    print(told)  # noqa: T201 - the figures are the proof
    assert Shard.sequences >= count


def test_the_pool_holds_what_render_gives() -> None:
    for spec in (
        Spec(),
        Spec((Entry("tone", 3, ("quota", "house_style")), Entry("house_style_two", 1))),
        Spec((Entry("quota", 2),), pin=2),
    ):
        found = set(files_of(spec))
        assert found < set(printed(spec))
        left_out = set(printed(spec)) - found
        assert {file.owner for file in left_out} == {Owner.TOOL}
        assert {file.item for file in left_out} == {"service"}
