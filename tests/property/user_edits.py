"""What a person does to a file of theirs, as functions on its bytes.

Each edit gets a word that stands nowhere else, and a number to choose by. One
that finds no place gives the bytes back as they were.
"""

import ast
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache

from tests.merge.snippets import INSIDE, NEWER, OUTSIDE

from interceptgen.service import HOOKS

__all__ = ["EDITS", "Edit", "hooks_in", "with_functions"]

Edit = Callable[[bytes, str, int], bytes]
_CLASS = re.compile(rb"^class (\w+)\(.*$", re.MULTILINE)
_DEF = re.compile(rb"^([ \t]+)async def (\w+)\(", re.MULTILINE)


@lru_cache(maxsize=1 << 14)
def hooks_in(data: bytes) -> Mapping[tuple[str, str], int]:
    """Count the definitions of each method in each class of a valid module."""
    try:
        module = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    return Counter(
        (class_def.name, method.name)
        for class_def in module.body
        if isinstance(class_def, ast.ClassDef)
        for method in class_def.body
        if isinstance(method, ast.AsyncFunctionDef)
    )


def with_functions(functions: Mapping[str, str]) -> dict[str, Edit]:
    """Make an edit of each function: it goes below all else."""
    return {f"function {name}": _below(text) for name, text in functions.items()}


def _below(text: str) -> Edit:
    def edit(data: bytes, word: str, _: int) -> bytes:
        return _append(data, f"# {word}\n{text}\n# {word} end\n")

    return edit


def _newline(data: bytes) -> bytes:
    found = re.search(rb"\r\n|\r|\n", data)
    return found[0] if found else b"\n"


def _text(data: bytes, text: str) -> bytes:
    return text.encode("ascii", "backslashreplace").replace(b"\n", _newline(data))


def _append(data: bytes, text: str) -> bytes:
    gap = b"" if data.endswith((b"\n", b"\r")) or not data else _newline(data)
    return data + gap + text.encode().replace(b"\n", _newline(data))


def _put(data: bytes, at: int, text: str) -> bytes:
    return data[:at] + _text(data, text) + data[at:]


def _chosen(
    pattern: re.Pattern[bytes], data: bytes, pick: int
) -> re.Match[bytes] | None:
    found = list(pattern.finditer(data))
    return found[pick % len(found)] if found else None


def _header(data: bytes, word: str, _: int) -> bytes:
    mark = data.startswith(b"\xef\xbb\xbf")
    return _put(data, 3 if mark else 0, f"# {word}\n")


def _footer(data: bytes, word: str, pick: int) -> bytes:
    return _append(data, "\n" * (pick % 3) + f"# {word}")


def _between(data: bytes, word: str, pick: int) -> bytes:
    found = _chosen(_DEF, data, pick)
    depth = "        " if pick % 5 == 4 else "    "
    return _put(data, found.start(), f"{depth}# {word}\n") if found else data


def _decorator(data: bytes, word: str, pick: int) -> bytes:
    found = _chosen(_DEF, data, pick)
    lead = found[1].decode() if found else ""
    return _put(data, found.start(), f"{lead}@{word}\n") if found else data


def _body(data: bytes, word: str, pick: int) -> bytes:
    found = _chosen(re.compile(rb"^([ \t]+)return ", re.MULTILINE), data, pick)
    lead = found[1].decode() if found else ""
    return _put(data, found.start(), f"{lead}{word} = 1\n") if found else data


def _parameter(data: bytes, word: str, pick: int) -> bytes:
    name = (b"context", b"event", b"adk_event", b"final_event")[pick % 4]
    return re.sub(rb"\b%s\b(?=[:,)\s])" % name, f"p_{word}".encode(), data)


def _method(data: bytes, word: str, pick: int) -> bytes:
    found = _chosen(_DEF, data, pick)
    if found is None:
        return data
    lead = found[1].decode()
    text = f"{lead}def {word}(self) -> int:\n{lead * 2}return 1\n\n"
    return _put(data, found.start(), text)


