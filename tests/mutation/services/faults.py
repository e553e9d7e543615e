"""mutmut's mutants of a module, each as the module's whole text.

mutmut says what a mutant is; how it is put into a process is told in `worker/work.py`,
since mutmut's own way can't break what has a decorator or stands outside functions.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation.file_mutation import MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

__all__ = ["Fault", "faults"]

_LONGEST = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A fault of a module.

    Attributes:
        module: The module's name within `service`, such as `audit.row`.
        place: Its file, from the service's root.
        function: The function or class with the fault; empty outside of one.
        lines: The lines of the statement with the fault.
        before: What stood there.
        after: What stands there now.
        is_wording: Whether only the text of a log line or of an exception differs.
    """

    module: str
    place: Path
    function: str
    lines: range
    before: str
    after: str
    is_wording: bool
    _tree: cst.Module = field(repr=False)
    _nodes: tuple[cst.CSTNode, cst.CSTNode] = field(repr=False)

    def __str__(self) -> str:
        """Name the fault, the same way as long as its function reads the same."""
        return f"{self.module} {self.function}: {self.before}  =>  {self.after}"

    def text(self) -> str | None:
        """Give the whole module with the fault, or None where that isn't Python."""
        changed = self._tree.deep_replace(*self._nodes)
        text = cst.ensure_type(changed, cst.Module).code
        try:
            compile(text, self.place, "exec", dont_inherit=True)
        except SyntaxError:
            return None
        return text


class _Visitor(MutationVisitor):
    """Finds what mutmut would change, in decorated functions too.

    What only a type checker or `import *` reads is left alone.
    """

    def __init__(self) -> None:
        super().__init__(mutation_operators, IgnoredCode(set(), set(), set()))

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        match node:
            case cst.FunctionDef():
                return False
            case cst.Assign(targets=[cst.AssignTarget(cst.Name("__all__"))]):
                return True
            case cst.AnnAssign(annotation=cst.Annotation(cst.Name("TypeAlias"))):
                return True
            case cst.Call(func=cst.Name("TypeVar" | "cast")):
                return True
            case _:
                return super()._skip_node_and_children(node)


def faults(service: Path, place: Path) -> Iterator[Fault]:
    """Give every mutant of a module.

    Args:
        service: The service's folder.
        place: The module's file within it, below a folder named `service`.
    """
    source = (service / place).read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source))
    positions = wrapper.resolve(PositionProvider)
    parents = wrapper.resolve(ParentNodeProvider)
    visitor = _Visitor()
    wrapper.visit(visitor)
    tree = ast.parse(source)
    names = place.with_suffix("").parts
    for mutation in visitor.mutations:
        old, new = mutation.original_node, mutation.mutated_node
        around = [old]
        while around[-1] in parents:
            around.append(parents[around[-1]])
        line = next(positions[each].start.line for each in around if each in positions)
        lines, function = _around(tree, line)
        yield Fault(
            module=".".join(names[names.index("service") + 1 :]),
            place=place,
            function=function,
            lines=lines,
            before=_short(wrapper.module, old),
            after=_short(wrapper.module, new),
            is_wording=_is_wording(old, around),
            _tree=wrapper.module,
            _nodes=(old, new),
        )


def _is_wording(node: cst.CSTNode, around: Sequence[cst.CSTNode]) -> bool:
    """Tell whether a node is no more than what a log line or an exception says."""
    for outer in around:
        match outer:
            case cst.Call(func=cst.Attribute(value=cst.Name("_log"))):
                return True
            case cst.Raise():
                return _is_sentence(node)
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Name("message" | "problem"))]
            ):
                return _is_sentence(node)
            case _:
                pass
    return False


def _is_sentence(node: cst.CSTNode) -> bool:
    """Tell a text for people from a token that programs act on."""
    return isinstance(node, cst.SimpleString) and " " in node.value


def _around(tree: ast.Module, line: int) -> tuple[range, str]:
    """Give the lines of the innermost statement around a line, and its function."""
    nodes = list(_down_to(tree, line))
    statement = [node for node in nodes if isinstance(node, ast.stmt)][-1]
    return _head(statement), ".".join(filter(None, map(_name, nodes)))


def _name(node: ast.AST) -> str:
    """Give the name of a function or class."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.name
        case _:
            return ""


def _down_to(node: ast.AST, line: int) -> Iterator[ast.AST]:
    """Give the nodes that hold a line, the outer ones first."""
    for part in ast.iter_child_nodes(node):
        first = getattr(part, "lineno", line)
        if first <= line <= getattr(part, "end_lineno", line):
            yield part
            yield from _down_to(part, line)


def _head(statement: ast.stmt) -> range:
    """Give the lines of a statement without the statements in it."""
    within = [
        each.lineno
        for each in ast.walk(statement)
        if isinstance(each, ast.stmt) and each.lineno > statement.lineno
    ]
    end = statement.end_lineno or statement.lineno
    return range(statement.lineno, min([*within, end + 1]))


def _short(module: cst.Module, node: cst.CSTNode) -> str:
    words = " ".join(module.code_for_node(node).split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 3] + "..."
