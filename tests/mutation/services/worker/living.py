"""Puts a fault into a function that is alive."""

import gc
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FunctionType

from task import Task

__all__ = ["is_same", "living"]

_IS_FUNCTION = 2
"""CO_NEWLOCALS, which modules and the bodies of classes don't have."""


def is_same(task: Task) -> bool:
    """Tell whether Python makes the same of the module with the fault."""
    sound, broken = _codes_of(task)
    return _meaning(sound) == _meaning(broken)


def living(task: Task) -> tuple[Sequence[FunctionType], CodeType] | None:
    """Give the functions to put a fault into, and what is put in."""
    found = _other_function(*_codes_of(task))
    if found is None:
        return None
    old, new = found
    functions = [
        each
        for each in gc.get_objects()
        if isinstance(each, FunctionType) and each.__code__ == old
    ]
    if not functions or old.co_freevars != new.co_freevars:
        return None
    return functions, new


def _codes_of(task: Task) -> tuple[CodeType, CodeType]:
    sound = Path(task.path).read_bytes()
    return (
        compile(sound, task.path, "exec", dont_inherit=True),
        compile(task.text, task.path, "exec", dont_inherit=True),
    )


def _other_function(old: CodeType, new: CodeType) -> tuple[CodeType, CodeType] | None:
    """Give the one outermost function in which two modules differ."""
    if old.co_flags & _IS_FUNCTION:
        return old, new
    if _meaning(old)[:-1] != _meaning(new)[:-1]:
        return None
    pairs = zip(_codes(old), _codes(new), strict=True)
    different = [pair for pair in pairs if _meaning(pair[0]) != _meaning(pair[1])]
    return _other_function(*different[0]) if len(different) == 1 else None


def _meaning(code: CodeType) -> tuple[object, ...]:
    """Give what a code does, without its lines; what is nested in it comes last."""
    # As text: one and true are equal, and 1 and 1.0.
    own = [repr(each) for each in code.co_consts if not isinstance(each, CodeType)]
    return (
        code.co_code,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        code.co_cellvars,
        code.co_flags,
        code.co_exceptiontable,
        own,
        [_meaning(each) for each in _codes(code)],
    )


def _codes(code: CodeType) -> list[CodeType]:
    """Give the codes nested in a code."""
    return [each for each in code.co_consts if isinstance(each, CodeType)]
