"""Where a module names its hook class and the contract it imports.

Only names that libcst's scopes prove to be the class are given; one of several
possible meanings is no proof.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import GlobalScope, PositionProvider, ScopeProvider

from interceptgen.merge.layout import Tree

__all__ = ["Name", "class_names", "contract_names", "first_use", "places", "uses"]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Name:
    """A name's place: line and column from zero.

    Attributes:
        line: The line.
        column: The column.
        value: The name as it stands there.
    """

    line: int
    column: int
    value: str


def class_names(tree: Tree, name: str) -> Iterator[Name]:
    """Give the class's own name and every name that refers to it.

    Args:
        tree: A module that binds the name once, by a class statement.
        name: The class's name.

    Yields:
        Each place once, in no order.
    """
    own = [
        part.name
        for part in tree.module.body
        if isinstance(part, cst.ClassDef) and part.name.value == name
    ]
    yield from places(tree, own)
    yield from uses(tree, name)


def uses(tree: Tree, name: str) -> Iterator[Name]:
    """Give where a module uses a name that it binds in one place only.

    Args:
        tree: The module.
        name: The name.

    Yields:
        Each place once, in no order.
    """
    for scope in set(tree.metadata.resolve(ScopeProvider).values()):
        bindings = list(scope[name]) if isinstance(scope, GlobalScope) else []
        if len(bindings) == 1:
            sure = [use for use in bindings[0].references if len(use.referents) == 1]
            yield from places(
                tree,
                [
                    use.node
                    for use in sure
                    if isinstance(use.node, cst.Name | cst.SimpleString)
                    # An annotation may quote the name, and more than the name.
                    and _text(use.node) == name
                ],
            )


def places(tree: Tree, nodes: Iterable[cst.Name | cst.SimpleString]) -> Iterator[Name]:
    """Give the places of names, quoted or not.

    Args:
        tree: The module.
        nodes: Some of its names.

    Yields:
        Each name's place.
    """
    positions = tree.metadata.resolve(PositionProvider)
    for node in nodes:
        start = positions[node].start
        quote = isinstance(node, cst.SimpleString)
        yield Name(
            line=start.line - 1, column=start.column + int(quote), value=_text(node)
        )


def _text(node: cst.Name | cst.SimpleString) -> str:
    return node.raw_value if isinstance(node, cst.SimpleString) else node.value


def contract_names(tree: Tree, package: str, name: str) -> Iterator[Name]:
    """Give a contract module's name where it is imported as the tool emits it.

    Args:
        tree: The module.
        package: The package of contracts, dotted.
        name: The contract module's name.

    Yields:
        Each place.
    """
    positions = tree.metadata.resolve(PositionProvider)
    emitted = f"from {package} import {name} as contract"
    body = tree.module.body
    lines = [part for part in body if isinstance(part, cst.SimpleStatementLine)]
    for small in [line.body[0] for line in lines if len(line.body) == 1]:
        if tree.module.code_for_node(small) == emitted:
            start = positions[small].start
            column = start.column + emitted.rindex(f"{name} as")
            yield Name(line=start.line - 1, column=column, value=name)


def first_use(tree: Tree, name: str) -> int | None:
    """Give the line, from zero, on which a name is first written as code."""
    positions = tree.metadata.resolve(PositionProvider)
    return min(
        (
            place.start.line - 1
            for node, place in positions.items()
            if isinstance(node, cst.Name) and node.value == name
        ),
        default=None,
    )
