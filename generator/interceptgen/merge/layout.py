"""Parse a file and tell on which lines each statement stands.

Line numbers come from libcst's own text of each node, never from its
metadata, which costs several times the parse. They start at zero.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import libcst as cst

from interceptgen.merge.outcome import Unseen
from interceptgen.merge.source import Source, indents, joined

__all__ = ["Span", "Tree", "parsed"]

_BRACKET = re.compile(r"[()\[\]{}]")
# Python takes 200 at once; at some thousands the parser's stack breaks, and
# the process with it.
_DEPTH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The lines of one statement.

    Attributes:
        start: First line: decorators belong to it, comments above it don't.
        head: The line of the `def`, `class` or statement itself.
        end: Last line; a comment indented deeper than the block belongs to it.
    """

    start: int
    head: int
    end: int


class Tree:
    """A parsed file.

    Attributes:
        module: The tree.
        view: The lines it was parsed from; indentation may differ from the
            source's.
    """

    def __init__(self, module: cst.Module, view: tuple[str, ...]) -> None:
        self.module = module
        self.view = view
        self._texts: dict[cst.CSTNode, str] = {}

    def text(self, nodes: Iterable[cst.CSTNode]) -> str:
        """Give the text of whole lines, with what libcst counts to each node."""
        return "".join(map(self._text, nodes))

    def count(self, nodes: Iterable[cst.CSTNode]) -> int:
        """Count the lines that nodes take, each with its own line end."""
        return self.text(nodes).count("\n")

    def spans(
        self, statements: Sequence[cst.BaseStatement], first: int, indent: str
    ) -> Iterator[Span]:
        """Give the lines of the statements of one block.

        Args:
            statements: All statements of the block.
            first: The line behind the block's header.
            indent: The block's indentation.

        Yields:
            The span of each statement.
        """
        for statement in statements:
            stop = first + self.count([statement])
            start = first + self.count(_above(statement))
            yield Span(
                start=start,
                head=start + self.count(_decoration(statement)),
                end=_end(self.view, start, stop, indent),
            )
            first = stop

    def _text(self, node: cst.CSTNode) -> str:
        # Nodes are asked for more than once, and their text is dear.
        if node not in self._texts:
            self._texts[node] = self.module.code_for_node(node)
        return self._texts[node]


def parsed(source: Source) -> Tree | Unseen:
    """Parse a file's view, and make sure that the tree tells every line of it.

    Args:
        source: The file.

    Returns:
        The tree, or why there is none to rely on.
    """
    found = _tree(source.view)
    if isinstance(found, Unseen) and indents(joined(source.lines)):
        # Tabs and spaces in one block: right for Python, wrong for libcst.
        even = _tree(tuple(map(_even, source.view)))
        return found if isinstance(even, Unseen) else even
    return found


def _tree(lines: tuple[str, ...]) -> Tree | Unseen:
    view = "".join(f"{line}\n" for line in lines)
    if _depth(view) > _DEPTH:
        return Unseen(reason="the file is nested too deep")
    try:
        module = cst.parse_module(view)
    except cst.ParserSyntaxError as error:
        return Unseen(reason="the file does not parse", line=error.raw_line)
    except cst.CSTValidationError:
        return Unseen(reason="the file does not parse")
    tree = Tree(module, lines)
    if tree.text([*module.header, *module.body, *module.footer]) != view:
        return Unseen(reason="the parser does not reproduce the file")
    return tree


def _even(line: str) -> str:
    rest = line.lstrip(" \t")
    return line.removesuffix(rest).expandtabs(8) + rest


def _depth(view: str) -> int:
    """Give the most brackets that may be open at once, quoted ones included."""
    steps = (1 if bracket in "([{" else -1 for bracket in _BRACKET.findall(view))
    return max(accumulate(steps), default=0)


def _above(statement: cst.BaseStatement) -> Sequence[cst.CSTNode]:
    if isinstance(statement, cst.SimpleStatementLine | cst.BaseCompoundStatement):
        return statement.leading_lines
    return ()


def _decoration(statement: cst.BaseStatement) -> Sequence[cst.CSTNode]:
    if isinstance(statement, cst.FunctionDef | cst.ClassDef):
        return (*statement.decorators, *statement.lines_after_decorators)
    return ()


def _end(view: Sequence[str], start: int, stop: int, indent: str) -> int:
    """Find a statement's last line, from its tokens and from deep comments."""
    end = stop - 1
    while end > start and _between(view[end]):
        end -= 1
    for number in range(end + 1, len(view)):
        line = view[number]
        deep = line.startswith((f"{indent} ", f"{indent}\t"))
        if not _between(line) or (line and not deep):
            break
        if deep:
            end = number
    return end


def _between(line: str) -> bool:
    """Tell whether a line holds no token: it is blank or a comment."""
    return not line or line.lstrip().startswith("#")
