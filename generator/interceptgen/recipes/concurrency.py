"""The recipe `concurrency`."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from pydantic import Field

from interceptgen.recipes.chain import Chain
from interceptgen.recipes.limits import LIMIT_PACKAGES, Namespace, header_fits
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Secret, Settings
from interceptgen.recipes.values import HeaderName
from interceptgen.spec.problem import Finding

__all__ = ["CONCURRENCY"]

_NAME: Final = "concurrency"


class Concurrency(Settings):
    """The parameters of `concurrency`."""

    most: int = Field(
        ge=1,
        description="How many requests at once.",
    )
    by: Literal["user", "tenant", "key", "address", "all"] = Field(
        default="user",
        description="Who shares them: each caller has so many, or all together.",
    )
    header: HeaderName | None = Field(
        default=None,
        description="HTTP header of the tenant or the key.",
    )
    store: Secret | None = Field(
        default=None,
        description="URL of a Redis in which processes share the places; each process"
        " has its own if left out.",
    )
    on_store_error: Literal["closed", "open"] = Field(
        default="closed",
        description="Whether messages are refused or let in while the store is down.",
    )
    store_timeout_s: float = Field(
        default=0.5,
        gt=0,
        description="Seconds after which a store that doesn't answer is down.",
    )
    lease_s: float = Field(
        default=3600,
        gt=0,
        description="Seconds after which a place in Redis is free by itself, for when a"
        " process dies.",
    )
    namespace: Namespace = Field(
        default=_NAME,
        description="How its keys in the store begin; another one for what must not be"
        " counted together.",
    )


def _header_fits(chain: Chain) -> Iterator[Finding]:
    for use in chain.uses(_NAME):
        if isinstance(use.settings, Concurrency):
            yield from header_fits(use, use.settings.by, use.settings.header)


def _environment(_: Settings) -> Mapping[str, str]:
    # Tests count in their process, wherever the service does.
    return {"store": "memory://"}


def _start(_: str) -> Mapping[str, object]:
    return {"most": 10}


CONCURRENCY: Final = Recipe(
    name=_NAME,
    description="Limits how many requests a caller may have at once.",
    seams=("before_agent", "send", "on_exit"),
    settings=Concurrency,
    class_name="Concurrency",
    module="recipes.limits.concurrency",
    requires=LIMIT_PACKAGES,
    repeatable=True,
    relations=(_header_fits,),
    environment=_environment,
    start=_start,
)
