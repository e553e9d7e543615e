"""The recipes that `use:` may name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pydantic import BaseModel

__all__ = ["RECIPES"]

RECIPES: Final[Mapping[str, type[BaseModel]]] = MappingProxyType({})
"""Each recipe's name and the model of its `with:` settings; none yet."""
