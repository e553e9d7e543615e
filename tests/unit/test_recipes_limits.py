"""A rate of the spec is a rate of the library that counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from interceptgen.recipes.limits import Rate, rates
from runtime.recipes.limits.rate_window import parse_limits

RATE: TypeAdapter[str] = TypeAdapter(Rate)
UNITS = ("second", "minute", "hour", "day", "month", "year")

ONE = st.builds(
    "{}{}{} {}{}".format,
    st.integers(min_value=0, max_value=20_000),
    st.sampled_from(["/", " / ", " per ", "per", " ", "\u00a0/"]),
    st.sampled_from(["", "1", "2", "0", "12", "-1"]),
    st.sampled_from([*UNITS, "Minute", "week", "s", ""]),
    st.sampled_from(["", "s"]),
)
SOME = st.lists(ONE, min_size=1, max_size=3).flatmap(
    lambda found: st.sampled_from([";", "; ", ",", ":", " "]).map(
        lambda apart: apart.join(found)
    )
)


@given(SOME)
def test_what_the_spec_accepts_the_library_counts_alike(text: str) -> None:
    try:
        RATE.validate_python(text)
    except ValidationError:
        return
    counted = parse_limits(text, "test")
    assert [(one.amount, one.get_expiry()) for one in counted] == list(rates(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("60/minute", ((60, 60),)),
        ("100 per 2 hours", ((100, 7200),)),
        ("1000/day; 5/second", ((5, 1), (1000, 86_400))),
        ("1/3month;1/year", ((1, 3 * 30 * 86_400), (1, 360 * 86_400))),
    ],
)
def test_rates_are_read(text: str, found: tuple[tuple[int, int], ...]) -> None:
    assert RATE.validate_python(text) == text
    assert rates(text) == found


@pytest.mark.parametrize(
    "text", ["", "60", "/minute", "60/minute;", "0/minute", "6/0 minute", "6/2weeks"]
)
def test_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValidationError, match="is no rate"):
        RATE.validate_python(text)
