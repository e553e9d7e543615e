"""The recipe `outbound_allowlist`."""

from typing import Final, Literal

from pydantic import Field

from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings

__all__ = ["OUTBOUND_ALLOWLIST"]


class OutboundAllowlist(Settings):
    """The parameters of `outbound_allowlist`."""

    metadata: tuple[str, ...] = Field(
        default=(),
        description="Keys of metadata that may leave, besides what a client needs.",
    )
    state: tuple[str, ...] = Field(
        default=(),
        description="Keys of the session's state whose changes may leave.",
    )
    custom_metadata: tuple[str, ...] = Field(
        default=(),
        description="Keys of ADK's custom metadata that may leave.",
    )
    usage: bool = Field(
        default=False,
        description="Whether the model's token counts may leave.",
    )
    thoughts: Literal["drop", "keep"] = Field(
        default="drop",
        description="What becomes of the model's thoughts.",
    )


OUTBOUND_ALLOWLIST: Final = Recipe(
    name="outbound_allowlist",
    description="Lets out only the metadata that is listed, and no thoughts.",
    seams=("send",),
    settings=OutboundAllowlist,
    class_name="OutboundAllowlist",
    module="recipes.outbound.outbound_allowlist",
)
