"""The modules of the runtime that a service needs, with what they import."""

import ast
from collections.abc import Iterable
from functools import cache

from interceptgen.resources import runtime_source

__all__ = ["needed_modules"]


def needed_modules(named: Iterable[str]) -> list[str]:
    """Give the modules with all that they import of the runtime, sorted.

    Args:
        named: File names of the runtime, such as `gate.py`.
    """
    needed: set[str] = set()
    left = list(named)
    while left:
        name = left.pop()
        if name not in needed:
            needed.add(name)
            left.extend(_imports(name))
    return sorted(needed)


@cache
def _imports(name: str) -> frozenset[str]:
    return frozenset(
        f"{node.module}.py"
        for node in ast.walk(ast.parse(runtime_source(name)))
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module
    )
