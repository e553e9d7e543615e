"""Small faults in a module's functions, one at a time, in its syntax tree.

Decorators and docstrings are left alone; so is what stands outside functions.
"""

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType

from tests.mutation.changes import changes

__all__ = ["Mutant", "mutants"]


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
            for number in range(len(list(changes(statement)))):
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
    node, change = list(changes(changed))[number]
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
