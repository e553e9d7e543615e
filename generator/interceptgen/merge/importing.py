"""Carry a module that imports a hook class to the class's new name.

Like `renaming`, it changes whole names that are proved, and notes the rest.
"""

import re
from collections.abc import Iterator

import libcst as cst
from libcst import ensure_type
from libcst.metadata import (
    GlobalScope,
    MetadataWrapper,
    PositionProvider,
    ScopeProvider,
)

from interceptgen.merge.layout import parsed
from interceptgen.merge.outcome import Note, NoteKind, Renamed, Unseen
from interceptgen.merge.references import Name, first_use
from interceptgen.merge.renaming import Rename, replaced
from interceptgen.merge.source import compiles, read

__all__ = ["rename_imports"]


def rename_imports(current: bytes, rename: Rename) -> Renamed:
    """Carry a user's module, such as a test, to the new name of what it imports.

    Args:
        current: The file as it is.
        rename: The names.

    Returns:
        The file with the imports of the hook module and its contract, and what
        they bind, renamed, and notes on each line that still has an old name.
        Where a new name is in use: the file as it is, and a note.
    """
    source = read(current)
    if isinstance(source, Unseen):
        return Renamed(data=current, notes=(_note(source.line, "", source.reason),))
    tree = parsed(source)
    if isinstance(tree, Unseen):
        return Renamed(data=current, notes=(_note(tree.line, "", tree.reason),))
    nodes, bound = _imported(tree.module, rename)
    for name in (new for old, new in _names(rename).items() if old in bound):
        used = first_use(tree.module, name)
        if used is not None and name not in _names(rename):
            notes = [_note(used + 1, "", f"{name} is in use")]
            return Renamed(data=current, notes=(*notes, *_remaining(current, rename)))
    changes = dict(_changes(tree.module, rename, nodes, bound))
    data = replaced(source, tree.view, changes)
    if compiles(current) and not compiles(data):
        data = current
    return Renamed(data=data, notes=tuple(_remaining(data, rename)))


def _names(rename: Rename) -> dict[str, str]:
    return {
        rename.old_module: rename.new_module,
        rename.old_class: rename.new_class,
    }


def _imported(module: cst.Module, rename: Rename) -> tuple[list[cst.Name], set[str]]:
    """Find where imports name the hook module, its class and its contract.

    Returns:
        The places, and which of the names the module then has as its own.
    """
    hooks = rename.contracts.removesuffix(".service.contracts") + ".hooks"
    imported = {
        (f"{hooks}.{rename.old_module}", rename.old_class),
        (hooks, rename.old_module),
        (rename.contracts, rename.old_module),
    }
    nodes: list[cst.Name] = []
    bound: set[str] = set()
    for statement in _from_imports(module):
        source = _dotted(statement.module)
        package, _, last = source.rpartition(".")
        if package in {hooks, rename.contracts} and last == rename.old_module:
            nodes.append(_last(statement.module))
        for alias in _aliases(statement):
            if (source, alias.name.value) in imported:
                nodes.append(ensure_type(alias.name, cst.Name))
                if alias.asname is None:
                    bound.add(str(alias.name.value))
    return nodes, bound


def _changes(
    module: cst.Module, rename: Rename, nodes: list[cst.Name], bound: set[str]
) -> Iterator[tuple[Name, str]]:
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    scopes = set(wrapper.resolve(ScopeProvider).values())
    uses = [
        use
        for scope in scopes
        if isinstance(scope, GlobalScope)
        for name in bound
        for use in _uses(scope, name)
    ]
    for node in (*nodes, *uses):
        start = positions[node].start
        place = Name(line=start.line - 1, column=start.column, value=node.value)
        yield place, _names(rename)[node.value]


def _from_imports(module: cst.Module) -> Iterator[cst.ImportFrom]:
    for line in module.body:
        if isinstance(line, cst.SimpleStatementLine):
            for statement in line.body:
                if isinstance(statement, cst.ImportFrom) and not statement.relative:
                    yield statement


def _aliases(statement: cst.ImportFrom) -> Iterator[cst.ImportAlias]:
    if not isinstance(statement.names, cst.ImportStar):
        yield from (
            alias for alias in statement.names if isinstance(alias.name, cst.Name)
        )


def _uses(scope: GlobalScope, name: str) -> Iterator[cst.Name]:
    """Give where a name is used that nothing but its import binds."""
    assignments = list(scope[name])
    if len(assignments) == 1:
        for access in assignments[0].references:
            if isinstance(access.node, cst.Name) and len(access.referents) == 1:
                yield access.node


def _dotted(node: cst.Attribute | cst.Name | None) -> str:
    if isinstance(node, cst.Attribute) and isinstance(
        node.value, cst.Attribute | cst.Name
    ):
        return f"{_dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _last(node: cst.Attribute | cst.Name | None) -> cst.Name:
    if isinstance(node, cst.Attribute):
        return node.attr
    if node is None:
        message = "an import without a module has no last name"
        raise ValueError(message)
    return node


def _remaining(data: bytes, rename: Rename) -> Iterator[Note]:
    source = read(data)
    if isinstance(source, Unseen) or rename.old_class == rename.new_class:
        return
    word = re.compile(rf"\b{re.escape(rename.old_class)}\b")
    for number, line in enumerate(source.view, start=1):
        if word.search(line):
            yield _note(number, line.strip(), f"still names {rename.old_class}")


def _note(line: int, text: str, reason: str) -> Note:
    return Note(kind=NoteKind.UNSEEN, method="", line=line, text=text, reason=reason)
