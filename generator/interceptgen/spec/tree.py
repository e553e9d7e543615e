"""From a YAML node tree to plain values that know where they stand.

What YAML reads in a surprising way stays visible as `Odd`.
"""

import re
from dataclasses import dataclass
from typing import Final, cast

import yaml

from interceptgen.spec.positions import Positions
from interceptgen.spec.problem import Loc, shown
from interceptgen.spec.syntax import CORE_TAG, Fault, compose, fault_at_node

__all__ = ["Odd", "Tree", "read_tree"]

_LONGEST_NUMBER: Final = 100
_OCTAL: Final = re.compile(r"[-+]?0[0-7_]+\Z")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Odd:
    """A plain value that YAML takes for something nobody means.

    Attributes:
        text: What is written.
        reading: What YAML takes it for.
    """

    text: str
    reading: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The file's values and places.

    Attributes:
        value: Dicts with text keys, tuples, text, numbers, bools, None, `Odd`.
        positions: Where each of them stands.
        faults: Problems that did not hinder reading on.
    """

    value: object
    positions: Positions
    faults: tuple[Fault, ...]

    def at(self, loc: Loc) -> object:
        """Give the value at a place, None if there is none."""
        value = self.value
        for part in loc:
            value = _child(value, part)
        return value

    def mapping(self, loc: Loc) -> dict[str, object]:
        """Give the mapping at a place, an empty one if there is none."""
        value = self.at(loc)
        return cast("dict[str, object]", value) if isinstance(value, dict) else {}

    def items(self, loc: Loc) -> tuple[object, ...]:
        """Give the list at a place, an empty one if there is none."""
        value = self.at(loc)
        return cast("tuple[object, ...]", value) if isinstance(value, tuple) else ()


def read_tree(data: bytes) -> Tree:
    """Read a file.

    Args:
        data: The file's bytes.

    Returns:
        Its one document.

    Raises:
        YamlFaultsError: It can't be read at all.
    """
    root = compose(data)
    faults: list[Fault] = []
    value = _plain_mapping(root, faults)
    return Tree(value=value, positions=Positions(root), faults=tuple(faults))


def _child(value: object, part: str | int) -> object:
    if isinstance(value, dict):
        return cast("dict[str | int, object]", value).get(part)
    if isinstance(value, tuple) and isinstance(part, int):
        items = cast("tuple[object, ...]", value)
        return items[part] if part < len(items) else None
    return None


def _plain(node: yaml.Node, faults: list[Fault]) -> object:
    if isinstance(node, yaml.MappingNode):
        return _plain_mapping(node, faults)
    if isinstance(node, yaml.SequenceNode):
        return tuple(_plain(item, faults) for item in node.value)
    if _SURROGATE.search(node.value):
        message = "the text holds half a character (a lone surrogate)"
        faults.append(fault_at_node(node, "E090", message))
    return _plain_scalar(node.tag.removeprefix(CORE_TAG), node.value)


def _plain_mapping(node: yaml.MappingNode, faults: list[Fault]) -> dict[str, object]:
    found: dict[str, object] = {}
    first: dict[str, int] = {}
    for key, value in node.value:
        # The text counts, not YAML's reading: `on:` is a key called on.
        if not isinstance(key, yaml.ScalarNode) or not key.value:
            hint = "write a single word before the colon"
            message = "a key must be text"
            faults.append(fault_at_node(key, "E019", message, hint))
        elif key.value in found:
            message = (
                f"key {shown(key.value)} stands here again,"
                f" first in line {first[key.value]}"
            )
            hint = "keep one of the two"
            faults.append(fault_at_node(key, "E015", message, hint))
        else:
            first[key.value] = key.start_mark.line + 1
            found[key.value] = _plain(value, faults)
    return found


def _plain_scalar(tag: str, text: str) -> object:
    if tag == "null":
        return None
    if tag == "bool":
        return text.lower() in {"yes", "true", "on"}
    if tag == "timestamp":
        return Odd(text=text, reading="a date")
    if tag in {"int", "float"}:
        return _plain_number(tag, text)
    return text


def _plain_number(tag: str, text: str) -> object:
    if ":" in text:
        return Odd(text=text, reading="a number to base 60")
    if tag == "int" and _OCTAL.match(text):
        return Odd(text=text, reading="a number to base 8")
    if len(text) > _LONGEST_NUMBER:
        return Odd(text=text, reading=f"a number of {len(text)} digits")
    digits = text.replace("_", "").lower()
    if tag == "int":
        return int(digits, base=0)
    return float(digits.replace(".inf", "inf").replace(".nan", "nan"))
