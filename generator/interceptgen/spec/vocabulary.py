"""The closed sets of words that a spec may use."""

from typing import Final, Literal, TypeAlias, get_args

__all__ = [
    "CONFIG_TYPES",
    "EMPTY_RESULTS",
    "HOOKS",
    "IMPLEMENTATIONS",
    "RESOLVES",
    "ConfigType",
    "EmptyResult",
    "Hook",
    "Implementation",
    "Literals",
    "Resolve",
]

Hook: TypeAlias = Literal["before_agent", "after_event", "after_agent", "on_exit"]
Implementation: TypeAlias = Literal["new", "legacy", "client"]
Resolve: TypeAlias = Literal["lazy", "eager"]
EmptyResult: TypeAlias = Literal["complete", "text", "last_output", "fail"]
ConfigType: TypeAlias = Literal[
    "str",
    "int",
    "float",
    "bool",
    "list[str]",
    "list[int]",
    "list[float]",
]

HOOKS: Final[tuple[Hook, ...]] = get_args(Hook)
IMPLEMENTATIONS: Final[tuple[Implementation, ...]] = get_args(Implementation)
RESOLVES: Final[tuple[Resolve, ...]] = get_args(Resolve)
EMPTY_RESULTS: Final[tuple[EmptyResult, ...]] = get_args(EmptyResult)
CONFIG_TYPES: Final[tuple[ConfigType, ...]] = get_args(ConfigType)

_Scalar: TypeAlias = str | bool | int | float
Literals: TypeAlias = _Scalar | tuple[_Scalar, ...]
"""A default that stands in the spec; lists are tuples."""
