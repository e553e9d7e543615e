"""The models of one config field and one state field of an interceptor."""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import (
    Discriminator,
    Field,
    SkipValidation,
    Tag,
    ValidationInfo,
    field_validator,
)

from interceptgen.spec.fields import Description, EnvName
from interceptgen.spec.part import Part
from interceptgen.spec.vocabulary import ConfigType, Literals

__all__ = ["ConfigField", "EnvRef", "StateField"]

_ENV: Final = "<env>"
_LITERAL: Final = "<literal>"


def _kind_of_default(value: object) -> str:
    return _ENV if isinstance(value, (Mapping, EnvRef)) else _LITERAL


class EnvRef(Part):
    """A value that the environment gives when the service starts."""

    env: EnvName = Field(description="Name of the environment variable.")


class ConfigField(Part):
    """One typed field of an interceptor's config object."""

    type: ConfigType = Field(description="Type of the value.")
    default: Annotated[
        Annotated[EnvRef, Tag(_ENV)]
        | Annotated[SkipValidation[Literals], Tag(_LITERAL)],
        Discriminator(_kind_of_default),
    ] = Field(
        description="The value, or {env: NAME} for one that the environment gives."
        " Secrets belong in the environment.",
    )
    description: Description | None = Field(
        default=None,
        description="What the field is for; becomes its documentation.",
    )

    @field_validator("default", mode="after")
    @classmethod
    def _as_declared(
        cls,
        value: EnvRef | Literals,
        info: ValidationInfo,
    ) -> EnvRef | Literals:
        return value if isinstance(value, EnvRef) else _as_declared(value, info)


class StateField(Part):
    """One typed field of an interceptor's state."""

    type: ConfigType = Field(description="Type of the value.")
    default: SkipValidation[Literals] = Field(
        description="The value that each request begins with.",
    )
    description: Description | None = Field(
        default=None,
        description="What the field is for; becomes its documentation.",
    )

    @field_validator("default", mode="after")
    @classmethod
    def _as_declared(cls, value: Literals, info: ValidationInfo) -> Literals:
        return _as_declared(value, info)


def _as_declared(value: Literals, info: ValidationInfo) -> Literals:
    """Make a float of a whole number where a float is declared."""
    declared = info.data.get("type")
    if declared == "float" and type(value) is int:
        return float(value)
    if declared == "list[float]" and isinstance(value, tuple):
        return tuple(float(one) if type(one) is int else one for one in value)
    return value
