"""What an item of the spec, or a path, stands for in the project, and why."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from interceptgen.errors import UserError
from interceptgen.files import Owner, SourceFile
from interceptgen.lock import FileRecord, content_hash
from interceptgen.merge import Note, NoteKind, grow
from interceptgen.plan import Action, Plan, Step
from interceptgen.report.findings import hint, said
from interceptgen.service import RecipeUse, Service

__all__ = ["ExplainError", "explain"]


class ExplainError(UserError):
    """There is no such item; the message names the nearest."""


def explain(
    item: str,
    *,
    service: Service,
    files: Iterable[SourceFile],
    records: Mapping[str, FileRecord],
    plan: Plan,
) -> Iterator[str]:
    """Tell which files and functions an item owns, their states, and what is next.

    Args:
        item: An interceptor, `interceptor.hook`, `service`, `runner`, or a path.
        service: What the spec says.
        files: What the spec asks for.
        records: What the lock says.
        plan: What the next run would do.

    Returns:
        The lines.

    Raises:
        ExplainError: If there is no such item.
    """
    wanted = {file.path: file for file in files}
    items = {path: record.item for path, record in records.items()}
    items |= {path: file.item for path, file in wanted.items()}
    name, hook = _named(item, items)
    steps = [step for step in plan.steps if _owns(name, step.path, items)]
    if hook:
        steps = [step for step in steps if hook in _hooks(step, wanted, records)]
    if not steps:
        raise ExplainError(_unknown(item, name, items, service))
    return _lines(_heading(name, service), steps, hook, wanted, records)


def _named(item: str, items: Mapping[str, str]) -> tuple[str, str]:
    name, dot, hook = item.partition(".")
    if item not in items and dot and f"interceptors.{name}" in items.values():
        return name, hook
    return item, ""


def _owns(name: str, path: str, items: Mapping[str, str]) -> bool:
    return path == name or items.get(path) in {name, f"interceptors.{name}"}


def _unknown(item: str, name: str, items: Mapping[str, str], service: Service) -> str:
    hooks = {each.name: ", ".join(each.hooks) for each in service.interceptors}
    if name != item and name in hooks:
        return f"{name} has no hook {item.partition('.')[2]}; it has {hooks[name]}"
    known = {name.removeprefix("interceptors.") for name in items.values()}
    close = get_close_matches(item, known | set(items), n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    return f"{item} is no interceptor, hook or file of this service{hint}"


def _heading(name: str, service: Service) -> str:
    chain = [each.name for each in service.chain]
    if name not in chain:
        return ""
    each = service.chain[chain.index(name)]
    place = f"interceptor {chain.index(name) + 1} of {len(chain)}"
    if isinstance(each, RecipeUse):
        return f"{name}: {place}, recipe {each.recipe}; {each.description}"
    return f"{name}: {place}, {', '.join(each.hooks)}; {each.description}"


def _lines(
    heading: str,
    steps: Iterable[Step],
    hook: str,
    wanted: Mapping[str, SourceFile],
    records: Mapping[str, FileRecord],
) -> Iterator[str]:
    if heading:
        yield heading
    for step in steps:
        record, file = records.get(step.path), wanted.get(step.path)
        owner = record.owner if record else file.owner if file else Owner.TOOL
        item = file.item if file else record.item if record else ""
        yield step.path
        yield f"  from   {item}"
        yield f"  owner  {_OWNERS[owner]}"
        yield f"  state  {_state(step, record)}"
        yield f"  next   {_NEXT[step.action]}: {said(step.reason)}"
        if step.action in _LEFT_TO_YOU:
            yield f"  mend   {hint(step)}"
        hooks = _hooks(step, wanted, records)
        unseen = _unseen(step, file)
        for name in [hook] if hook else hooks:
            yield from _function(name, step, unseen)


_OWNERS = {
    Owner.TOOL: "interceptgen: rewritten by each run",
    Owner.GROWN: "you: a run only adds what the spec adds",
    Owner.SEEDED: "you: never touched once you have edited it",
    Owner.FORKED: "you: forked, never touched",
}


def _state(step: Step, record: FileRecord | None) -> str:
    if step.before is None:
        if step.action is Action.LEFT_OUT:
            return "left out: you deleted it"
        return "missing" if record else "not there yet"
    if record is None:
        return "as it would be emitted" if step.before == step.after else "not recorded"
    same = content_hash(step.before) == record.sha256
    if record.owner is Owner.FORKED:
        return "as it was handed over" if same else "edited since it was forked"
    return "as emitted" if same and record.pristine else "edited"


_NEXT = {
    Action.CREATE: "is written",
    Action.REPLACE: "is rewritten",
    Action.GROW: "is changed below",
    Action.DELETE: "is deleted",
    Action.KEEP: "is left as it is",
    Action.LEFT_OUT: "stays away",
    Action.ORPHAN: "stays, and is not wired",
    Action.CONFLICT: "stops the run",
}
_LEFT_TO_YOU = frozenset({Action.LEFT_OUT, Action.ORPHAN, Action.CONFLICT})


def _hooks(
    step: Step,
    wanted: Mapping[str, SourceFile],
    records: Mapping[str, FileRecord],
) -> list[str]:
    """Name the functions of a grown file: the spec's first, then what is left."""
    file, record = wanted.get(step.path), records.get(step.path)
    names = [stub.name for stub in file.grown.stubs] if file and file.grown else []
    names += record.stubs if record else ()
    names += [note.method for note in step.notes if note.method]
    # A placeholder stands for the body of an emptied class.
    return [name for name in dict.fromkeys(names) if name != "pass"]


def _unseen(step: Step, file: SourceFile | None) -> frozenset[str]:
    """Name the hooks that can't be told in the user's file, wanted anew or not."""
    if step.before is None or file is None or file.grown is None:
        return frozenset()
    notes = grow(step.before, file.grown, {}).notes
    return frozenset(note.method for note in notes if note.kind is NoteKind.UNSEEN)


def _function(name: str, step: Step, unseen: frozenset[str]) -> Iterator[str]:
    note = next((each for each in step.notes if each.method == name), None)
    kind = note.kind if note else NoteKind.UNSEEN if name in unseen else None
    state, following = _FUNCTION[kind]
    if note is None and step.action not in {Action.KEEP, Action.GROW}:
        # The file goes as a whole, so nothing is told of its functions.
        state, following = "with the file", _NEXT[step.action]
    label = f"{name} (line {note.line})" if note and note.line else name
    yield f"  {label}: {state}, {following}"
    if note is not None:
        yield from _detail(note)


def _detail(note: Note) -> Iterator[str]:
    if note.reason:
        yield f"    {note.reason}"
    if note.kind in {NoteKind.UNSEEN, NoteKind.MISFIT}:
        yield from (f"    {line}" for line in note.text.splitlines())


_FUNCTION: Mapping[NoteKind | None, tuple[str, str]] = {
    None: ("as emitted", "follows the spec"),
    NoteKind.INSERTED: ("not there yet", "is added"),
    NoteKind.REFRESHED: ("as emitted", "is refreshed: the spec is newer"),
    NoteKind.REMOVED: ("as emitted", "is removed: no longer in the spec"),
    NoteKind.EDITED: ("edited", "is never changed"),
    NoteKind.MISFIT: ("edited", "is never changed, but can't be called as it is"),
    NoteKind.ORPHAN: ("edited", "stays, and is not wired: no longer in the spec"),
    NoteKind.ABSENT: ("left out", "stays away: you deleted it"),
    NoteKind.UNSEEN: ("not to be told from here", "is left to you"),
}
