"""The recipe `safe_errors`."""

from typing import Final

from pydantic import Field

from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings
from interceptgen.recipes.values import ExceptionClass, PublicText

__all__ = ["SAFE_ERRORS"]


class SafeErrors(Settings):
    """The parameters of `safe_errors`."""

    message: PublicText = Field(
        default="The request failed; name the correlation id when you ask about it.",
        description="What a caller reads of a failure.",
    )
    pass_through: tuple[ExceptionClass, ...] = Field(
        default=(),
        description="Exception classes, as module:Class, whose own text is read"
        " instead.",
    )


SAFE_ERRORS: Final = Recipe(
    name="safe_errors",
    description="Hides what was raised behind a public message and a correlation id.",
    seams=("failure",),
    settings=SafeErrors,
    class_name="SafeErrors",
    module="boundary.safe_errors",
)
