"""The recipe `token_budget`."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from pydantic import Field

from interceptgen.recipes.chain import Chain
from interceptgen.recipes.limits import (
    LIMIT_PACKAGES,
    Namespace,
    Rate,
    header_fits,
    rates,
)
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Secret, Settings
from interceptgen.recipes.values import HeaderName
from interceptgen.spec.problem import Finding

__all__ = ["TOKEN_BUDGET"]

_NAME: Final = "token_budget"


class TokenBudget(Settings):
    """The parameters of `token_budget`."""

    limit: Rate = Field(
        description="How many tokens in which time: 100000/day, or 20000/hour;"
        " 100000/day.",
    )
    by: Literal["user", "tenant", "key", "address"] = Field(
        default="user",
        description="What tells callers apart; whoever lacks it counts by address.",
    )
    header: HeaderName | None = Field(
        default=None,
        description="HTTP header of the tenant or the key.",
    )
    store: Secret | None = Field(
        default=None,
        description="URL of the Redis or Memcached that it is counted in; in this"
        " process if left out.",
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
    remembered: int = Field(
        default=100_000,
        ge=1,
        description="How many callers are counted in this process; who wasn't seen for"
        " longest goes first.",
    )
    namespace: Namespace = Field(
        default=_NAME,
        description="How its keys in the store begin; another one for what must not be"
        " counted together.",
    )


def _header_fits(chain: Chain) -> Iterator[Finding]:
    for use in chain.uses(_NAME):
        if isinstance(use.settings, TokenBudget):
            yield from header_fits(use, use.settings.by, use.settings.header)


def _samples(settings: Settings) -> Mapping[str, object]:
    """Give after how many tokens there are no more, and for how long."""
    if not isinstance(settings, TokenBudget):
        return {}
    tokens, window_s = min(rates(settings.limit), key=lambda rate: rate[0])
    return {"TOKENS": tokens, "WINDOW_S": window_s}


def _environment(_: Settings) -> Mapping[str, str]:
    # Tests count in their process, wherever the service does.
    return {"store": "memory://"}


def _start(_: str) -> Mapping[str, object]:
    return {"limit": "100000/day"}


TOKEN_BUDGET: Final = Recipe(
    name=_NAME,
    description="Limits how many tokens a caller may use in a time.",
    seams=("before_agent", "adk_event", "send", "on_exit"),
    settings=TokenBudget,
    class_name="TokenBudget",
    module="recipes.limits.token_budget",
    requires=LIMIT_PACKAGES,
    repeatable=True,
    relations=(_header_fits,),
    samples=_samples,
    environment=_environment,
    start=_start,
)
