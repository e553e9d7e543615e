"""Where a module names its hook class and the contract it imports.

Only names that libcst's scopes prove to be the class are given; one of several
possible meanings is no proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import (
    GlobalScope,
    MetadataWrapper,
    PositionProvider,
    ScopeProvider,
)

__all__ = ["Name", "class_names", "contract_names", "first_use"]


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


def class_names(module: cst.Module, name: str) -> Iterator[Name]:
    """Give the class's own name and every name that refers to it.

    Args:
        module: A module that binds the name once, by a class statement.
        name: The class's name.

    Yields:
        Each place once, in no order.
    """
    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    positions = wrapper.resolve(PositionProvider)
    nodes: list[cst.CSTNode] = [
        part.name
        for part in module.body
        if isinstance(part, cst.ClassDef) and part.name.value == name
    ]
    for scope in set(wrapper.resolve(ScopeProvider).values()):
        if isinstance(scope, GlobalScope):
            nodes.extend(
                access.node
                for assignment in scope[name]
                for access in assignment.references
                if len(access.referents) == 1
            )
    for node in nodes:
        # An annotation may quote the name.
        quote = isinstance(node, cst.SimpleString) and node.raw_value == name
        if quote or (isinstance(node, cst.Name) and node.value == name):
            start = positions[node].start
            yield Name(
                line=start.line - 1, column=start.column + int(quote), value=name
            )


def contract_names(module: cst.Module, package: str, name: str) -> Iterator[Name]:
    """Give a contract module's name where it is imported as the tool emits it.

    Args:
        module: The module.
        package: The package of contracts, dotted.
        name: The contract module's name.

    Yields:
        Each place.
    """
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    emitted = f"from {package} import {name} as contract"
    lines = [part for part in module.body if isinstance(part, cst.SimpleStatementLine)]
    for small in [line.body[0] for line in lines if len(line.body) == 1]:
        if module.code_for_node(small) == emitted:
            start = positions[small].start
            column = start.column + emitted.rindex(f"{name} as")
            yield Name(line=start.line - 1, column=column, value=name)


def first_use(module: cst.Module, name: str) -> int | None:
    """Give the line, from zero, on which a name is first written as code."""
    positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
    return min(
        (
            place.start.line - 1
            for node, place in positions.items()
            if isinstance(node, cst.Name) and node.value == name
        ),
        default=None,
    )
