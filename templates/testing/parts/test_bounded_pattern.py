"""Patterns that run in linear time, and match no more than so many characters."""

import pytest

from runtime.recipes.redaction.bounded_pattern import (
    bounded,
    compiled,
    without_boundaries,
)


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        ("abc", 3),
        (r"\bORD-\d{6}\b", 10),
        ("a{1,1000}", 1000),
        ("[$^]a?b", 3),
        (r"\$\^", 2),
        (r"a|bcd", 3),
    ],
)
def test_the_longest_match_is_known(pattern: str, most: int) -> None:
    """So much of a stream is held back."""
    assert bounded(pattern) == most


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("a+", "no longest match"),
        ("a{600}a{600}", "no longest match"),
        ("a?", "matches nothing"),
        ("^a", "anchor"),
        ("a$", "anchor"),
        (r"\Aa", "anchor"),
        ("ba{,3}", "least number"),
        ("(?=a)b", "RE2"),
        (r"(a)\1", "RE2"),
        ("(", "no pattern"),
        ("(a+)+", "nested"),
    ],
)
def test_another_pattern_is_refused(pattern: str, problem: str) -> None:
    """In a stream no text begins or ends."""
    with pytest.raises(ValueError, match=problem):
        bounded(pattern)


def test_a_compiled_pattern_finds_bytes() -> None:
    """From a position on, or between two."""
    pattern = compiled("a.")
    found = pattern.search(b"xab ac", 2)
    within = pattern.fullmatch(b"xabx", 1, 3)

    assert found is not None
    assert within is not None
    assert (found.start(), found.end()) == (4, 6)
    assert (within.start(), within.end()) == (1, 3)
    assert pattern.match(b"xab") is None


def test_boundaries_can_be_left_out() -> None:
    """All that it matched is still matched."""
    assert without_boundaries(r"\bA[\b]\\b\B.") == r"A[\b]\\b."
