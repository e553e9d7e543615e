"""Whether a user's version of a hook can still be called as the spec calls it.

Hooks are called by position, so parameters may have any name. What a
decorator makes of a method can't be seen here; the type checker judges that.
"""

from math import inf
from textwrap import dedent

import libcst as cst

__all__ = ["misfit"]

# Decorators that leave a method as it is.
_TRANSPARENT = frozenset({"final", "override"})


def misfit(method: cst.FunctionDef, wanted: str) -> str:
    """Compare a method of the user with the stub that the spec wants.

    Args:
        method: The user's method.
        wanted: The stub's text.

    Returns:
        What does not fit, in a few words; empty if it fits or can't be told.
    """
    stub = cst.ensure_type(cst.parse_module(dedent(wanted)).body[0], cst.FunctionDef)
    if not all(map(_transparent, method.decorators)):
        return ""
    if _kind(method) != _kind(stub):
        return f"is {_kind(method)}, {_kind(stub)} is called for"
    return _count_misfit(method.params, _positional(stub.params) - 1)


def _count_misfit(params: cst.Parameters, given: int) -> str:
    required = [param for param in params.kwonly_params if param.default is None]
    if required:
        return f"needs the keyword argument {required[0].name.value}"
    most = inf if isinstance(params.star_arg, cst.Param) else _positional(params)
    least = _positional(params) - _defaults(params)
    # The instance is one more than what the call gives.
    if given + 1 > most:
        return f"takes {_arguments(most - 1)}, is called with {given}"
    if given + 1 < least:
        return f"takes at least {_arguments(least - 1)}, is called with {given}"
    return ""


def _arguments(count: float) -> str:
    shown = max(0, int(count))
    return f"{shown} argument" if shown == 1 else f"{shown} arguments"


def _positional(params: cst.Parameters) -> int:
    return len(params.posonly_params) + len(params.params)


def _defaults(params: cst.Parameters) -> int:
    ordered = (*params.posonly_params, *params.params)
    return sum(param.default is not None for param in ordered)


def _transparent(decorator: cst.Decorator) -> bool:
    name = decorator.decorator
    name = name.attr if isinstance(name, cst.Attribute) else name
    return isinstance(name, cst.Name) and name.value in _TRANSPARENT


def _kind(method: cst.FunctionDef) -> str:
    search = _YieldSearch()
    method.body.visit(search)
    manner = "an async" if method.asynchronous else "a sync"
    return f"{manner} generator" if search.found else f"{manner} function"


class _YieldSearch(cst.CSTVisitor):
    """Looks for a `yield` that makes the function itself a generator."""

    def __init__(self) -> None:
        super().__init__()
        self.found = False

    def on_visit(self, node: cst.CSTNode) -> bool:
        self.found = self.found or isinstance(node, cst.Yield)
        return not isinstance(node, cst.FunctionDef | cst.ClassDef | cst.Lambda)