def _nested(data: bytes, word: str, pick: int) -> bytes:
    found = _chosen(_DEF, data, pick)
    if found is None:
        return data
    lead = found[1].decode()
    name = HOOKS[pick % 3]
    text = f"{lead}class {word}:\n{lead * 2}async def {name}(self): ...\n\n"
    return _put(data, found.start(), text)


def _helper(data: bytes, word: str, pick: int) -> bytes:
    text = f"def {word}(a, /, *, b=1):\n    # {word}\n    return a + b\n\n\n"
    found = _chosen(_CLASS, data, 0)
    if found is None or pick % 2:
        return _append(data, f"\n\n{text}")
    return _put(data, found.start(), text)


def _refers(data: bytes, word: str, pick: int) -> bytes:
    found = _CLASS.search(data)
    if found is None:
        return data
    name = found[1].decode()
    forms = (
        f"{word} = {name}\n",
        f"def {word}() -> {name}:\n    return {name}()\n",
        f'__all__ = ["{name}"]  # {word}\n',
        f"{word} = 1\n{name}.{word} = 2\n",
    )
    return _append(data, forms[pick % 4])


def _taken(data: bytes, word: str, pick: int) -> bytes:
    name = ("Quota", "HouseStyle", "HouseStyleTwo", "Tone")[pick % 4]
    return _append(data, f"def {word}():\n    {name} = 1\n    return {name}\n")


def _ends(data: bytes, _: str, pick: int) -> bytes:
    end = (b"\r\n", b"\n", b"\r")[pick % 3]
    return re.sub(rb"\r\n|\r|\n", end, data)


