"""What is decided of edited hooks without the spec is what the spec decides.

Each plan is made in both ways. What differs are the steps of files that stay.
"""

from dataclasses import dataclass
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
from tests.property.project import HOOKS, Project
from tests.property.spec_pool import VARIANTS, Entry, Spec, files_of
from tests.property.test_regeneration import (
    KINDS,
    NUMBERS,
    USER_EDITS,
    remembered_merge,
)

from interceptgen.contract import contract_path, wanted_class
from interceptgen.diagnostics import SpecError
from interceptgen.edited import plan_edited
from interceptgen.files import Owner
from interceptgen.pipeline import read_service
from interceptgen.plan import Plan
from interceptgen.render.contracts import render_contracts
from interceptgen.render.stubs import render_hooks
from interceptgen.report import as_diff, as_json, as_lines
from interceptgen.snapshot import Snapshot

SEQUENCES = 250
STEPS = 10
PATH = HOOKS.format("tone")
SPECS = sorted(Path(__file__).parents[1].glob("cases/*/spec.yaml"))

__all__ = ["remembered_merge"]


@dataclass(slots=True)
class BothWays(Project):
    """A project that makes each plan twice."""

    asked: ClassVar[int] = 0
    told: ClassVar[int] = 0

    def plan(self) -> Plan:
        """Decide what a run does, and compare."""
        # The method itself: a dataclass with slots has no `super()` in 3.11.
        plan = Project.plan(self)
        lock = self.lock
        # Stubs of another edition are those of a generator that isn't this one.
        if self.spec.edition or lock is None or lock.inputs != str(hash(self.spec)):
            return plan
        there = {path: self.disk.get(path) for path in lock.files}
        made = plan_edited(Snapshot(files=there, lock=lock))
        type(self).asked += 1
        if made is not None and not self._came_back(plan):
            type(self).told += bool(made.steps)
            same(made, plan, there)
        return plan

    def _came_back(self, plan: Plan) -> bool:
        """Tell whether a seeded file is again what the tool had once emitted.

        Hashes alone don't tell it from what the tool emits now: see ADR 5.
        """
        assert self.lock is not None
        records = self.lock.files
        seeded = {
            file.path for file in files_of(self.spec) if file.owner is Owner.SEEDED
        }
        return any(
            step.path in seeded and step.record != records.get(step.path)
            for step in plan.steps
        )


def same(made: Plan, plan: Plan, before: dict[str, bytes | None]) -> None:
    """Compare what two plans leave and say."""
    left, wanted = (
        {**before, **{step.path: step.after for step in each.steps}}
        for each in (made, plan)
    )
    assert left == wanted
    assert (made.lock, made.lock_is_stale) == (plan.lock, plan.lock_is_stale)
    assert not plan.changes
    for done in (True, False):
        assert [*as_lines(made, done=done)] == [*as_lines(plan, done=done)]
    assert as_json(made) == as_json(plan)
    assert [*as_diff(made)] == [*as_diff(plan)]


class Editing(RuleBasedStateMachine):
    """A person who mostly writes in hooks, and runs the tool each time."""

    def __init__(self) -> None:
        super().__init__()
        self.project = BothWays()
        self._texts: list[bytes] = []
        self._words = 0

    @initialize(variant=NUMBERS)
    def start(self, variant: int) -> None:
        """Make the service."""
        self.project.spec = Spec((Entry("tone", variant % len(VARIANTS)),))
        self.project.generate()
        self._texts.append(self.project.disk[PATH])

    @rule(kind=KINDS, pick=NUMBERS, runs=st.sampled_from([1, 0]))
    def edit(self, kind: str, pick: int, runs: int) -> None:
        """Write in the hooks."""
        self._words += 1
        self.project.edit(PATH, USER_EDITS[kind], f"word{self._words}", pick)
        self._texts.append(self.project.disk[PATH])
        if runs:
            self.project.generate()

    @rule()
    def spoil(self) -> None:
        """Let the hooks be what can't be awaited, which is told; and mend them."""
        data = self.project.disk[PATH]
        self.project.disk[PATH] = data.replace(b"    async def ", b"    def ")
        self.project.generate()
        self.project.disk[PATH] = data
        self.project.generate()

    @rule(pick=NUMBERS)
    def take_back(self, pick: int) -> None:
        """Let the hooks be what they were before."""
        self.project.disk[PATH] = self._texts[pick % len(self._texts)]
        self.project.generate()

    @rule(variant=NUMBERS, edition=st.sampled_from([0, 1, 0]))
    def change(self, variant: int, edition: int) -> None:
        """Ask for other hooks, or of another generator; and back to this one's."""
        entry = Entry("tone", variant % len(VARIANTS))
        self.project.spec = Spec((entry,), edition=edition)
        self.project.generate()
        self._texts.append(self.project.disk[PATH])
        self.project.spec = Spec((entry,))
        self.project.generate()


@pytest.mark.usefixtures("remembered_merge")
def test_hooks_are_judged_the_same_with_and_without_the_spec() -> None:
    run_state_machine_as_test(
        seed(0)(Editing),
        settings=settings(
            max_examples=SEQUENCES,
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
    print(f"{BothWays.told} edits of {BothWays.asked} plans told")  # noqa: T201
    assert BothWays.told > SEQUENCES // 2


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.parent.name)
def test_a_contract_tells_the_class_of_the_hooks(spec: Path) -> None:
    try:
        service = read_service(spec.name, spec.read_bytes())
    except SpecError:
        pytest.skip("no service")
    contracts = {file.path: file.text for file in render_contracts(service)}
    for file in render_hooks(service):
        if file.grown is not None:
            contract = contracts[contract_path(file.path)].encode()
            assert wanted_class(file.path, contract) == file.grown
