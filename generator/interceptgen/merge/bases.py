"""What a hook class inherits, as far as its own module shows it.

A stub put into a class hides a method of the same name in a base. So a base
that can't be seen counts as one that may have the method.
"""

from collections.abc import Mapping
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
    foreign = ""
    waiting = [class_def]
    seen: set[str] = {class_def.name.value}
    while waiting:
        for base in waiting.pop().bases:
            name = _last_name(base.value)
            if base.star or (name not in classes and name not in _PLAIN):
                foreign = foreign or module.code_for_node(base.value)
            elif isinstance(base.value, cst.Name) and name not in seen:
                seen.add(name)
                waiting.extend(_one(classes, name))
                bound.update(*(_bound(found) for found in _one(classes, name)))
    return Inherited(names=frozenset(bound), foreign=foreign)


def _one(classes: Mapping[str, cst.ClassDef], name: str) -> tuple[cst.ClassDef, ...]:
    return (classes[name],) if name in classes else ()


def _bound(class_def: cst.ClassDef) -> set[str]:
    return {name for part in class_def.body.body for name in names(part).binds}


def _last_name(base: cst.BaseExpression) -> str:
    match base:
        case cst.Name():
            return base.value
        case cst.Attribute():
            return base.attr.value
        case cst.Subscript():
            return _last_name(base.value)
        case _:
            return ""
