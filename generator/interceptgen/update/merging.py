"""What becomes of each file of the template: pure, but for git's merge."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from interceptgen.update.floors import keep_raised_floors
from interceptgen.update.repository import merge

__all__ = ["CHANGES", "Merge", "Result", "merge_all"]


class Result(StrEnum):
    """What an update does with a file."""

    CREATE = "create"
    UPDATE = "update"
    MERGE = "merge"
    CONFLICT = "conflict"
    DELETE = "delete"
    KEEP = "keep"
    """It is told, for the template wants something else."""
    SAME = "same"


CHANGES = frozenset(
    {Result.CREATE, Result.UPDATE, Result.MERGE, Result.CONFLICT, Result.DELETE}
)
"""What is written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """One file of an update.

    Attributes:
        path: POSIX path relative to the project root.
        result: What is done.
        text: What stands there afterwards; None for no file.
        reason: Why it is kept; empty otherwise.
        dividers: Lines of "=" that are the file's own, not a marker's.
    """

    path: str
    result: Result
    text: bytes | None
    reason: str = ""
    dividers: int = 0


def merge_all(
    yours: Mapping[str, bytes | None],
    base: Mapping[str, bytes] | None,
    theirs: Mapping[str, bytes],
    *,
    special: Iterable[str] = (),
) -> tuple[Merge, ...]:
    """Decide what becomes of each file.

    Args:
        yours: What stands in the project at each path of the other two.
        base: What the template rendered before; None if nobody knows.
        theirs: What the template renders now.
        special: Paths at which no plain file stands, such as a link.
    """
    return tuple(
        Merge(
            path=path,
            result=Result.KEEP,
            text=None,
            reason="it is no plain file; the template's news for it are left out",
        )
        if path in special
        else _merge_one(path, yours[path], base, theirs.get(path))
        for path in sorted(yours)
    )


def _merge_one(
    path: str,
    yours: bytes | None,
    base: Mapping[str, bytes] | None,
    theirs: bytes | None,
) -> Merge:
    before = base.get(path) if base is not None else None
    if _same(yours, theirs) or _same(before, theirs):
        return Merge(path=path, result=Result.SAME, text=yours)
    if theirs is None:
        return _dropped(path, yours, before)
    if before is None:
        return _added(path, yours, theirs, known=base is not None)
    if yours is None:
        # The user deleted it, and it stays deleted.
        return Merge(path=path, result=Result.SAME, text=None)
    if _same(yours, before):
        return Merge(path=path, result=Result.UPDATE, text=_like(yours, theirs))
    return _three_way(path, yours, before, theirs)


def _added(path: str, yours: bytes | None, theirs: bytes, *, known: bool) -> Merge:
    """Decide on a file that the template hasn't had, or nobody knows whether."""
    if yours is None and known:
        return Merge(path=path, result=Result.CREATE, text=theirs)
    found = "it isn't there" if yours is None else "this one is another"
    unknown = "" if known else "; the old template is unknown"
    reason = f"the template has a file of this name, {found}{unknown}"
    return Merge(path=path, result=Result.KEEP, text=yours, reason=reason)


def _dropped(path: str, yours: bytes | None, before: bytes | None) -> Merge:
    if yours is None:
        return Merge(path=path, result=Result.SAME, text=None)
    if _same(yours, before):
        return Merge(path=path, result=Result.DELETE, text=None)
    reason = "the template has dropped it, but you edited it; it is yours now"
    return Merge(path=path, result=Result.KEEP, text=yours, reason=reason)


def _three_way(path: str, yours: bytes, base: bytes, theirs: bytes) -> Merge:
    mine = _unix(yours) if _is_windows(yours) else yours
    texts = mine, _unix(base), _unix(theirs)
    if path == "pyproject.toml":
        texts = keep_raised_floors(*texts)
    merged = merge(*texts)
    if merged is None:
        reason = "it is no text; the template's news for it are left out"
        return Merge(path=path, result=Result.KEEP, text=yours, reason=reason)
    text, conflicts = merged
    if text == mine:
        return Merge(path=path, result=Result.SAME, text=yours)
    result = Result.CONFLICT if conflicts else Result.MERGE
    own = max(side.splitlines().count(b"=======") for side in texts)
    return Merge(path=path, result=result, text=_like(yours, text), dividers=own)


def _same(one: bytes | None, other: bytes | None) -> bool:
    """Compare texts; a checkout with Windows' line ends is no edit."""
    if one is None or other is None:
        return one is other
    return _unix(one) == _unix(other)


def _like(model: bytes, text: bytes) -> bytes:
    """Give a text the line ends of another."""
    return _unix(text).replace(b"\n", b"\r\n") if _is_windows(model) else text


def _is_windows(text: bytes) -> bool:
    return 0 < text.count(b"\n") == text.count(b"\r\n")


def _unix(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n")
