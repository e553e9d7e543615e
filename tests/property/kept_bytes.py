"""Compares a person's file before and after a run, without the merge.

What the notes say was put in is taken out of the one, what they say was taken
out is taken out of the other: the lines that are left must be the same bytes
in the same order. Only empty lines, which set methods off, are not compared.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from interceptgen.files import Former, Stub
from interceptgen.merge import Note, NoteKind
from interceptgen.merge.source import Source, read
from interceptgen.merge.stub import host_lines

__all__ = ["lost"]

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_UNITS = ("    ", "\t", "  ", "        ")
_MOVED = {NoteKind.INSERTED, NoteKind.REFRESHED, NoteKind.REMOVED}


def lost(
    before: bytes,
    after: bytes,
    notes: Iterable[Note],
    earlier: Iterable[Stub],
    former: Former | None = None,
) -> str:
    """Tell what of a person's file is not in it any more.

    Args:
        before: The file as it was.
        after: The file as it is.
        notes: What the plan says was done to it.
        earlier: The stubs that may have stood in it, in any wording.
        former: How it was carried to another name; None if it wasn't.

    Returns:
        Empty if nothing is lost; otherwise what differs first.
    """
    done = [note for note in notes if note.kind in _MOVED]
    if not done and former is None:
        return "" if before == after else _first(_lines(before), _lines(after))
    if not done and _same(_raw(before), _raw(after), former):
        return ""
    old, new = _raw(before), _raw(after)
    old_source, new_source = read(before), read(after)
    if not isinstance(old_source, Source) or not isinstance(new_source, Source):
        return "" if _same(old, new, former) else "changed, though it can't be read"
    for note in done:
        if note.kind is NoteKind.REMOVED:
            old = _without(old, [_block(note.text, old_source)], note)
        else:
            new = _without(new, [_block(note.text, new_source)], note)
        if note.kind is NoteKind.REFRESHED:
            blocks = [
                _block("\n".join(host_lines(stub.text, unit)), old_source)
                for stub in earlier
                if stub.name == note.method
                for unit in {*_UNITS, _lead(note.text)}
            ]
            old = _without(old, blocks, note)
    left, right = _told(old), _told(new)
    # The body of a class on one line goes to a line of its own.
    one_line = any(re.match(rb"class \w+.*:[ \t]*[^ \t#]", line) for line in left)
    if one_line and _same(_words(left), _words(right), former):
        return ""
    if _same(left, right, former):
        return ""
    return _first(left, right)


def _lead(text: str) -> str:
    """Give the unit that the class is indented by: a person may choose any."""
    return text[: len(text) - len(text.lstrip(" \t"))]


def _raw(data: bytes) -> list[bytes]:
    return [match[0].rstrip(b"\r\n") for match in _LINE.finditer(data)]


def _lines(data: bytes) -> list[bytes]:
    return [match[0] for match in _LINE.finditer(data)]


def _told(lines: Iterable[bytes]) -> list[bytes]:
    # The placeholder of an emptied class comes and goes without a note.
    return [line for line in lines if line and line.strip(b" \t") != b"pass"]


def _block(text: str, source: Source) -> list[bytes]:
    return [
        line.encode(source.encoding) for line in text.removesuffix("\n").split("\n")
    ]


def _without(
    lines: Sequence[bytes], blocks: Iterable[list[bytes]], note: Note
) -> list[bytes]:
    """Take a block out; the one at the line that the note names, if it is there."""
    for block in blocks:
        size = len(block)
        starts = [
            at
            for at in range(len(lines) - size + 1)
            if lines[at] == block[0] and list(lines[at : at + size]) == block
        ]
        if starts:
            at = min(starts, key=lambda start: abs(start + 1 - note.line))
            return [*lines[:at], *lines[at + size :]]
    message = f"{note.kind} {note.method}:{note.line} is not there"
    raise AssertionError(message)


def _words(lines: Sequence[bytes]) -> list[bytes]:
    return re.findall(rb"\w+|[^\w\s]", b"\n".join(lines))


def _same(left: Sequence[bytes], right: Sequence[bytes], former: Former | None) -> bool:
    return len(left) == len(right) and all(
        old == new or (former is not None and _renamed(old, new, former))
        for old, new in zip(left, right, strict=True)
    )


def _renamed(old: bytes, new: bytes, former: Former) -> bool:
    """Tell whether whole names changed from the old one to the new, and no more."""
    names: Mapping[bytes, bytes] = {
        former.old_class.encode(): former.new_class.encode(),
        former.old_module.encode(): former.new_module.encode(),
    }
    word = re.compile(rb"\w+|\W+")
    parts, others = word.findall(old), word.findall(new)
    return len(parts) == len(others) and all(
        part == other or names.get(part) == other
        for part, other in zip(parts, others, strict=True)
    )


def _first(left: Sequence[bytes], right: Sequence[bytes]) -> str:
    for number, (old, new) in enumerate(zip(left, right, strict=False)):
        if old != new:
            return f"line {number}: {old!r} became {new!r}"
    return f"{len(left)} lines became {len(right)}: {[*left, *right][-1]!r}"
