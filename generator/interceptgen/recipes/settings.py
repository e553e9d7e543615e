"""What the parameters of all recipes have in common, and kinds of values of theirs."""

from collections.abc import Mapping
from typing import Annotated, Final, TypeAlias

from pydantic import ConfigDict, Discriminator, Tag

from interceptgen.spec.config_field import EnvRef
from interceptgen.spec.part import Part
from interceptgen.spec.problem import Problem

__all__ = ["BAD_VALUE", "EnvRef", "Secret", "Settings", "TextOrEnv", "bad_value"]

BAD_VALUE: Final = "E056"


class Settings(Part):
    """The `with:` of a recipe.

    A parameter is called as the keyword of the runtime class that takes it, and
    has the same default there. Its description is what users read.
    """

    model_config = ConfigDict(allow_inf_nan=False)


Secret: TypeAlias = EnvRef
"""A text that only the environment may give."""


def _kind(value: object) -> str:
    return "<env>" if isinstance(value, (Mapping, EnvRef)) else "<literal>"


TextOrEnv: TypeAlias = Annotated[
    Annotated[EnvRef, Tag("<env>")] | Annotated[str, Tag("<literal>")],
    Discriminator(_kind),
]
"""A text that depends on where the service runs."""


def bad_value(message: str, hint: str = "") -> Problem:
    """Say that a value is of the right type, but can't be used."""
    return Problem(code=BAD_VALUE, message=message, hint=hint)
