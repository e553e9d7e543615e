"""Puts a recipe at the end of a spec's chain; every byte that stands there stays."""

import json
import re
from collections.abc import Mapping, Sequence

import yaml

from interceptgen.errors import UserError
from interceptgen.spec.lines import Lines
from interceptgen.spec.syntax import YamlFaultsError, compose
from interceptgen.spec.tree import Tree, read_tree

__all__ = ["InsertionError", "insert_recipe", "value_text"]

_NO_WAY_IN = "the spec has a form that nothing is added to; write it yourself:"
_REST_OF_LINE = re.compile(r" *(?P<comma>,?) *(#.*)?\s*$")
_BOM = b"\xef\xbb\xbf"


class InsertionError(UserError):
    """The spec has a form that can't be added to; the message gives the lines."""


def insert_recipe(
    data: bytes, *, name: str, recipe: str, settings: Mapping[str, str]
) -> bytes:
    """Add an interceptor to the end of the chain.

    Args:
        data: The spec, valid or not.
        name: The interceptor's name.
        recipe: What `use:` says.
        settings: What `with:` says: YAML as `value_text` gives it.

    Returns:
        The spec with the new entry; comments, order and line ends stay.

    Raises:
        YamlFaultsError: If the spec can't be read.
        InsertionError: If the file says something else afterwards than it did,
            and the entry.
    """
    tree, root = read_tree(data), compose(data)
    lines = Lines(data.removeprefix(_BOM).decode())
    entry = {"name": _name_text(name), "use": recipe}
    block = _block(entry, settings)
    text = _inserted(lines, root, block, _flow(entry, settings))
    after = (_BOM if data.startswith(_BOM) else b"") + text.encode()
    wanted = {"name": name, "use": recipe, "with": set(settings)}
    if not _says_the_same(tree, after, wanted):
        written = "\n".join(_at(["interceptors:", *_at(block, "  ")], "  "))
        raise InsertionError(f"{_NO_WAY_IN}\n{written}")
    return after


def value_text(value: object) -> str:
    """Write a value as YAML in one line, fit for both styles of YAML.

    Args:
        value: A number, text, bool, or a list of these; a text that is YAML of
            one value in itself is taken as that.
    """
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return value if _is_one_value(value) else json.dumps(value, ensure_ascii=False)


def _name_text(name: str) -> str:
    # YAML would read some names as true or false.
    plain = read_tree(f"v: {name}".encode()).value if _is_one_value(name) else None
    return name if plain == {"v": name} else json.dumps(name)


def _is_one_value(text: str) -> bool:
    """Tell whether a text is YAML of one value, wherever it is put."""
    if not text.strip() or "\n" in text or "\r" in text:
        return False
    try:
        root = compose(f"v: [{text}]".encode())
    except YamlFaultsError:
        return False
    ((_, listed),) = root.value
    if not isinstance(listed, yaml.SequenceNode) or len(listed.value) != 1:
        return False
    (item,) = listed.value
    ends = item.end_mark.column == len("v: [") + len(text)
    # `a: b` between brackets is a mapping, and elsewhere it is none.
    return ends and (not isinstance(item, yaml.MappingNode) or text.startswith("{"))


def _block(entry: Mapping[str, str], settings: Mapping[str, str]) -> list[str]:
    name, *others = (f"{key}: {value}" for key, value in entry.items())
    lines = [f"- {name}", *(f"  {line}" for line in others)]
    if settings:
        lines.append("  with:")
        lines += [f"    {key}: {value}" for key, value in settings.items()]
    return lines


def _flow(entry: Mapping[str, str], settings: Mapping[str, str]) -> str:
    parts = [f"{key}: {value}" for key, value in entry.items()]
    if settings:
        inner = ", ".join(f"{key}: {value}" for key, value in settings.items())
        parts.append(f"with: {{{inner}}}")
    return f"{{{', '.join(parts)}}}"


def _inserted(
    lines: Lines, root: yaml.MappingNode, block: Sequence[str], flow: str
) -> str:
    found = [pair for pair in root.value if pair[0].value == "interceptors"]
    if not found and root.flow_style:
        return _into_flow(lines, root, f"interceptors: [{flow}]")
    if not found:
        return lines.append(["interceptors:", *_at(block, "  ")])
    key, chain = found[0]
    if isinstance(chain, yaml.SequenceNode) and chain.flow_style:
        return _into_list(lines, key, chain, block, flow)
    if isinstance(chain, yaml.SequenceNode):
        return _below_list(lines, chain, block)
    # The key alone, which is no list yet.
    return lines.insert_below(key.start_mark.line, _at(block, "  "))


def _into_list(
    lines: Lines,
    key: yaml.Node,
    chain: yaml.SequenceNode,
    block: Sequence[str],
    flow: str,
) -> str:
    start, end = chain.start_mark, chain.end_mark
    alone = key.start_mark.line == start.line == end.line
    if chain.value or not alone or key.start_mark.column:
        return _into_flow(lines, chain, flow)
    # An empty list on the key's own line makes room for a list of lines.
    text = lines.replaced(start, end, "", strip=True)
    return Lines(text).insert_below(start.line, _at(block, "  "))


def _into_flow(
    lines: Lines, node: yaml.MappingNode | yaml.SequenceNode, flow: str
) -> str:
    start = node.start_mark
    item = _last_item(node)
    if item is None:
        return lines.replaced(start, start, flow, skip=1)
    first, last = item
    rest = _REST_OF_LINE.match(lines.rest(last.end_mark))
    if first.start_mark.line == start.line or rest is None:
        return lines.replaced(last.end_mark, last.end_mark, f", {flow}")
    # Below what is said of the last item, with a comma where that has one.
    comma, indent = rest["comma"], " " * first.start_mark.column
    text = lines.replaced(last.end_mark, last.end_mark, "" if comma else ",")
    return Lines(text).insert_below(last.end_mark.line, [f"{indent}{flow}{comma}"])


def _last_item(
    node: yaml.MappingNode | yaml.SequenceNode,
) -> tuple[yaml.Node, yaml.Node] | None:
    """Give where the last item of a node in braces or brackets begins and ends."""
    if not node.value:
        return None
    if isinstance(node, yaml.MappingNode):
        key, value = node.value[-1]
        return key, value
    return node.value[-1], node.value[-1]


def _below_list(lines: Lines, chain: yaml.SequenceNode, block: Sequence[str]) -> str:
    dash = chain.start_mark.column
    last = lines.end_of(chain.value[-1], deeper_than=dash)
    return lines.insert_below(last, _at(block, " " * dash))


def _at(block: Sequence[str], indent: str) -> list[str]:
    return [indent + line for line in block]


def _says_the_same(before: Tree, after: bytes, entry: Mapping[str, object]) -> bool:
    """Tell whether a spec says what it said, and the new entry, and no more."""
    try:
        tree = read_tree(after)
    except YamlFaultsError:
        return False
    place = ("interceptors", len(before.items(("interceptors",))))
    added = tree.mapping(place)
    found = {**added, "with": set(tree.mapping((*place, "with")))}
    kept = {**before.mapping(()), "interceptors": before.items(("interceptors",))}
    now = {**tree.mapping(()), "interceptors": tree.items(("interceptors",))[:-1]}
    return kept == now and found == entry and not tree.faults[len(before.faults) :]
