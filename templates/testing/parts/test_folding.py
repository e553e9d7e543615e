"""However a character is written, patterns see one form, and know where it stood."""

import pytest

from runtime.recipes.redaction.folding import MOST_UNSEEN, Folded, fold

WIDE = {ord("0") + digit: 0xFF10 + digit for digit in range(10)}
JOINER = "\u200d"


def way_back(folded: Folded) -> list[int]:
    """Give where each byte came from, and the end."""
    return [folded.origin(at) for at in range(len(folded.data) + 1)]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("plain 12", b"plain 12"),
        ("12".translate(WIDE), b"12"),
        ("\u0661\u0662", b"12"),
        ("a\u2013b\u2014c", b"a-b-c"),
        ("a\u00a0b", b"a b"),
        ("4\u03011\u00ad2" + JOINER, b"412"),
        ("a\u3164b\u1160", b"ab"),
        ("\u338f", b"kg"),
        ("\ufb01\u00e9", b"fi\xc3\xa9"),
        ("\u00b4a", b" a"),
    ],
)
def test_what_looks_the_same_is_the_same(text: str, form: bytes) -> None:
    """Digits, dashes, blanks; what doesn't show isn't there."""
    assert fold(text).data == form


def test_more_than_a_few_that_do_not_show_are_a_break() -> None:
    """They may go on from what came before."""
    few = f"4{JOINER * MOST_UNSEEN}1"
    many = f"4{JOINER * (MOST_UNSEEN + 2)}1"

    assert fold(few).data == b"41"
    assert fold(many).data == b"4\x00\x001"
    assert fold(f"{JOINER}1\u00e9", MOST_UNSEEN).data == "\x001\u00e9".encode()
    assert fold(f"{JOINER}1\u00e9", MOST_UNSEEN - 1).data == "1\u00e9".encode()
    assert fold(f"1{JOINER}", MOST_UNSEEN).data == b"1"


def test_each_byte_knows_where_it_came_from() -> None:
    """In a text of bytes, of characters, and with some that don't show."""
    assert way_back(fold("ab")) == [0, 1, 2]
    assert way_back(fold("a\u00e9b")) == [0, 1, 1, 2, 3]
    assert way_back(fold(f"a{JOINER}b\u338f")) == [0, 2, 3, 3, 4]


def test_a_place_within_a_character_moves_to_its_edge() -> None:
    """Down to its first byte, or up to the next one's."""
    plain, folded = fold("abc"), fold("a\u00e9\u338fb")

    assert [plain.down(at) for at in range(4)] == [0, 1, 2, 3]
    assert [plain.up(at) for at in range(4)] == [0, 1, 2, 3]
    assert [folded.down(at) for at in range(7)] == [0, 1, 1, 3, 3, 5, 6]
    assert [folded.up(at) for at in range(7)] == [0, 1, 3, 3, 5, 5, 6]


def test_what_is_held_back_is_counted_in_characters() -> None:
    """A character may be several bytes."""
    assert [fold("abc").before_last(n) for n in (0, 1, 3, 9)] == [3, 2, 0, 0]
    assert [fold("a\u00e9b").before_last(n) for n in (0, 1, 2, 3, 9)] == [4, 3, 1, 0, 0]


def test_a_break_is_told_from_what_shows() -> None:
    """The next chunk goes on counting."""
    folded = fold(JOINER * (MOST_UNSEEN + 1) + "\u00e9")

    assert folded.unseen_before(0) == MOST_UNSEEN
    assert folded.unseen_before(1) == 0
    assert folded.unseen_before(9) == 0
