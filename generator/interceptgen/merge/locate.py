"""Find the class of a hook module, and what each of its statements binds."""

from dataclasses import dataclass, replace

import libcst as cst

from interceptgen.merge.bases import Inherited, inherited
from interceptgen.merge.layout import Span, Tree, parsed
from interceptgen.merge.names import names
from interceptgen.merge.outcome import Unseen

__all__ = ["PLACEHOLDER", "ClassBody", "Member", "OneLine", "locate"]

PLACEHOLDER = "pass"
"""What keeps an emptied class valid; no method can have this name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One statement of the class body.

    Attributes:
        name: The method's name, `pass` for that statement, empty for all else.
        span: Its lines.
        binds: Names it binds in the class.
        uses: Names it mentions in the class's scope.
        method: The method as parsed; None for all else and for a new one.
    """

    name: str
    span: Span
    binds: frozenset[str]
    uses: frozenset[str] = frozenset()
    method: cst.FunctionDef | None = None

    def moved(self, lines: int) -> "Member":
        """Give the same statement some lines further down."""
        span = Span(
            start=self.span.start + lines,
            head=self.span.head + lines,
            end=self.span.end + lines,
        )
        return replace(self, span=span)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneLine:
    """Where a body starts that stands on the line of its class.

    Attributes:
        line: Line of the colon.
        space: The blanks between the colon and the first statement.
        tail: All that follows the colon on its line.
    """

    line: int
    space: str
    tail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassBody:
    """The class as found.

    Attributes:
        tree: The file that it stands in.
        line: Line of the `class` keyword.
        indent: Indentation of the body's statements.
        members: The body's statements in order; a body on the line of its
            class is one member.
        one_line: Set for a body on the line of its class.
        inherited: What the bases bring along.
    """

    tree: Tree
    line: int
    indent: str
    members: tuple[Member, ...]
    one_line: OneLine | None
    inherited: Inherited


def locate(data: bytes, class_name: str) -> ClassBody | Unseen:
    """Find the one plain class of that name at the top of a module.

    Args:
        data: The file.
        class_name: The class that the spec calls for.

    Returns:
        The class with its statements, or why it can't be told which it is.
    """
    tree = parsed(data)
    if isinstance(tree, Unseen):
        return tree
    top = tree.count(tree.module.header)
    binding = [
        (statement, span)
        for statement, span in tree.spans(tree.module.body, top)
        if class_name in tree.text([statement]) and class_name in names(statement).binds
    ]
    if not binding:
        return Unseen(reason=f"there is no class {class_name}")
    found, span = binding[0]
    if len(binding) > 1:
        return Unseen(reason=f"{class_name} is bound twice", line=span.head + 1)
    if not isinstance(found, cst.ClassDef):
        return Unseen(reason=f"{class_name} is no plain class", line=span.head + 1)
    described = _described(tree, found, span)
    if described.one_line is not None:
        return described
    # The tree's indentation may be evened out; the file's own is wanted.
    first = tree.source.view[described.members[0].span.start]
    return replace(described, indent=first[: len(first) - len(first.lstrip())])


def _described(tree: Tree, found: cst.ClassDef, span: Span) -> ClassBody:
    stop = span.start + tree.count([found]) - tree.count(found.leading_lines)
    indent = tree.module.default_indent
    if isinstance(found.body, cst.IndentedBlock):
        one_line = None
        indent = indent if found.body.indent is None else found.body.indent
        first = stop - tree.count([*found.body.body, *found.body.footer])
        parts = tree.spans(found.body.body, first, indent)
        members = tuple(_member(part, place) for part, place in parts)
    else:
        suite = cst.ensure_type(found.body, cst.SimpleStatementSuite)
        colon = stop - tree.count([suite])
        space, tail = suite.leading_whitespace.value, tree.text([suite])
        one_line = OneLine(line=colon, space=space, tail=tail.partition("\n")[0])
        members = (_member(suite, Span(start=colon, head=colon, end=span.end)),)
    return ClassBody(
        tree=tree,
        line=span.head,
        indent=indent,
        members=members,
        one_line=one_line,
        inherited=inherited(tree.module, found),
    )


def _member(statement: cst.CSTNode, span: Span) -> Member:
    found = names(statement)
    method = statement if isinstance(statement, cst.FunctionDef) else None
    name = method.name.value if method else ""
    if isinstance(statement, cst.SimpleStatementLine) and isinstance(
        statement.body[0], cst.Pass
    ):
        name = PLACEHOLDER
    return Member(
        name=name,
        span=span,
        binds=frozenset(found.binds),
        uses=frozenset(found.uses),
        method=method,
    )
