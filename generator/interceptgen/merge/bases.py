"""What a hook class inherits, as far as its own module shows it.

A stub put into a class hides a method of the same name in a base. So a base
that can't be seen counts as one that may have the method.
"""

from dataclasses import dataclass

import libcst as cst

from interceptgen.merge.names import names

__all__ = ["Inherited", "inherited"]

# The contract's own base, whose methods the stubs are there to replace, and
# bases that have no methods of interest.
_PLAIN = frozenset({"Hooks", "ABC", "Generic", "Protocol", "object"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Inherited:
    """What the bases of a class bring along.

    Attributes:
        names: Names bound in base classes of the same module.
        foreign: The first base from elsewhere; empty if there is none.
    """

    names: frozenset[str]
    foreign: str


def inherited(module: cst.Module, class_def: cst.ClassDef) -> Inherited:
    """Follow a class's bases through its own module.

    Args:
        module: The module of the class.
        class_def: The class, one of the module's own statements.

    Returns:
        The names found, and the base where the search ended.
    """
    classes = {
        statement.name.value: statement
        for statement in module.body
        if isinstance(statement, cst.ClassDef)
    }
    bound: set[str] = set()
    foreign: list[str] = []
    waiting = [class_def]
    seen: set[str] = {class_def.name.value}
    while waiting:
        for base in waiting.pop().bases:
            name = _generic(base.value)
            known = classes.get(name.value) if isinstance(name, cst.Name) else None
            if base.star or (known is None and not _is_plain(name)):
                foreign.append(module.code_for_node(base.value))
            elif known is not None and known.name.value not in seen:
                seen.add(known.name.value)
                waiting.append(known)
                bound.update(*(names(part).binds for part in known.body.body))
    return Inherited(names=frozenset(bound), foreign=next(iter(foreign), ""))


def _generic(base: cst.BaseExpression) -> cst.BaseExpression:
    """Give `Box` for `Box[int]`."""
    return base.value if isinstance(base, cst.Subscript) else base


def _is_plain(base: cst.BaseExpression) -> bool:
    name = base.attr if isinstance(base, cst.Attribute) else base
    return isinstance(name, cst.Name) and name.value in _PLAIN