def _tabs(data: bytes, _: str, pick: int) -> bytes:
    unit = (b"\t", b"  ", b"        ")[pick % 3]
    return re.sub(
        rb"^(?: {4})+",
        lambda found: unit * (len(found[0]) // 4),
        data,
        flags=re.MULTILINE,
    )


def _mark(data: bytes, _: str, __: int) -> bytes:
    return data if data.startswith(b"\xef\xbb\xbf") else b"\xef\xbb\xbf" + data


def _latin(data: bytes, word: str, _: int) -> bytes:
    if not data.isascii() or b"coding:" in data:
        return data
    line = f"# -*- coding: latin-1 -*-\n# {word} \xe4\n".encode("latin-1")
    return line.replace(b"\n", _newline(data)) + data


def _final(data: bytes, _: str, __: int) -> bytes:
    return data.rstrip(b"\r\n")


def _drop_hook(data: bytes, _: str, pick: int) -> bytes:
    found = _chosen(_DEF, data, pick)
    if found is None:
        return data
    lead = found[1]
    rest = re.split(
        rb"(?m)^(?=%s[^ \t\r\n])|^(?=[^ \t\r\n])" % lead, data[found.end() :]
    )
    return data[: found.start()] + b"".join(rest[1:])


def _swap_hooks(data: bytes, _: str, __: int) -> bytes:
    found = list(_DEF.finditer(data))
    if len(found) < 2:
        return data
    first, second = found[0].start(), found[1].start()
    third = found[2].start() if len(found) > 2 else len(data)
    tail = data[second:third]
    if not tail.endswith((b"\n", b"\r")):
        tail += _newline(data)
    return data[:first] + tail + data[first:second] + data[third:]


def _assigned(data: bytes, word: str, pick: int) -> bytes:
    found = _chosen(_DEF, data, pick)
    if found is None:
        return data
    lead, name = found[1].decode(), HOOKS[pick % 3]
    return _put(data, found.start(), f"{lead}{name} = {word}.made\n")


def _one_line(data: bytes, word: str, pick: int) -> bytes:
    found = _CLASS.search(data)
    if found is None:
        return data
    tail = ("pass", "...", "x = 1; y = 2")[pick % 3]
    name = found[1].decode()
    return data[: found.start()] + _text(
        data, f"class {name}(contract.Hooks): {tail}  # {word}\n"
    )


def _bare_class(data: bytes, _: str, __: int) -> bytes:
    """Leave nothing in the class but its hooks."""
    found = re.search(rb'(?m)^class .*\n([ \t]+""".*"""\n\n?)(?=[ \t]+async def)', data)
    if found is None:
        return data
    return data[: found.start(1)] + data[found.end(1) :]


def _base(data: bytes, word: str, pick: int) -> bytes:
    base = (f"{word}.Base", "object", "Generic[T]")[pick % 3]
    return re.sub(
        rb"^(class \w+\(contract\.Hooks)\)",
        rb"\1, %s)" % base.encode(),
        data,
        flags=re.MULTILINE,
    )


def _import(data: bytes, word: str, pick: int) -> bytes:
    forms = (
        rb"from \1 import (\n    \2 as contract,  # " + word.encode() + rb"\n)",
        rb"from \1 import \2 as contract, " + word.encode(),
        rb"import \1.\2 as contract",
    )
    return re.sub(rb"from ([\w.]+) import (\w+) as contract\b", forms[pick % 3], data)


def _broken(data: bytes, word: str, pick: int) -> bytes:
    forms = (f"def {word}(:\n", f"<<<<<<< {word}\n=======\n", f'{word} = """\n', "\0\n")
    return _append(data, forms[pick % 4])


def _mended(data: bytes, _: str, __: int) -> bytes:
    """Take the last line away, which may be what broke the file."""
    lines = data.splitlines(keepends=True)
    return b"".join(lines[:-1])


def _replaced(data: bytes, word: str, pick: int) -> bytes:
    found = _CLASS.search(data)
    name = found[1].decode() if found else "Tone"
    texts = (
        "",
        f"# {word}\n",
        f"class {name}:\n    x = '{word}'\n",
        f"from os import path as {word}\n\n{name} = type('{name}', (), {{}})\n",
        f"class {name}: ...\nclass {name}: ...  # {word}\n",
        f"if {word}:\n    class {name}: ...\nelse:\n    class {name}: ...\n",
        f"@final\nclass {name}(\n    contract.Hooks,\n):  # {word}\n    x = 1\n",
        f"def {word}(): ...\n{name} = {word}()\n",
    )
    return _text(data, texts[pick % len(texts)])


def _inside(text: str) -> Edit:
    def edit(data: bytes, word: str, pick: int) -> bytes:
        found = _chosen(_DEF, data, pick)
        return _put(data, found.start(), f"    # {word}\n{text}") if found else data

    return edit


def _outside(text: str) -> Edit:
    def edit(data: bytes, word: str, pick: int) -> bytes:
        if data.isascii() and b"coding:" not in data and pick % 2:
            start = _CLASS.search(data)
            if start is not None and text.isascii():
                return _put(data, start.start(), f"# {word}\n{text}")
        return _append(data, f"# {word}\n{text}")

    return edit


EDITS: Mapping[str, Edit] = {
    "header": _header,
    "footer": _footer,
    "comment between": _between,
    "decorator": _decorator,
    "body": _body,
    "body again": _body,
    "parameter": _parameter,
    "method": _method,
    "nested class": _nested,
    "helper": _helper,
    "reference to the class": _refers,
    "a name of the spec": _taken,
    "line ends": _ends,
    "indentation": _tabs,
    "byte order mark": _mark,
    "latin-1": _latin,
    "no final newline": _final,
    "deleted hook": _drop_hook,
    "order of hooks": _swap_hooks,
    "assigned hook": _assigned,
    "class on one line": _one_line,
    "bare class": _bare_class,
    "second base": _base,
    "other import": _import,
    "broken": _broken,
    "mended": _mended,
    "replaced": _replaced,
    **{f"inside: {name}": _inside(text) for name, text in INSIDE.items()},
    **{
        f"outside: {name}": _outside(text)
        for name, text in {**OUTSIDE, **NEWER}.items()
    },
}
