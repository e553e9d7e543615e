"""The recipe `idempotency`."""

from typing import Final

from pydantic import Field

from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings

__all__ = ["IDEMPOTENCY"]


class Idempotency(Settings):
    """The parameters of `idempotency`."""

    window_s: float = Field(
        default=600,
        gt=0,
        description="Seconds after its end for which a message is remembered.",
    )
    remembered: int = Field(
        default=10_000,
        ge=1,
        description="How many messages that have ended are remembered; who ended first"
        " goes first.",
    )


# It acts before the chain does, so each place in the list is as good.
IDEMPOTENCY: Final = Recipe(
    name="idempotency",
    description="Runs a message that is sent again once, and gives the same task.",
    seams=("message", "before_agent", "send", "on_exit"),
    settings=Idempotency,
    class_name="Idempotency",
    module="recipes.inbound.idempotency",
)
