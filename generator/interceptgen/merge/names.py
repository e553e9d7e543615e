"""The names that one statement binds or reads in the scope it stands in."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import libcst as cst

__all__ = ["Names", "names"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Names of one statement, those inside its functions and classes left out.

    Attributes:
        binds: Names it gives a meaning, in any way Python has.
        uses: Names it mentions; a bound name may be among them.
    """

    binds: set[str] = field(default_factory=set[str])
    uses: set[str] = field(default_factory=set[str])


def names(statement: cst.CSTNode) -> Names:
    """Give the names of a statement, branches and loops included.

    Args:
        statement: Any statement, simple or compound.

    Returns:
        Its names in its own scope.
    """
    found = Names()
    statement.visit(_Collector(found))
    return found


class _Collector(cst.CSTVisitor):
    """Walks one scope; what has a scope of its own is not entered."""

    def __init__(self, found: Names) -> None:
        super().__init__()
        self._found = found

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Name):
            self._found.uses.add(node.value)
        self._bind(_bound_by(node))
        parts = _same_scope(node)
        for part in parts or ():
            if part is not None:
                part.visit(self)
        return parts is None

    def _bind(self, target: cst.CSTNode | None) -> None:
        if isinstance(target, cst.Name):
            self._found.binds.add(target.value)
        elif isinstance(target, cst.Tuple | cst.List):
            for element in target.elements:
                self._bind(element.value)


def _bound_by(node: cst.CSTNode) -> cst.CSTNode | None:
    """Give what a node binds: a name, or a pattern of names."""
    match node:
        case (
            cst.AssignTarget()
            | cst.AnnAssign()
            | cst.AugAssign()
            | cst.For()
            | cst.NamedExpr()
            | cst.Del()
        ):
            return node.target
        case (
            cst.FunctionDef()
            | cst.ClassDef()
            | cst.AsName()
            | cst.MatchAs()
            | cst.MatchStar()
            | cst.TypeAlias()
        ):
            return node.name
        case cst.MatchMapping():
            return node.rest
        case cst.ImportAlias(asname=None):
            return _leftmost(node.name)
        case _:
            return None


def _same_scope(node: cst.CSTNode) -> Sequence[cst.CSTNode | None] | None:
    """Give the parts of a node that its own scope reads; None for all."""
    parts: Sequence[cst.CSTNode | None] | None = None
    match node:
        case cst.FunctionDef():
            parts = (*node.decorators, node.params, node.returns)
        case cst.ClassDef():
            parts = (*node.decorators, *node.bases, *node.keywords)
        case cst.Lambda():
            parts = (node.params,)
        case cst.Param():
            parts = (node.annotation, node.default)
        case cst.Arg() | cst.Attribute():
            parts = (node.value,)
        case cst.ImportFrom():
            parts = () if isinstance(node.names, cst.ImportStar) else node.names
        case cst.ImportAlias():
            parts = (node.asname,)
        case _:
            pass
    return parts


def _leftmost(name: cst.CSTNode) -> cst.CSTNode:
    while isinstance(name, cst.Attribute):
        name = name.value
    return name
