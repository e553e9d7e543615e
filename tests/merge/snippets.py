"""Pieces of modules as people write them, and the files they may stand in."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

# Top-level code that may stand above or below the class.
OUTSIDE: Mapping[str, str] = {
    "comment": "# a note\n",
    "licence": "#!/usr/bin/env python\n# Copyright (c) the user\n#\n# All rights.\n",
    "imports": (
        "import os, sys\nfrom typing import (\n    TYPE_CHECKING,  # why\n    Any,\n)\n"
    ),
    "star import": "from os.path import *\n",
    "type checking": (
        "if TYPE_CHECKING:\n    from decimal import Decimal\nelse:\n"
        "    Decimal = None\n"
    ),
    "function": "def helper(a, /, *, b=1) -> int:\n    # inside\n    return a + b\n",
    "decorated": "@one\n\n# between\n@two(\n    3,\n)\nasync def helper(): ...\n",
    "class": (
        "class Helper(Base):\n\n    class Nested:\n        x = 1\n\n"
        "    def f(self): pass\n"
    ),
    "string": 'TEXT = """\n    async def after_event(self):\n  # no comment\n\n"""\n',
    "form feed": "\f\nSECTION = 1\n",
    "form feed before code": "\fSECTION = 2\n",
    "blanks": "   \n \n",
    "continuation": "x = 1 + \\\n    2\nassert x, \\\n  'no'\n",
    "odd indentation": "if x:\n  if y:\n         z = 1\n  else: z = 2\n",
    "semicolons": "a = 1; b = 2;\n",
    "non-ascii": "größe = 'ß'  # ä\n",
    "try": "try:\n    import x\nexcept* (A, B) as e:\n    raise\nfinally:\n    pass\n",
    "match": (
        "match x:\n    case [1, *rest] if rest: ...\n    case {'a': b, **c}:\n"
        "        pass\n"
    ),
    "lambda": "f = lambda *a, **b: (a, b)\n",
    "star": "def f(*args: *Ts): print(*args, sep='')\n",
}
# The same, newer than the oldest Python.
NEWER: Mapping[str, str] = {
    "PEP 695": (
        "type Pair[T] = tuple[T, T]\n"
        "def first[T: (int, str)](x: Pair[T]) -> T: return x[0]\n"
    ),
    "PEP 696": "class Box[T = int]: ...\n",
    "PEP 701": "print(f'{x['a']!r:>{width}} {'\\n'.join(y)}')\n",
    "PEP 750": "print(t'{x} and {y!r}')\n",
    "PEP 758": "try:\n    pass\nexcept A, B:\n    pass\n",
}
# Statements of a class body.
INSIDE: Mapping[str, str] = {
    "comment": "    # --- a section ---\n",
    "deep comment": "        # deep\n",
    "flush comment": "# flush left\n",
    "assignment": "    limit: int = 3  # per day\n",
    "method": "    def helper(self) -> str:\n        '''Help.'''\n        return 'x'\n",
    "property": (
        "    @property\n    def size(self): return 1\n\n    @size.setter\n"
        "    def size(self, x): ...\n"
    ),
    "comment in a method": (
        "    def last(self):\n        pass\n        # todo\n\n      # odd\n"
    ),
    "nested class": (
        "    class Config:\n        after_event = 1\n\n"
        "        def before_agent(self): ...\n"
    ),
    "branch": (
        "    if True:\n        def other(self): ...\n    else:\n"
        "        other = None\n\n        # else\n"
    ),
    "string": '    TEXT = """\n  # none\n    pass\n"""\n',
    "form feed": "\f\n",
    "lambda": "    f = lambda self: self.after_event\n",
    "call": "    register(\n        1,\n    )\n",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """The settings that a file is written with."""

    end: str = "\n"
    unit: str = "    "
    encoding: str = "utf-8"
    mark: bool = False
    final: bool = True

    def file(self, text: str) -> bytes:
        """Write a text that is indented by four spaces and ends in a line end."""
        if self.encoding != "utf-8":
            text = f"# -*- coding: {self.encoding} -*-\n{text}"
        data = self.piece(text if self.final else text.rstrip("\n"))
        return b"\xef\xbb\xbf" + data if self.mark else data

    def piece(self, text: str) -> bytes:
        """Write a part of a file."""
        lead = re.compile(r"^(?: {4})+", re.MULTILINE)
        text = lead.sub(lambda found: self.unit * (len(found[0]) // 4), text)
        return text.replace("\n", self.end).encode(self.encoding)


HOSTS: Mapping[str, Callable[[str], bytes]] = {
    "plain": Editor().file,
    "CRLF": Editor(end="\r\n").file,
    "CR": Editor(end="\r").file,
    "tabs": Editor(unit="\t").file,
    "two spaces": Editor(unit="  ").file,
    "BOM": Editor(mark=True).file,
    "latin-1": Editor(encoding="latin-1").file,
    "cp1252 with CRLF": Editor(encoding="cp1252", end="\r\n").file,
    "no final newline": Editor(final=False).file,
    "all": Editor(end="\r\n", unit="\t", mark=True, final=False).file,
}
