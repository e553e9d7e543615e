"""The recipe `stamp`."""

import re
from collections.abc import Iterator
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from interceptgen.recipes.chain import Chain
from interceptgen.recipes.metadata_key import MetadataKey, keys_apart
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings, bad_value
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["STAMP"]

_NAME: Final = "stamp"
_AMOUNT: Final = r"\d{1,9}(?:\.\d{1,9})?"
_PRICE: Final = re.compile(rf"{_AMOUNT}/{_AMOUNT}\Z", re.ASCII)
_CURRENCY: Final = re.compile(r"[A-Z]{3}\Z")


def _price_problem(text: str) -> Problem | None:
    if _PRICE.match(text):
        return None
    hint = "what a million tokens cost, in and out, such as 0.30/2.50"
    return bad_value(f"{shown(text)} is no price", hint)


def _currency_problem(text: str) -> Problem | None:
    if _CURRENCY.match(text):
        return None
    return bad_value(f"{shown(text)} is no currency", "three letters, such as USD")


def _text_problem(text: str) -> Problem | None:
    if text.strip() and text.isprintable():
        return None
    return bad_value(f"{shown(text)} is no text for it", "write a word or a line")


def _state_problem(key: str) -> Problem | None:
    if key.startswith("temp:"):
        message = f"{shown(key)} is gone before the status is sent"
        return bad_value(message, "choose a key without temp:")
    return _text_problem(key)


_Text: TypeAlias = Annotated[str, rule(_text_problem)]
_Price: TypeAlias = Annotated[str, rule(_price_problem)]
_StateKey: TypeAlias = Annotated[str, rule(_state_problem)]


class Stamp(Settings):
    """The parameters of `stamp`."""

    key: MetadataKey = Field(
        default=_NAME,
        description="Key in the metadata of the last status.",
    )
    fields: tuple[Literal["usage", "ids", "timings"], ...] = Field(
        default=("usage", "ids", "timings"),
        description="What it tells, besides what the other parameters ask for.",
    )
    prices: dict[_Text, _Price] | None = Field(
        default=None,
        description="By a model's name, or * for any other, what a million tokens"
        " cost, in and out: 0.30/2.50; with prices it tells the cost.",
    )
    currency: Annotated[str, rule(_currency_problem)] = Field(
        default="USD",
        description="What the prices are in.",
    )
    tags: tuple[_Text, ...] = Field(
        default=(),
        description="Fixed words to tell.",
    )
    session_state: tuple[_StateKey, ...] = Field(
        default=(),
        description="Keys of the session's state whose new values it tells.",
    )
    max_bytes: int = Field(
        default=4096,
        ge=1024,
        description="Most bytes of it all, as JSON; what doesn't fit is left out and"
        " named.",
    )


def _tells_something(chain: Chain) -> Iterator[Finding]:
    """Report a stamp that would be empty, and a currency of nothing."""
    for use in chain.uses(_NAME):
        found = use.settings
        if not isinstance(found, Stamp):
            continue
        if not (found.fields or found.prices or found.tags or found.session_state):
            problem = bad_value("nothing is asked for", "name at least one of fields:")
            yield Finding(loc=use.setting("fields"), problem=problem)
        if not found.prices and "currency" in found.model_fields_set:
            hint = "leave it out, or add prices:"
            problem = bad_value("'currency' is never read without prices", hint)
            yield Finding(loc=use.setting("currency"), problem=problem, at_key=True)


STAMP: Final = Recipe(
    name=_NAME,
    description="Tells usage, cost, ids and times on the last status of a request.",
    seams=("before_agent", "adk_event", "send"),
    settings=Stamp,
    class_name="Stamp",
    module="recipes.outbound.stamp",
    relations=(_tells_something, keys_apart),
)
