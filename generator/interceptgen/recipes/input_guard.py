"""The recipe `input_guard`."""

from collections.abc import Mapping
from typing import Final

from pydantic import Field

from interceptgen.recipes.patterns import example_of
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings
from interceptgen.recipes.values import MediaType, Pattern

__all__ = ["INPUT_GUARD"]


class InputGuard(Settings):
    """The parameters of `input_guard`."""

    max_bytes: int = Field(
        default=1_000_000,
        ge=1,
        description="Most bytes of all parts and metadata of a message, decoded.",
    )
    max_parts: int = Field(
        default=100,
        ge=1,
        description="Most parts that a message may have.",
    )
    media_types: tuple[MediaType, ...] | None = Field(
        default=None,
        description="The only media types that a file may declare, such as image/*; any"
        " if left out.",
    )
    uri_schemes: tuple[str, ...] = Field(
        default=(),
        description="Schemes that a file's address may have; without one no file comes"
        " by address.",
    )
    uri_hosts: tuple[str, ...] = Field(
        default=(),
        description="Hosts that such an address may name, *.example.com for all below"
        " one, * for any.",
    )
    required_metadata: tuple[str, ...] = Field(
        default=(),
        description="Keys that the metadata of the request or its message must have.",
    )
    deny: tuple[Pattern, ...] = Field(
        default=(),
        description="Regular expressions that no text, address, file name or text in"
        " data may hold.",
    )
    deny_max_chars: int = Field(
        default=20_000,
        ge=1,
        description="Most characters of text to search them in; more is refused.",
    )


def _samples(settings: Settings) -> Mapping[str, object]:
    if not isinstance(settings, InputGuard):
        return {}
    found = map(example_of, settings.deny)
    return {"DENIED": tuple(text for text in found if text is not None)}


INPUT_GUARD: Final = Recipe(
    name="input_guard",
    description="Refuses a message that holds too much, or what isn't allowed.",
    seams=("before_agent",),
    settings=InputGuard,
    class_name="InputGuard",
    module="recipes.inbound.input_guard",
    samples=_samples,
)
