"""From a place in the spec to a line and a column of the file."""

from dataclasses import dataclass
from typing import Final

import yaml

from interceptgen.spec.problem import Loc

__all__ = ["Positions", "Scalar"]

_Children = dict[str | int, tuple[yaml.Node, yaml.Node]]
_PLAIN: Final = (None, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """A single value as it is written.

    Attributes:
        text: Its characters, without quotes.
        quoted: It stands in quotes or in a block.
    """

    text: str
    quoted: bool


class Positions:
    """Lines and columns of the values and keys of one YAML document."""

    def __init__(self, root: yaml.Node) -> None:
        """Take the composed document; places are looked up when asked for."""
        self._root = root
        # By identity: a mapping asked for each of its many keys is read once.
        self._read: dict[int, _Children] = {}

    def locate(self, loc: Loc) -> tuple[int, int]:
        """Give the place of a value, both from 1.

        Args:
            loc: Keys and indexes from the top, `("interceptors", 0, "name")`.

        Returns:
            Line and column of the value. What is not in the file (a missing
            key, an empty value) is placed at its nearest ancestor's key.
        """
        steps = self._walk(loc)
        if not steps:
            return _start(self._root)
        key, value = steps[-1]
        found = len(steps) == len(loc) and not _is_blank(value)
        return _start(value if found else key)

    def locate_key(self, loc: Loc) -> tuple[int, int]:
        """Give the place of the key that a value stands behind, both from 1."""
        steps = self._walk(loc)
        return _start(steps[-1][0] if steps else self._root)

    def scalar(self, loc: Loc) -> Scalar | None:
        """Give a single value as it is written; None for anything else."""
        steps = self._walk(loc)
        node = steps[-1][1] if steps else self._root
        if len(steps) != len(loc) or not isinstance(node, yaml.ScalarNode):
            return None
        return Scalar(text=node.value, quoted=node.style not in _PLAIN)

    def _walk(self, loc: Loc) -> list[tuple[yaml.Node, yaml.Node]]:
        steps: list[tuple[yaml.Node, yaml.Node]] = []
        node = self._root
        for part in loc:
            step = self._children(node).get(part)
            if step is None:
                break
            steps.append(step)
            node = step[1]
        return steps

    def _children(self, node: yaml.Node) -> _Children:
        known = self._read.get(id(node))
        if known is None:
            known = self._read[id(node)] = _children(node)
        return known


def _children(node: yaml.Node) -> _Children:
    found: _Children = {}
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                found.setdefault(key.value, (key, value))
    elif isinstance(node, yaml.SequenceNode):
        # An item has no key; its own start stands for both.
        found.update({at: (item, item) for at, item in enumerate(node.value)})
    return found


def _is_blank(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and not node.value and not node.style


def _start(node: yaml.Node) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1
