"""What can be done to one statement, each change a small fault.

The faults are the classic ones: another operator, another constant, no value
given back, an argument or a statement left out. Annotations and defaults are
left alone.
"""

import ast
from collections.abc import Callable, Iterator, Mapping

__all__ = ["Change", "changes"]

Change = tuple[ast.AST, Callable[[ast.AST], object]]
"""A node of the statement, and what makes it another one in its place."""

_COMPARED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_COUNTED: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}


def changes(statement: ast.stmt) -> Iterator[Change]:
    """Give what can be done to a statement's own nodes.

    Args:
        statement: The statement; those within it are not its own.

    Yields:
        Each change, in the same order for the same statement.
    """
    yield from _whole(statement)
    for node in _own(statement):
        for change in _of(node):
            yield node, change


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """Walk a node without nested statements, annotations and defaults."""
    yield node
    for part in ast.iter_child_nodes(node):
        skipped = ast.stmt | ast.ExceptHandler | ast.arguments
        if part is getattr(node, "annotation", None):
            continue
        if isinstance(part, ast.match_case):
            yield from _own(part.pattern)
            if part.guard is not None:
                yield from _own(part.guard)
        elif not isinstance(part, skipped):
            yield from _own(part)


def _whole(statement: ast.stmt) -> Iterator[Change]:
    """Leave a statement out, or the value that it gives."""
    match statement:
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield statement, _set("value", ast.Constant(None))
        case ast.Assign(value=value) if not _is_none(value):
            yield statement, _set("value", ast.Constant(None))
        case ast.AugAssign():
            yield statement, _become(ast.Assign([statement.target], statement.value))
        case ast.Expr() | ast.Raise() | ast.Break() | ast.Continue() | ast.Return():
            yield statement, _become(ast.Pass())
        case ast.Match():
            for number in range(
                len(statement.cases) if len(statement.cases) > 1 else 0
            ):
                yield statement, _without("cases", number)
        case _:
            pass


def _of(node: ast.AST) -> Iterator[Callable[[ast.AST], object]]:
    yield from _otherwise(node)
    match node:
        case ast.Constant() if node.value not in {None, ...}:
            yield _set("value", _other(node.value))
        case ast.Yield(value=ast.expr()):
            yield _set("value", ast.Constant(None))
        case ast.Call():
            yield from (_without("args", at) for at in range(len(node.args)))
            yield from (_without("keywords", at) for at in range(len(node.keywords)))
        case ast.MatchOr(patterns=[left, right]):
            # One pattern alone is no choice of patterns.
            yield from (_become(left), _become(right))
        case ast.MatchOr():
            yield from (_without("patterns", at) for at in range(len(node.patterns)))
        case _:
            pass


def _otherwise(node: ast.AST) -> Iterator[Callable[[ast.AST], object]]:
    """Give other operators, and conditions the other way round."""
    match node:
        case ast.Compare():
            for number, op in enumerate(node.ops):
                yield _put("ops", number, _COMPARED[type(op)]())
        case ast.BoolOp():
            yield _set("op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not()):
            yield _become(ast.Call(ast.Name("bool", ast.Load()), [node.operand], []))
        case ast.BinOp() | ast.AugAssign() if type(node.op) in _COUNTED:
            yield _set("op", _COUNTED[type(node.op)]())
        case ast.If() | ast.While() | ast.IfExp() if isinstance(
            node.test, ast.Name | ast.Call | ast.Attribute
        ):
            yield _set("test", ast.UnaryOp(ast.Not(), node.test))
        case _:
            pass


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _other(value: object) -> object:
    match value:
        case bool():
            return not value
        case str():
            return f"XX{value}XX"
        case bytes():
            return b"XX" + value + b"XX"
        case int() | float():
            return value + 1
        case _:
            raise TypeError(value)


def _set(name: str, value: object) -> Callable[[ast.AST], object]:
    return lambda node: setattr(node, name, value)


def _put(name: str, number: int, value: object) -> Callable[[ast.AST], object]:
    return lambda node: getattr(node, name).__setitem__(number, value)


def _without(name: str, number: int) -> Callable[[ast.AST], object]:
    return lambda node: getattr(node, name).pop(number)


def _become(other: ast.AST) -> Callable[[ast.AST], object]:
    """Make a node another one in its place, wherever that is."""

    def change(node: ast.AST) -> None:
        place = {name: getattr(node, name) for name in node._attributes}
        node.__class__ = type(other)
        vars(node).clear()
        vars(node).update(vars(other) | place)

    return change
