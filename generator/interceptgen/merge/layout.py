"""Parse a file and tell on which lines each statement stands.

Line numbers come from libcst's own text of each node, never from its
metadata, which costs several times the parse. They start at zero.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import libcst as cst
from libcst.metadata import MetadataWrapper

from interceptgen.merge.outcome import Unseen
from interceptgen.merge.source import Source, indents, read

__all__ = ["Span", "Tree", "parsed"]

_LEAD = re.compile(r"\A[ \t]+")
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
        source: The file.
        view: The lines it was parsed from; indentation may differ from the
            source's.
        module: The tree.
        metadata: What libcst can tell of the tree, worked out when asked for.
    """

    def __init__(
        self, source: Source, view: tuple[str, ...], module: cst.Module
    ) -> None:
        self.source = source
        self.view = view
        self.module = module
        self.metadata = MetadataWrapper(module, unsafe_skip_copy=True)
        self._texts: dict[cst.CSTNode, str] = {}

    def text(self, nodes: Iterable[cst.CSTNode]) -> str:
        """Give the text of whole lines, with what libcst counts to each node."""
        return "".join(map(self._text, nodes))

    def count(self, nodes: Iterable[cst.CSTNode]) -> int:
        """Count the lines that nodes take, each with its own line end."""
        return self.text(nodes).count("\n")

    def spans(
        self, statements: Sequence[cst.BaseStatement], first: int, indent: str = ""
    ) -> Iterator[tuple[cst.BaseStatement, Span]]:
        """Give the statements of one block with their lines.

        Args:
            statements: All statements of the block.
            first: The line behind the block's header.
            indent: The block's indentation; a module has none.

        Yields:
            Each statement and its span.
        """
        for statement in statements:
            stop = first + self.count([statement])
            start = first
            while _between(self.view[start]):
                start += 1
            span = Span(
                start=start,
                head=start + self.count(_decoration(statement)),
                end=_end(self.view, stop - _below(statement), indent),
            )
            yield statement, span
            first = stop

    def _text(self, node: cst.CSTNode) -> str:
        # Nodes are asked for more than once, and their text is dear.
        if node not in self._texts:
            self._texts[node] = self.module.code_for_node(node)
        return self._texts[node]


def parsed(data: bytes) -> Tree | Unseen:
    """Read and parse a file, and make sure that the tree tells every line of it.

    Args:
        data: The file.

    Returns:
        The tree, or why there is none to rely on.
    """
    source = read(data)
    if isinstance(source, Unseen):
        return source
    found = _tree(source, source.view)
    if isinstance(found, Unseen) and indents(data):
        # Tabs and spaces in one block: right for Python, wrong for libcst.
        even = _tree(source, tuple(map(_even, source.view)))
        return found if isinstance(even, Unseen) else even
    return found


def _tree(source: Source, lines: tuple[str, ...]) -> Tree | Unseen:
    view = "".join(f"{line}\n" for line in lines)
    if _depth(view) > _DEPTH:
        return Unseen(reason="the file is nested too deep")
    try:
        module = cst.parse_module(view)
    except cst.ParserSyntaxError as error:
        return Unseen(reason="the file does not parse", line=error.raw_line)
    except cst.CSTValidationError:
        return Unseen(reason="the file does not parse")
    tree = Tree(source, lines, module)
    if tree.text([*module.header, *module.body, *module.footer]) != view:
        return Unseen(reason="the parser does not reproduce the file")
    return tree


def _even(line: str) -> str:
    """Put spaces in the place of a line's first tabs, up to Python's tab stops."""
    return _LEAD.sub(lambda lead: lead[0].expandtabs(), line)


def _depth(view: str) -> int:
    """Give the most brackets that may be open at once, quoted ones included."""
    steps = (1 if bracket in "([{" else -1 for bracket in _BRACKET.findall(view))
    return max(accumulate(steps, initial=0))


def _decoration(statement: cst.BaseStatement) -> Sequence[cst.CSTNode]:
    if isinstance(statement, cst.FunctionDef | cst.ClassDef):
        return (*statement.decorators, *statement.lines_after_decorators)
    return ()


def _below(node: cst.CSTNode) -> int:
    """Count the lines that libcst counts to a node, below its last token."""
    lines = 0
    for part in reversed(node.children):
        if not isinstance(part, cst.EmptyLine):
            return lines + _below(part)
        lines += 1
    return lines


def _end(view: Sequence[str], stop: int, indent: str) -> int:
    """Give a statement's last line: that of a deep comment below it, if any."""
    end = stop - 1
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
