"""The closed sets of words that a spec may use."""

from typing import Final, Literal, TypeAlias, get_args

__all__ = [
    "CONFIG_TYPES",
    "HOOKS",
    "IMPLEMENTATIONS",
    "RESOLVES",
    "ConfigType",
    "Hook",
    "Implementation",
    "Literals",
    "Resolve",
]

Hook: TypeAlias = Literal["before_agent", "after_event", "after_agent"]
Implementation: TypeAlias = Literal["new", "legacy", "client"]
Resolve: TypeAlias = Literal["lazy", "eager"]
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
CONFIG_TYPES: Final[tuple[ConfigType, ...]] = get_args(ConfigType)

_Scalar: TypeAlias = str | bool | int | float
Literals: TypeAlias = _Scalar | tuple[_Scalar, ...]
"""A default that stands in the spec; lists are tuples."""
