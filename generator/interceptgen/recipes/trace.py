"""The recipe `trace`."""

from typing import Final

from pydantic import Field

from interceptgen.recipes.metadata_key import MetadataKey, keys_apart
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings

__all__ = ["TRACE"]


class Trace(Settings):
    """The parameters of `trace`."""

    key: MetadataKey = Field(
        default="trace_id",
        description="Key of the trace's id in the metadata of the last status.",
    )


TRACE: Final = Recipe(
    name="trace",
    description="Joins the caller's trace, and names it on the last status.",
    seams=("perimeter", "before_agent", "request", "send", "on_exit"),
    settings=Trace,
    class_name="Trace",
    module="recipes.trace",
    relations=(keys_apart,),
)
