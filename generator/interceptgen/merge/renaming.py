"""Carry a hook module to its new name: its class, its one import, no more.

Only whole names change, each proved to be the class or the contract. What
can't be proved is left, and a note names its line.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from interceptgen.merge.layout import Tree, parsed
from interceptgen.merge.locate import ClassBody, locate
from interceptgen.merge.outcome import Note, NoteKind, Renamed, Unseen
from interceptgen.merge.references import Name, class_names, contract_names, first_use
from interceptgen.merge.source import Line, Source, compiles, joined, read

__all__ = ["Rename", "rename_class", "replaced"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename:
    """One interceptor's way from an old name to a new one.

    Attributes:
        contracts: The package that the contract is imported from, such as
            `orders.service.contracts`.
        old_module: The contract module's old name, such as `house_style`.
        new_module: Its new name.
        old_class: The class's old name, such as `HouseStyle`.
        new_class: Its new name.
    """

    contracts: str
    old_module: str
    new_module: str
    old_class: str
    new_class: str


def rename_class(current: bytes, rename: Rename) -> Renamed:
    """Carry a hook module to its new name.

    Args:
        current: The file as it is, edited or not.
        rename: The names.

    Returns:
        The file with the class, its provable references and the contract's
        import renamed, and notes on each line that still has an old name.
        Where the class can't be told for sure, or the new name is in use: the
        file as it is, and a note.
    """
    try:
        return _renamed(current, rename)
    except RecursionError:
        return _left(current, rename, Unseen(reason="the file is nested too deep"))


def _renamed(current: bytes, rename: Rename) -> Renamed:
    found = _found(current, rename.old_class)
    if isinstance(found, Unseen):
        return _left(current, rename, found)
    source, tree, body = found
    used = first_use(tree.module, rename.new_class)
    if used is not None and rename.old_class != rename.new_class:
        taken = Unseen(reason=f"{rename.new_class} is in use", line=used + 1)
        return _left(current, rename, taken)
    classes = list(class_names(tree.module, rename.old_class))
    imports = list(contract_names(tree.module, rename.contracts, rename.old_module))
    data = replaced(
        source,
        tree.view,
        {
            **dict.fromkeys(classes, rename.new_class),
            **dict.fromkeys(imports, rename.new_module),
        },
    )
    again = _found(data, rename.new_class)
    kept = compiles(data) or not compiles(current)
    if isinstance(again, Unseen) or _places(again[2]) != _places(body) or not kept:
        return _left(current, rename, Unseen(reason="the edit would not read back"))
    return Renamed(
        data=data, notes=tuple(_remaining(again[0], rename, imported=bool(imports)))
    )


def _found(data: bytes, class_name: str) -> tuple[Source, Tree, ClassBody] | Unseen:
    source = read(data)
    if isinstance(source, Unseen):
        return source
    tree = parsed(source)
    if isinstance(tree, Unseen):
        return tree
    body = locate(source, class_name)
    return body if isinstance(body, Unseen) else (source, tree, body)


def _places(body: ClassBody) -> list[tuple[str, int, int]]:
    return [(part.name, part.span.start, part.span.end) for part in body.members]


def replaced(source: Source, view: Sequence[str], changes: Mapping[Name, str]) -> bytes:
    """Replace names from the back, so that earlier columns stay true."""
    lines = list(source.lines)
    for name in sorted(changes, reverse=True):
        # The view may differ at the start of a line, never at its end.
        tail = source.bytes_of(view[name.line][name.column :])
        start = len(source.lines[name.line].content) - len(tail)
        stop = start + len(source.bytes_of(name.value))
        line = lines[name.line]
        if line.content[start:stop] == source.bytes_of(name.value):
            new = source.bytes_of(changes[name])
            content = line.content[:start] + new + line.content[stop:]
            lines[name.line] = Line(content=content, end=line.end)
    return joined(lines)


def _remaining(source: Source, rename: Rename, *, imported: bool) -> Iterator[Note]:
    """Name what still has an old name, for the user to look at."""
    if not imported and rename.old_module != rename.new_module:
        wanted = f"from {rename.contracts} import {rename.new_module} as contract"
        reason = "the contract's import is not as it was emitted"
        yield _note(1, wanted, reason)
    if rename.old_class == rename.new_class:
        return
    word = re.compile(rf"\b{re.escape(rename.old_class)}\b")
    for number, line in enumerate(source.view, start=1):
        if word.search(line):
            yield _note(number, line.strip(), f"still names {rename.old_class}")


def _left(current: bytes, rename: Rename, why: Unseen) -> Renamed:
    wanted = f"class {rename.new_class}"
    return Renamed(data=current, notes=(_note(why.line, wanted, why.reason),))


def _note(line: int, text: str, reason: str) -> Note:
    return Note(kind=NoteKind.UNSEEN, method="", line=line, text=text, reason=reason)
