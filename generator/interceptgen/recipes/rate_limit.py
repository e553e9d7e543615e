"""The recipe `rate_limit`."""

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from pydantic import Field

from interceptgen.recipes.chain import Chain, Use
from interceptgen.recipes.limits import (
    LIMIT_PACKAGES,
    Namespace,
    Rate,
    header_fits,
    rates,
)
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Secret, Settings, bad_value
from interceptgen.recipes.values import HeaderName
from interceptgen.spec.problem import Finding

__all__ = ["RATE_LIMIT"]

_NAME: Final = "rate_limit"
# As in the runtime: it keeps the time of each message of each caller.
_MOST_MOVING: Final = 1000


class RateLimit(Settings):
    """The parameters of `rate_limit`."""

    limit: Rate = Field(
        description="How many messages in which time: 60/minute, or 5/second;"
        " 1000/day.",
    )
    strategy: Literal["fixed_window", "sliding_window", "moving_window"] = Field(
        default="sliding_window",
        description="How it is counted: from a first message on, with a share of the"
        " window before, or by the time of each message.",
    )
    by: Literal["user", "tenant", "key", "address"] = Field(
        default="user",
        description="What tells callers apart; whoever lacks it counts by address.",
    )
    header: HeaderName | None = Field(
        default=None,
        description="HTTP header of the tenant or the key.",
    )
    action: Literal["reject", "warn"] = Field(
        default="reject",
        description="Whether a message too many is refused, or let in with a mark.",
    )
    count_replies: bool = Field(
        default=True,
        description="Whether replies to a paused task count.",
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
    for use, settings in _uses(chain):
        yield from header_fits(use, settings.by, settings.header)


def _window_is_small(chain: Chain) -> Iterator[Finding]:
    """Report a moving window that would stall its store."""
    for use, settings in _uses(chain):
        most = max(amount for amount, _ in rates(settings.limit))
        if settings.strategy == "moving_window" and most > _MOST_MOVING:
            message = (
                f"moving_window keeps the time of each of {most} messages of a caller,"
                f" and {_MOST_MOVING} are too many"
            )
            problem = bad_value(message, "write strategy: sliding_window")
            yield Finding(loc=use.setting("strategy"), problem=problem)


def _uses(chain: Chain) -> Iterator[tuple[Use, RateLimit]]:
    for use in chain.uses(_NAME):
        if isinstance(use.settings, RateLimit):
            yield use, use.settings


def _samples(settings: Settings) -> Mapping[str, object]:
    """Give how many get in at one moment, and how long one more waits."""
    if not isinstance(settings, RateLimit):
        return {}
    found = rates(settings.limit)
    most, window_s = min(found, key=lambda rate: rate[0])
    return {
        "AT_ONCE": most,
        "WINDOW_S": window_s,
        "IS_ONE_LIMIT": len(found) == 1,
    }


def _environment(_: Settings) -> Mapping[str, str]:
    # Tests count in their process, wherever the service does.
    return {"store": "memory://"}


def _start(_: str) -> Mapping[str, object]:
    return {"limit": "60/minute"}


RATE_LIMIT: Final = Recipe(
    name=_NAME,
    description="Limits how many messages a caller may send in a time.",
    seams=("before_agent", "send"),
    settings=RateLimit,
    class_name="RateLimit",
    module="recipes.limits.rate_limit",
    requires=LIMIT_PACKAGES,
    repeatable=True,
    relations=(_header_fits, _window_is_small),
    samples=_samples,
    environment=_environment,
    start=_start,
)
