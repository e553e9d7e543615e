"""Carry a hook module to its new name: its class, its one import, no more.

Only whole names change, each proved to be the class or the contract. What
can't be proved is left, and a note names its line.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interceptgen.merge.layout import Tree
from interceptgen.merge.leftovers import left, still_named
from interceptgen.merge.locate import locate
from interceptgen.merge.outcome import Note, Renamed, Unseen
from interceptgen.merge.references import Name, class_names, contract_names, first_use
from interceptgen.merge.reread import reread
from interceptgen.merge.source import Line, joined

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
    body = locate(current, rename.old_class)
    if isinstance(body, Unseen):
        return _left(current, rename, body)
    used = first_use(body.tree, rename.new_class)
    if used is not None and rename.old_class != rename.new_class:
        taken = Unseen(reason=f"{rename.new_class} is in use", line=used + 1)
        return _left(current, rename, taken)
    classes = list(class_names(body.tree, rename.old_class))
    imports = list(contract_names(body.tree, rename.contracts, rename.old_module))
    data = replaced(
        body.tree,
        {
            **dict.fromkeys(classes, rename.new_class),
            **dict.fromkeys(imports, rename.new_module),
        },
    )
    again = reread(data, rename.new_class, body.members, body)
    if isinstance(again, Unseen):
        return _left(current, rename, again)
    notes = (
        *(() if imports else _import_wanted(rename)),
        *still_named(again.tree.source, rename.old_class, rename.new_class),
    )
    return Renamed(data=data, notes=notes)


def replaced(tree: Tree, changes: Mapping[Name, str]) -> bytes:
    """Replace names from the back, so that earlier columns stay true.

    Args:
        tree: The file.
        changes: The new name for each place.

    Returns:
        The file with those names replaced.
    """
    source = tree.source
    lines = list(source.lines)
    for name in sorted(changes, reverse=True):
        # The view may differ at the start of a line, never at its end.
        tail = source.bytes_of(tree.view[name.line][name.column :])
        start = len(source.lines[name.line].content) - len(tail)
        stop = start + len(source.bytes_of(name.value))
        line = lines[name.line]
        if line.content[start:stop] == source.bytes_of(name.value):
            new = source.bytes_of(changes[name])
            content = line.content[:start] + new + line.content[stop:]
            lines[name.line] = Line(content=content, end=line.end)
    return joined(lines)


def _import_wanted(rename: Rename) -> Iterator[Note]:
    """Ask for the import that the renamed module should have, if it changes."""
    if rename.old_module != rename.new_module:
        wanted = f"from {rename.contracts} import {rename.new_module} as contract"
        yield left(1, wanted, "the contract's import is not as it was emitted")


def _left(current: bytes, rename: Rename, why: Unseen) -> Renamed:
    wanted = f"class {rename.new_class}"
    return Renamed(data=current, notes=(left(why.line, wanted, why.reason),))
