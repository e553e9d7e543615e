"""The modules of the runtime that a service needs, with what they import."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import PurePosixPath

from interceptgen.resources import runtime_source

__all__ = ["needed_modules"]


def needed_modules(named: Iterable[str]) -> list[str]:
    """Give the modules with all that they import of the runtime, sorted.

    Args:
        named: Files of the runtime, such as `serving/gate.py`.

    Returns:
        Files of the runtime, the packages that they stand in among them.
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
    path = PurePosixPath(name)
    return frozenset(
        [
            *(f"{parent}/__init__.py" for parent in path.parents[:-1]),
            *_imported(path),
        ]
    )


def _imported(path: PurePosixPath) -> Iterator[str]:
    """Give what a module names, which it does from where it stands."""
    for node in ast.walk(ast.parse(runtime_source(str(path)))):
        if isinstance(node, ast.ImportFrom) and node.level and node.module:
            package = path.parents[node.level - 1]
            yield f"{package.joinpath(*node.module.split('.'))}.py"
