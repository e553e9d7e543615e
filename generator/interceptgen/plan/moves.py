"""Carries a user's files along when their interceptor gets a new name (`was:`)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from interceptgen.files import Former, Owner, SourceFile
from interceptgen.lock import FileRecord, content_hash
from interceptgen.merge import Note, Rename, rename_class, rename_imports
from interceptgen.snapshot import Snapshot

__all__ = ["Move", "find_moves"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One file on its way from an old name to a new one.

    Attributes:
        source: The path that it leaves.
        target: The path that it gets.
        data: Its content under the new name; None for one that nobody
            touched, which is emitted anew, and for one that the user deleted.
        record: What the lock says of that content; None for one to emit.
        notes: Lines that still have the old name, for the user to look at.
    """

    source: str
    target: str
    data: bytes | None
    record: FileRecord | None
    notes: tuple[Note, ...]


def find_moves(files: Iterable[SourceFile], snapshot: Snapshot) -> Mapping[str, Move]:
    """Find the files that stand under an earlier name, and not under the new one.

    One that stands under both may be what a killed run has left; whether it is
    shows when the new one is the very file that the move would give.

    Args:
        files: What the spec asks for.
        snapshot: What is there, the earlier names included.

    Returns:
        The moves, by the new path.
    """
    wanted = {file.path for file in files}
    return {
        file.path: _move(file, former, snapshot)
        for file in files
        for former in _latest(file, snapshot, wanted)
    }


def _latest(file: SourceFile, snapshot: Snapshot, wanted: set[str]) -> Iterator[Former]:
    if snapshot.files[file.path] is None and file.path in snapshot.records:
        return
    for former in reversed(file.former):
        there = snapshot.files.get(former.path) is not None
        known = former.path in snapshot.records and former.path not in wanted
        if known and (there or file.owner is Owner.SEEDED):
            yield former
            return


def _move(file: SourceFile, former: Former, snapshot: Snapshot) -> Move:
    data = snapshot.files[former.path]
    record = replace(snapshot.records[former.path], item=file.item)
    move = Move(source=former.path, target=file.path, data=None, record=None, notes=())
    if data is None:
        return replace(move, record=record)
    if record.pristine and content_hash(data) == record.sha256:
        return move
    carry = rename_class if file.owner is Owner.GROWN else rename_imports
    renamed = carry(data, _rename(former))
    left = replace(record, sha256=content_hash(renamed.data), pristine=False)
    return replace(move, data=renamed.data, record=left, notes=renamed.notes)


def _rename(former: Former) -> Rename:
    return Rename(
        contracts=f"{former.package}.service.contracts",
        old_module=former.old_module,
        new_module=former.new_module,
        old_class=former.old_class,
        new_class=former.new_class,
    )
