"""The recipe `api_key`."""

from collections.abc import Mapping
from typing import Final

from pydantic import Field

from interceptgen.recipes.identity import only_one_identity
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Secret, Settings
from interceptgen.recipes.values import HeaderName

__all__ = ["API_KEY"]

_NAME: Final = "api_key"


class ApiKey(Settings):
    """The parameters of `api_key`."""

    keys: Secret = Field(
        description="Pairs name:key with commas between them; the name is the caller.",
    )
    header: HeaderName = Field(
        default="X-API-Key",
        description="HTTP header that a key comes in.",
    )


def _environment(_: Settings) -> Mapping[str, str]:
    return {"keys": "ann:a-key-of-the-tests-for-ann,bob:a-key-of-the-tests-for-bob"}


def _start(name: str) -> Mapping[str, object]:
    return {"keys": {"env": f"{name.removesuffix('_key').upper()}_KEYS"}}


API_KEY: Final = Recipe(
    name=_NAME,
    description="Lets in who sends one of the keys; the key's name is the caller.",
    seams=("perimeter", "before_agent"),
    settings=ApiKey,
    class_name="ApiKey",
    module="recipes.authentication.api_key",
    relations=(only_one_identity(_NAME),),
    environment=_environment,
    start=_start,
)
