"""A pattern whose time may grow without end is refused."""

import pytest

from runtime.recipes.linear_pattern import linear


@pytest.mark.parametrize(
    "pattern",
    [
        "a+b*c?",
        "(ab)+",
        "(a{1,9})+",
        "(a?)+",
        "(?:a+)?",
        "(a+){0,1}",
        "a{200}",
        "[a-z]+@",
        "(a+|b)",
    ],
)
def test_a_plain_pattern_is_compiled(pattern: str) -> None:
    """As Python reads it."""
    assert linear(pattern).pattern == pattern


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "(a*)*",
        "(a+)*?",
        "(?:a+b)+",
        "(x(a+))*",
        "(a+|b)*",
        "((a?)+)+",
        "(a++)+",
        "(a{1,100}){2}",
    ],
)
def test_a_repeat_within_a_repeat_is_refused(pattern: str) -> None:
    """Some text would keep it busy for ever."""
    with pytest.raises(ValueError, match="nested quantifiers"):
        linear(pattern)


def test_what_is_no_pattern_is_refused() -> None:
    """When the service starts."""
    with pytest.raises(ValueError, match="is no pattern"):
        linear("(")
