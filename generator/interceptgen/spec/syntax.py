"""From the bytes of a file to one YAML node tree, or to what is wrong.

YAML is held to what a settings file needs: one document in UTF-8, no anchors,
no tags, nothing deep. So no text of a few bytes can grow into a large value.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol, cast

import yaml

from interceptgen.spec.problem import Problem, shown

__all__ = ["CORE_TAG", "Fault", "YamlFaultsError", "compose", "fault_at_node"]

CORE_TAG: Final = "tag:yaml.org,2002:"

_LARGEST: Final = 1024 * 1024
_DEEPEST: Final = 20
_START_HINT: Final = "start with version: 1"
_UNREADABLE: Final = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]",
)


class _Mark(Protocol):
    # libyaml's marks and PyYAML's own are two classes.
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class _Loader(Protocol):
    def check_event(self) -> bool: ...
    def get_event(self) -> yaml.Event: ...
    def get_single_node(self) -> yaml.Node | None: ...


# PyYAML has libyaml's loader only where it was built with it.
_loader: Final = cast(
    "Callable[[str], _Loader]",
    getattr(yaml, "CSafeLoader", yaml.SafeLoader),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A problem of the YAML text itself, with its place from 1."""

    line: int
    column: int
    problem: Problem


class YamlFaultsError(Exception):
    """The text can't be read any further; carries what was found."""

    def __init__(self, *faults: Fault) -> None:
        """Take what was found."""
        super().__init__(*faults)
        self.faults = faults


def compose(data: bytes) -> yaml.MappingNode:
    """Read a file's one document.

    Args:
        data: The file's bytes.

    Returns:
        Its top mapping, free of anchors and tags and of bounded depth.

    Raises:
        YamlFaultsError: It is not such a file.
    """
    text = _decoded(data)
    if faults := tuple(_forbidden(text)):
        raise YamlFaultsError(*faults)
    # Only now: composing recurses, and is safe on what has passed above.
    root = _loader(text).get_single_node()
    if root is None or _is_empty(root):
        raise YamlFaultsError(
            _fault(1, 1, "E012", "the file is empty", _START_HINT),
        )
    if not isinstance(root, yaml.MappingNode):
        message = "the file is not a mapping of keys to values"
        raise YamlFaultsError(fault_at_node(root, "E013", message, _START_HINT))
    return root


def fault_at_node(node: yaml.Node, code: str, message: str, hint: str = "") -> Fault:
    """Make a fault that stands where a node starts."""
    return _fault_at(node.start_mark, code, message, hint)


def _decoded(data: bytes) -> str:
    if len(data) > _LARGEST:
        message = f"the file has {len(data)} bytes"
        raise YamlFaultsError(_fault(1, 1, "E011", message, "at most 1 MiB is read"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig")
        line, column = _end_of(before)
        message = "the file is not UTF-8"
        hint = "save it as UTF-8"
        raise YamlFaultsError(_fault(line, column, "E010", message, hint)) from None
    if found := _UNREADABLE.search(text):
        line, column = _end_of(text[: found.start()])
        message = f"the file holds the character U+{ord(found[0]):04X}"
        hint = "YAML allows visible characters, spaces and line breaks only"
        raise YamlFaultsError(_fault(line, column, "E001", message, hint))
    return text


def _forbidden(text: str) -> Iterator[Fault]:
    depth = documents = 0
    try:
        loader = _loader(text)
        while loader.check_event():
            event = loader.get_event()
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    message = "a second document starts here"
                    hint = "one file holds one service: remove the line ---"
                    yield _fault_at(event.start_mark, "E016", message, hint)
                    return
            elif isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > _DEEPEST:
                    message = f"values are nested more than {_DEEPEST} deep"
                    yield _fault_at(event.start_mark, "E018", message)
                    return
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            yield from _forbidden_marks(event)
    except yaml.YAMLError as error:
        yield _syntax_fault(error, text)


def _forbidden_marks(event: yaml.Event) -> Iterator[Fault]:
    if not isinstance(event, yaml.NodeEvent):
        return
    if event.anchor is not None:
        is_alias = isinstance(event, yaml.AliasEvent)
        sign, kind = ("*", "alias") if is_alias else ("&", "anchor")
        message = f"the {kind} {shown(sign + event.anchor)} is not allowed"
        hint = "write the value out where it is needed, or quote it"
        yield _fault_at(event.start_mark, "E014", message, hint)
    if isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)) and event.tag:
        message = f"the tag {shown(event.tag.replace(CORE_TAG, '!!'))} is not allowed"
        hint = "leave it out; quote the value if it is text"
        yield _fault_at(event.start_mark, "E017", message, hint)


def _syntax_fault(error: yaml.YAMLError, text: str) -> Fault:
    mark: _Mark | None = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or "the text can't be read")
    line = text.splitlines()[mark.line : mark.line + 1] if mark else []
    hint = _syntax_hint(problem, "".join(line))
    return _fault_at(mark, "E001", f"not YAML: {problem}", hint)


def _syntax_hint(problem: str, line: str) -> str:
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "indent with spaces, not with tabs"
    if "list[" in line:
        return 'quote it inside braces: {type: "list[int]"}'
    if "mapping values are not allowed" in problem:
        return "quote a text that holds a colon, and check the indentation"
    return ""


def _is_empty(root: yaml.Node) -> bool:
    return isinstance(root, yaml.ScalarNode) and root.tag == f"{CORE_TAG}null"


def _end_of(text: str) -> tuple[int, int]:
    return text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1


def _fault_at(mark: _Mark | None, code: str, message: str, hint: str = "") -> Fault:
    # PyYAML's types allow a mark to be missing, though its parsers set each.
    line, column = (mark.line, mark.column) if mark else (0, 0)
    return _fault(line + 1, column + 1, code, message, hint)


def _fault(
    line: int,
    column: int,
    code: str,
    message: str,
    hint: str = "",
) -> Fault:
    problem = Problem(code=code, message=message, hint=hint)
    return Fault(line=line, column=column, problem=problem)
