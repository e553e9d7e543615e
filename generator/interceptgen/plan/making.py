"""SourceFiles and Snapshot to Plan."""

from collections.abc import Iterable
from dataclasses import replace

from interceptgen.files import Owner, SourceFile
from interceptgen.lock import Lock
from interceptgen.plan.moves import Move, find_moves
from interceptgen.plan.rules import Verdict, judge, judge_dropped, step_of
from interceptgen.plan.steps import TOLD, Action, Plan, Step
from interceptgen.snapshot import Snapshot

__all__ = ["make_plan"]


def make_plan(
    files: Iterable[SourceFile], snapshot: Snapshot, *, inputs: str, force: bool = False
) -> Plan:
    """Decide what to do with each file.

    Args:
        files: What the spec asks for.
        snapshot: What is there.
        inputs: Digest of the spec and the generator, for the lock.
        force: Replace the tool's files even where they were edited by hand.
    """
    disk = snapshot.files
    records = snapshot.records
    wanted = {file.path: file for file in files}
    moves = {
        path: move
        for path, move in find_moves(wanted.values(), snapshot).items()
        if disk[path] in {None, _moved(wanted[path], move).after}
    }
    verdicts = {
        path: _moved(file, moves[path])
        if path in moves and disk[path] is None
        else judge(file, disk[path], records.get(path))
        for path, file in wanted.items()
    }
    verdicts |= {
        path: judge_dropped(disk[path], record)
        for path, record in records.items()
        if path not in wanted
    }
    verdicts |= {
        move.source: Verdict(Action.DELETE, None, f"now {target}", None)
        for target, move in moves.items()
        if disk[move.source] is not None
    }
    steps = _with_needs_of_orphans(
        [step_of(path, disk[path], verdicts[path]) for path in sorted(verdicts)],
        snapshot,
    )
    if force:
        steps = [_forced(step) for step in steps]
    after = {step.path: step.record for step in steps if step.record is not None}
    # While something is to be told, hashes alone are not to end a check.
    lock = Lock(inputs="" if _is_told(steps) else inputs, files=after)
    return Plan(
        steps=tuple(steps),
        lock=lock,
        lock_is_stale=snapshot.lock != lock,
    )


def _moved(file: SourceFile, move: Move) -> Verdict:
    verdict = judge(file, move.data, move.record)
    if verdict.action is Action.LEFT_OUT:
        return verdict
    return verdict._replace(
        action=Action.CREATE,
        reason=f"was {move.source}",
        notes=move.notes + verdict.notes,
    )


def _is_told(steps: Iterable[Step]) -> bool:
    return any(
        step.action is Action.ORPHAN
        # A rename's own notes are about no method, and are told but once.
        or any(note.kind in TOLD and note.method for note in step.notes)
        for step in steps
    )


def _with_needs_of_orphans(steps: list[Step], snapshot: Snapshot) -> list[Step]:
    """Keep what an orphan imports: a module that stays must still type-check.

    Hooks need their contract, and a test its hooks as well.
    """
    records = snapshot.records
    orphaned = {
        step.record.item
        for step in steps
        if step.action is Action.ORPHAN
        and step.record is not None
        and step.record.owner is not Owner.FORKED
    }

    def kept(step: Step) -> Step:
        record = records.get(step.path)
        if step.action is not Action.DELETE or record is None:
            return step
        if record.owner is Owner.SEEDED or record.item not in orphaned:
            return step
        if not record.pristine:
            # The user's own, which goes to another name.
            return step
        return replace(
            step,
            action=Action.KEEP,
            after=step.before,
            reason="an orphan needs it",
            record=record,
        )

    return [kept(step) for step in steps]


def _forced(step: Step) -> Step:
    if step.action is not Action.CONFLICT:
        return step
    action = Action.DELETE if step.after is None else Action.REPLACE
    return replace(step, action=action, reason=f"{step.reason}; forced")
