"""What tokens cost, to the last digit."""

from decimal import Decimal

import pytest
from google.genai.types import GenerateContentResponseUsageMetadata

from runtime.recipes.outbound.prices import Tokens, cost_of, read_price

PRICES = {
    "small": read_price("0.30/2.50"),
    "dear": read_price("0/999999999.999999999"),
    "*": read_price("1/10"),
}


def test_tokens_are_counted_by_where_they_go() -> None:
    """Tools' results went in, and thoughts came out."""
    usage = GenerateContentResponseUsageMetadata(
        prompt_token_count=100,
        tool_use_prompt_token_count=20,
        candidates_token_count=3,
        thoughts_token_count=4,
        total_token_count=127,
    )

    used = Tokens.of(usage) + Tokens(prompt=1, output=2, total=3)

    assert used == Tokens(prompt=121, output=9, total=130)
    assert used.told() == {
        "prompt_tokens": 121,
        "output_tokens": 9,
        "total_tokens": 130,
    }
    assert Tokens.of(GenerateContentResponseUsageMetadata()) == Tokens()


@pytest.mark.parametrize(
    ("used", "cost"),
    [
        ([], "0.000000"),
        ([("small", Tokens(prompt=1_000_000, output=1_000_000))], "2.800000"),
        ([("other", Tokens(prompt=3, output=2))], "0.000023"),
        ([("small", Tokens(prompt=5)), ("other", Tokens(prompt=1))], "0.000002"),
        ([("small", Tokens(output=1))], "0.000002"),
        ([("small", Tokens(output=3))], "0.000008"),
        ([("dear", Tokens(output=10**20))], "99999999999999999900000.000000"),
    ],
)
def test_a_cost_is_rounded_once(used: list[tuple[str, Tokens]], cost: str) -> None:
    """Half to even, in six places."""
    assert str(cost_of(used, PRICES)) == cost


def test_without_a_price_there_is_no_cost() -> None:
    """One that leaves something out would be wrong."""
    used = [("small", Tokens(prompt=1)), ("other", Tokens())]

    assert cost_of(used, {"small": PRICES["small"]}) is None


@pytest.mark.parametrize(
    "text", ["", "1", "1/", "1/2/3", "-1/2", "1/2 ", ".5/1", "a/b", "\u0661/1"]
)
def test_what_is_no_price_is_refused(text: str) -> None:
    """When the service starts."""
    with pytest.raises(ValueError, match="is no price"):
        read_price(text)
    assert read_price("0/12.5") == (Decimal(0), Decimal("12.5"))
