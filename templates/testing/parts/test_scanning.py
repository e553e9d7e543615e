"""Of secrets that stand in each other, together or apart, all are found."""

import pytest

from runtime.recipes.redaction.entities import Form
from runtime.recipes.redaction.scanning import Scanner, Span, merged


def scanner(**patterns: str) -> Scanner:
    """Look for patterns, each with a name; they are as wide as they are long."""
    forms = [
        (name, Form(pattern=pattern, width=len(pattern), stands_alone=False))
        for name, pattern in patterns.items()
    ]
    return Scanner(forms)


def found(text: str, **patterns: str) -> list[tuple[str, str]]:
    """Give what is found, with its name."""
    spans = scanner(**patterns).spans(text)
    return [(text[span.start : span.end], span.name) for span in spans]


def test_it_is_as_wide_as_its_widest_form() -> None:
    """So much has to be held back."""
    assert scanner(a="abc", b="abcde", c="a").width == 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("xyz", []),
        ("-abcd-", [("abcd", "a")]),
        # Each of them, in the text's order.
        ("ghi-abcd-abcd", [("ghi", "c"), ("abcd", "a"), ("abcd", "a")]),
        # Two that touch, two and three that overlap.
        ("abcdghi", [("abcd", "a"), ("ghi", "c")]),
        ("abcdef-", [("abcdef", "a")]),
        ("abcdefghi-ghi", [("abcdefghi", "a"), ("ghi", "c")]),
    ],
)
def test_what_overlaps_is_one(text: str, expected: list[tuple[str, str]]) -> None:
    """With the name of the first one."""
    assert found(text, a="abcd", b="cdefg?", c="ghi|fghi") == expected


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_of_two_that_start_together_the_longer_one_is_found(names: str) -> None:
    """In whatever order they are looked for."""
    patterns = {"a": "abc", "b": "abcde"}
    ordered = {name: patterns[name] for name in names}

    assert found("abcde", **ordered) == [("abcde", "b")]
    assert found("abcd", **ordered) == [("abc", "a")]


def test_one_that_stands_within_another_does_not_end_it() -> None:
    """It ends where the longer one does."""
    assert found("abcde", a="abcde", b="bc") == [("abcde", "a")]
    assert found("ababc", a="aba", b="bab", c="abc") == [("ababc", "a")]


def test_places_are_those_of_the_text() -> None:
    """It may be longer or shorter than what is searched."""
    text = "\u00e9\uff41\u200b\uff42\u200b-\ufb01b"
    spans = list(scanner(a="ab", b="fi").spans(text))

    assert spans == [Span(1, 5, "a"), Span(6, 7, "b")]
    assert list(scanner(a="f").spans("\ufb01x")) == [Span(0, 1, "a")]


def test_a_text_is_read_up_to_a_limit() -> None:
    """What starts at the limit is for later."""
    scan = scanner(a="ab", b="c").scan(b"xabxcab")

    assert scan.first(0, 1) is None
    first = scan.first(0, 2)
    assert first is not None
    assert (first.start, first.end, first.name) == (1, 3, "a")
    second = scan.first(2, 7)
    assert second is not None
    assert (second.start, second.end, second.name) == (4, 5, "b")
    third = scan.first(5, 7)
    assert third is not None
    assert (third.start, third.end, third.name) == (5, 7, "a")
    assert scan.first(6, 7) is None


def test_a_text_without_any_is_clean() -> None:
    """It isn't searched again."""
    scan = scanner(a="ab").scan(b"xyz")

    assert scan.first(0, 3) is None
    assert scan.first(1, 3) is None


def test_spans_that_overlap_are_merged() -> None:
    """Those that touch aren't, and their order is the text's."""
    spans = [
        Span(7, 9, "d"),
        Span(0, 3, "a"),
        Span(2, 5, "b"),
        Span(3, 4, "c"),
        Span(5, 7, "e"),
    ]

    assert list(merged(spans)) == [Span(0, 5, "a"), Span(5, 7, "e"), Span(7, 9, "d")]
    assert list(merged([])) == []
