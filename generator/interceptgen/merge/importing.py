"""Carry a module that imports a hook class to the class's new name.

Like `renaming`, it changes whole names that are proved, and notes the rest.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import libcst as cst
from libcst.helpers import get_full_name_for_node

from interceptgen.merge.layout import Tree, parsed
from interceptgen.merge.leftovers import left, still_named
from interceptgen.merge.outcome import Note, Renamed, Unseen
from interceptgen.merge.references import Name, first_use, places, uses
from interceptgen.merge.renaming import Rename, replaced
from interceptgen.merge.source import stays_valid

__all__ = ["rename_imports"]


def rename_imports(current: bytes, rename: Rename) -> Renamed:
    """Carry a user's module, such as a test, to the new name of what it imports.

    Args:
        current: The file as it is.
        rename: The names.

    Returns:
        The file with the imports of the hook module and its contract, and what
        they bind, renamed, and notes on each line that still has an old name.
        Where the file can't be read for sure, or a new name is in use: the file
        as it is, and a note.
    """
    try:
        tree = parsed(current)
        if isinstance(tree, Unseen):
            return Renamed(data=current, notes=(left(tree.line, "", tree.reason),))
        return _renamed(current, tree, rename)
    except RecursionError:
        return Renamed(
            data=current, notes=(left(1, "", "the file is nested too deep"),)
        )


def _renamed(current: bytes, tree: Tree, rename: Rename) -> Renamed:
    imports, bound = _imported(tree.module, rename)
    in_use = list(_in_use(tree, rename, bound))
    if in_use:
        return Renamed(data=current, notes=(*in_use, *_told(tree, rename)))
    data = replaced(tree, dict(_changes(tree, rename, imports, bound)))
    again = parsed(data)
    if isinstance(again, Unseen) or not stays_valid(current, data):
        return Renamed(data=current, notes=tuple(_told(tree, rename)))
    return Renamed(data=data, notes=tuple(_told(again, rename)))


def _names(rename: Rename) -> Mapping[str, str]:
    return {
        rename.old_module: rename.new_module,
        rename.old_class: rename.new_class,
    }


def _told(tree: Tree, rename: Rename) -> Iterator[Note]:
    return still_named(tree.source, rename.old_class, rename.new_class)


def _in_use(tree: Tree, rename: Rename, bound: set[str]) -> Iterator[Note]:
    """Tell which new names the module already has in use for something else."""
    names = _names(rename)
    for new in [names[old] for old in names if old in bound]:
        used = first_use(tree, new)
        if used is not None and new not in names:
            yield left(used + 1, "", f"{new} is in use")


def _imported(module: cst.Module, rename: Rename) -> tuple[list[cst.Name], set[str]]:
    """Find where imports name the hook module, its class and its contract.

    Returns:
        The places, and which of the names the module then has as its own.
    """
    hooks = rename.contracts.removesuffix(".service.contracts") + ".hooks"
    modules = {f"{each}.{rename.old_module}" for each in (hooks, rename.contracts)}
    imported = {
        (f"{hooks}.{rename.old_module}", rename.old_class),
        (hooks, rename.old_module),
        (rename.contracts, rename.old_module),
    }
    imports: list[cst.Name] = []
    bound: set[str] = set()
    for package, aliases in _from_imports(module):
        source = get_full_name_for_node(package)
        if source in modules and isinstance(package, cst.Attribute):
            imports.append(package.attr)
        for alias in aliases:
            name = alias.name
            if isinstance(name, cst.Name) and (source, name.value) in imported:
                imports.append(name)
                if alias.asname is None:
                    bound.add(name.value)
    return imports, bound


def _from_imports(
    module: cst.Module,
) -> Iterator[tuple[cst.Attribute | cst.Name, Sequence[cst.ImportAlias]]]:
    """Give the module and the names of each `from` import that is not relative."""
    for line in module.body:
        for part in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if (
                isinstance(part, cst.ImportFrom)
                and part.module is not None
                and not part.relative
            ):
                names = part.names
                yield part.module, () if isinstance(names, cst.ImportStar) else names


def _changes(
    tree: Tree, rename: Rename, imports: Iterable[cst.Name], bound: Iterable[str]
) -> Iterator[tuple[Name, str]]:
    """Give each place to change, with its new name."""
    yield from ((place, _names(rename)[place.value]) for place in places(tree, imports))
    for name in bound:
        yield from ((place, _names(rename)[name]) for place in uses(tree, name))
