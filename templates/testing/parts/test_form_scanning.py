"""Where a secret of one form begins and ends, beside what only looks like one."""

import pytest

from runtime.recipes.redaction.entities import Form
from runtime.recipes.redaction.form_scanning import FormScanner, Match, Tail


def is_even(text: str) -> bool:
    """Tell whether a number is even."""
    return int(text.replace(" ", "")) % 2 == 0


NUMBER = Form(pattern=r"\d{3,5}", width=5)
SPACED = Form(pattern=r"\d(?: ?\d){2,5}", width=11, is_valid=is_even)
WITHIN = Form(pattern="abc", width=3, stands_alone=False)
TOKEN = Form(pattern="key-[a-z]{2}", width=6, tail=r"(?:\.?[a-z])*", gap=1)
ADDRESS = Form(
    pattern=r"[a-z]{1,9}@[a-z]{2}",
    width=12,
    stands_alone=False,
    tail="[a-z]*",
    pivot="@",
)


def found(form: Form, text: str) -> list[str]:
    """Give all of a form that are found, one after the other's beginning."""
    scanner, data = FormScanner("name", form), text.encode()
    matches: list[Match] = []
    match = scanner.first(data, 0)
    while match is not None:
        assert match.name == "name"
        matches.append(match)
        match = scanner.first(data, match.start + 1, match)
    return [data[each.start : each.end].decode() for each in matches]


@pytest.mark.parametrize(
    ("form", "text", "expected"),
    [
        (NUMBER, "", []),
        (NUMBER, "123", ["123"]),
        (NUMBER, "-12-123-12345-", ["123", "12345"]),
        # Neither letters nor digits touch it.
        (NUMBER, "123456", []),
        (NUMBER, "a123 123b 0123456789012 999", ["999"]),
        (NUMBER, "_123_ \u00e9123", ["123", "123"]),
        (WITHIN, "xabcabcx", ["abc", "abc"]),
    ],
)
def test_it_stands_alone_or_anywhere(
    form: Form, text: str, expected: list[str]
) -> None:
    """As its form says."""
    assert found(form, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 2 4", ["1 2 4"]),
        ("1 2 3", []),
        # The longest that is valid, and then what goes on past its end.
        ("1 2 4 5", ["1 2 4"]),
        ("1 2 4 6", ["1 2 4 6", "2 4 6"]),
        ("3 4 4 6 8", ["3 4 4 6 8", "4 4 6 8", "4 6 8"]),
        ("3 124", ["3 124", "124"]),
        ("124 x 126", ["124", "126"]),
        ("122 3", ["122"]),
        ("1223", []),
    ],
)
def test_what_follows_may_look_as_if_it_belonged_to_it(
    text: str, expected: list[str]
) -> None:
    """A shorter one is valid then; it ends where a word does."""
    assert found(SPACED, text) == expected


def test_a_form_that_stands_anywhere_is_as_long_as_it_can_be() -> None:
    """Of a part of it nothing is said."""
    form = Form(pattern=r"\d{3,5}", width=5, stands_alone=False, is_valid=is_even)

    assert found(form, "x12345x") == []
    assert found(form, "x12344x") == ["12344", "2344", "344"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("key-ab", "key-ab"),
        ("a key-abcdefghijkl m", "key-abcdefghijkl"),
        ("key-ab.c.d", "key-ab.c.d"),
        ("key-ab.", "key-ab"),
        ("key-ab..c", "key-ab"),
    ],
)
def test_a_token_goes_on_with_its_tail(text: str, expected: str) -> None:
    """However long that is."""
    assert found(TOKEN, text) == [expected]


def test_around_one_pivot_there_is_one() -> None:
    """What begins later within it is the same."""
    assert found(ADDRESS, "abc@de") == ["abc@de"]
    assert found(ADDRESS, "abc@defg@hij") == ["abc@defg", "defg@hij"]
    assert found(ADDRESS, "ab ab@c ab@cd") == ["ab@cd"]


def test_a_match_knows_its_tail() -> None:
    """By which a stream goes on with it."""
    token = FormScanner("token", TOKEN).first(b"key-ab", 0)
    number = FormScanner("number", NUMBER).first(b"x 123", 1)

    assert token is not None
    assert token.tail is not None
    assert token.tail.end(b"key-ab.c d", 6) == 8
    assert number == Match(start=2, end=5, name="number", tail=None)


def test_a_tail_that_ends_may_go_on_with_what_comes() -> None:
    """If so little of it is left that more may follow."""
    tail = Tail(r"(?:\.?[a-z])*", 1)

    assert tail.end(b"abc.d e", 2) == 5
    assert tail.end(b"abc", 3) == 3
    assert [tail.may_go_on(b"abcd", end) for end in (2, 3, 4)] == [False, True, True]
