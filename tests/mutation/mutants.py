"""Small faults in a module's functions, one at a time, in its syntax tree.

The faults are the classic ones: another operator, another constant, no value
given back, an argument or a statement left out. Annotations, defaults,
decorators and docstrings are left alone; so is what stands outside functions.
"""

import ast
import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType

__all__ = ["Mutant", "mutants"]

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
_Change = tuple[ast.AST, Callable[[ast.AST], object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A module with one fault.

    Attributes:
        path: The module's file.
        function: The function with the fault, with its class.
        first: The line on which that function begins.
        lines: The lines of the statement with the fault.
        before: That statement, or its head.
        after: The same with the fault.
        code: The whole module, compiled.
    """

    path: Path
    function: str
    first: int
    lines: range
    before: str
    after: str
    code: CodeType = field(repr=False)

    def __str__(self) -> str:
        """Give one line for a report."""
        where = f"{self.path.name}:{self.lines.start} {self.function}"
        return f"{where}: {self.before}  =>  {self.after}"


def mutants(path: Path) -> Iterator[Mutant]:
    """Give every mutant of a module."""
    tree = ast.parse(path.read_bytes())
    for name, function in _functions(tree.body, ""):
        for statement in _statements(function.body):
            before = _head(statement)
            for number in range(len(list(_changes(statement)))):
                code, lines, after = _broken(path, tree, statement, number)
                yield Mutant(
                    path=path,
                    function=name,
                    first=_first(function),
                    lines=lines,
                    before=before,
                    after=after,
                    code=code,
                )


def _broken(
    path: Path, tree: ast.Module, statement: ast.stmt, number: int
) -> tuple[CodeType, range, str]:
    """Give the module with one change of a statement, its lines, and how it reads."""
    # `deepcopy` keeps in its memo what each node became.
    copies: dict[int, object] = {}
    whole = copy.deepcopy(tree, copies)
    changed = copies[id(statement)]
    if not isinstance(changed, ast.stmt):
        raise TypeError(changed)
    lines = _lines(changed)
    node, change = list(_changes(changed))[number]
    change(node)
    ast.fix_missing_locations(whole)
    code = compile(whole, path, "exec", dont_inherit=True)
    return code, lines, _head(changed)


def _first(function: ast.FunctionDef) -> int:
    return min([function.lineno, *(each.lineno for each in function.decorator_list)])


def _functions(
    body: Sequence[ast.stmt], inside: str
) -> Iterator[tuple[str, ast.FunctionDef]]:
    for statement in body:
        match statement:
            case ast.FunctionDef():
                yield inside + statement.name, statement
            case ast.ClassDef():
                yield from _functions(statement.body, f"{statement.name}.")
            case ast.If():
                yield from _functions([*statement.body, *statement.orelse], inside)
            case _:
                pass


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Give all statements but docstrings, nested ones after their own head."""
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case _:
                yield statement
        for part in ast.iter_child_nodes(statement):
            if isinstance(part, ast.ExceptHandler | ast.match_case):
                yield from _statements(part.body)
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, name, []))


def _lines(statement: ast.stmt) -> range:
    inner = [
        part.lineno
        for part in ast.iter_child_nodes(statement)
        if isinstance(part, ast.stmt) and part.lineno > statement.lineno
    ]
    end = statement.end_lineno or statement.lineno
    return range(statement.lineno, min([*inner, end + 1]))


def _head(statement: ast.stmt) -> str:
    lines = ast.unparse(statement).split("\n")
    cases = [line.strip() for line in lines[1:] if line.lstrip().startswith("case ")]
    return " ".join(
        [lines[0], *cases] if isinstance(statement, ast.Match) else lines[:1]
    )


def _changes(statement: ast.stmt) -> Iterator[_Change]:
    """Give what can be done to a statement's own nodes, in a fixed order."""
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


def _whole(statement: ast.stmt) -> Iterator[_Change]:
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
