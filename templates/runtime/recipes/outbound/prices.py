"""What tokens cost, in decimal digits: a float can't hold a price."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import TypeAlias

from google.genai.types import GenerateContentResponseUsageMetadata

__all__ = ["Price", "Tokens", "cost_of", "read_price"]

Price: TypeAlias = tuple[Decimal, Decimal]

_PRICE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)/(\d{1,9}(?:\.\d{1,9})?)", re.ASCII)
_A_MILLION = 1_000_000
_ANY_MODEL = "*"
_SMALLEST = Decimal("0.000001")
# Whatever context a service sets for its own sums, these are exact.
_EXACT = Context(prec=60, rounding=ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """How many tokens were used.

    Attributes:
        prompt: Those that went in, of tools' results too.
        output: Those that came out, of thoughts too.
        total: All, as the model counts them.
    """

    prompt: int = 0
    output: int = 0
    total: int = 0

    @classmethod
    def of(cls, usage: GenerateContentResponseUsageMetadata) -> "Tokens":
        """Read what a model tells of one answer."""
        return cls(
            prompt=(usage.prompt_token_count or 0)
            + (usage.tool_use_prompt_token_count or 0),
            output=(usage.candidates_token_count or 0)
            + (usage.thoughts_token_count or 0),
            total=usage.total_token_count or 0,
        )

    def __add__(self, other: "Tokens") -> "Tokens":
        """Add them up."""
        return Tokens(
            prompt=self.prompt + other.prompt,
            output=self.output + other.output,
            total=self.total + other.total,
        )

    def told(self) -> dict[str, int]:
        """Give them by the names that a caller reads."""
        return {
            "prompt_tokens": self.prompt,
            "output_tokens": self.output,
            "total_tokens": self.total,
        }


def read_price(text: str) -> Price:
    """Read what a million tokens cost, in and out, such as `0.30/2.50`.

    Raises:
        ValueError: If it can't be read.
    """
    match = _PRICE.fullmatch(text)
    if match is None:
        message = f"{text!r} is no price; write 0.30/2.50"
        raise ValueError(message)
    return Decimal(match[1]), Decimal(match[2])


def cost_of(
    used: Iterable[tuple[str, Tokens]], prices: Mapping[str, Price]
) -> Decimal | None:
    """Add up what was used, and round it once, half to even, to six places.

    Args:
        used: Models with their tokens.
        prices: By a model's name, or `*` for any other.

    Returns:
        The cost; None if there is no price for a model that was used.
    """
    cost = Decimal()
    for model, tokens in used:
        price = prices.get(model) or prices.get(_ANY_MODEL)
        if price is None:
            return None
        for amount, count in zip(price, (tokens.prompt, tokens.output), strict=True):
            cost = _EXACT.add(cost, _EXACT.multiply(amount, Decimal(count)))
    millionth = _EXACT.divide(cost, Decimal(_A_MILLION))
    return millionth.quantize(_SMALLEST, context=_EXACT)
