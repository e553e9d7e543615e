"""What is found in a text, in whatever form and in however many chunks."""

import unicodedata
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.runtime.disguises import SIZES, chunks
from tests.runtime.secret_texts import FOUND, NOT_FOUND, SCANNER, redacted, scanner

from runtime.recipes.redaction.bounded_pattern import compiled, relaxed
from runtime.recipes.redaction.entities import ENTITIES
from runtime.recipes.redaction.folding import MOST_UNSEEN, fold
from runtime.recipes.redaction.masks import Mask
from runtime.recipes.redaction.quick_look import PLAIN
from runtime.recipes.redaction.scanning import Scanner
from runtime.recipes.redaction.text_stream import TextStream
from runtime.recipes.redaction.whole_text import WholeText

MASKS = (
    Mask(),
    Mask(kind="keep_last", keep=3),
    Mask(kind="hash", key="k" * 32),
)


WIDE = {ord("0") + digit: 0xFF10 + digit for digit in range(10)}
BOLD = {ord("0") + digit: 0x1D7CE + digit for digit in range(10)}


@pytest.mark.parametrize(
    "text",
    [
        "4111 1111 1111 1111".translate(WIDE),
        "٤١١١١١١١١١١١١١١١",  # another script's digits
        "4111\u200d1111\u00ad1111\u20601111",  # joiners
        "4\u03011\u03011\u03011\u0301111111111111",  # combining marks
        "4111\u20131111\u20131111\u20131111",  # dashes
        "4111\u00a01111\u202f1111\u20091111",  # blanks
        "4111111111111111".translate(BOLD),
    ],
)
def test_another_way_to_write_it_is_no_way_out(text: str) -> None:
    assert redacted(f"Ä {text} ß", scanner("card")) == "Ä [card] ß"


def test_more_than_a_few_that_do_not_show_are_a_break() -> None:
    few, many = "\u200d" * MOST_UNSEEN, "\u200d" * (MOST_UNSEEN + 1)
    assert redacted(f"4111{few}111111111111") == "[card]"
    assert redacted(f"4111{many}111111111111") == f"4111{many}111111111111"


def test_what_stands_before_hides_nothing() -> None:
    """A number before a card isn't a part of it, and a longer one is none."""
    assert redacted("12 4111 1111 1111 1111 99") == "12 [card] 99"
    assert redacted("+1 4111 1111 1111 1111, ok") in ("[phone], ok", "+1 [card], ok")
    assert redacted("41111111111111112222222222") == "41111111111111112222222222"


def test_two_that_overlap_are_one() -> None:
    scan = scanner(patterns=["abcd", "cdefgh", "ghi"])
    assert redacted("xabcdefghix", scan) == "x[own]x"
    assert redacted("abcd-cdefgh", scan) == "[own]-[own]"
    assert redacted("xabcdx", scanner(patterns=["ab", "abcd"])) == "x[own]x"


# Pieces that begin, end or break a secret, or look like one.
PIECES = st.sampled_from(
    [
        *(text for texts in FOUND.values() for text in texts if len(text) < 60),
        *(text for texts in NOT_FOUND.values() for text in texts),
        *("@", ".", "-", "+", " ", "\n", "_", "://", "a", "7", "12", "eyJ", "sk-"),
        *(
            "\u200d",
            "\u0301",
            "é",
            "㎏",
            "…",
            "\u200d" * 5,
            "\0",
            "41".translate(WIDE),
            "卡",
            "😀",
        ),
    ]
)
# Surrogates by themselves are no text that protobuf carries.
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=9).map("".join)).map(
    lambda text: text.encode(errors="ignore").decode()
)


@settings(deadline=None, max_examples=300)
@given(
    text=TEXTS,
    sizes=SIZES,
    mask=st.sampled_from(MASKS),
    # The narrower ones hold less back, so that more is decided in between.
    scan=st.sampled_from([SCANNER, scanner("us_ssn", "pl_pesel", "card")]),
)
def test_joined_chunks_are_the_whole_redacted(
    text: str, sizes: list[int], mask: Mask, scan: Scanner
) -> None:
    stream = TextStream(scan, mask)
    given: list[str] = []
    for chunk in chunks(text, sizes):
        given.append(stream.take(chunk))
        # What doesn't show isn't counted, but there isn't much of it either.
        assert len(stream.held) <= (scan.width + 1) * (MOST_UNSEEN + 1)
    given.append(stream.take("", is_last=True))
    assert "".join(given) == redacted(text, scan, mask)


@settings(deadline=None, max_examples=200)
@given(
    secret=st.sampled_from([t for texts in FOUND.values() for t in texts]),
    before=st.text("abc é\n", max_size=200),
    after=st.text("abc é\n", max_size=200),
    sizes=SIZES,
)
def test_a_secret_never_leaves_and_all_else_does(
    secret: str, before: str, after: str, sizes: list[int]
) -> None:
    before, after = before + " ", ". " + after
    stream = TextStream(SCANNER, MASKS[0])
    parts = [stream.take(chunk) for chunk in chunks(before + secret + after, sizes)]
    parts.append(stream.take("", is_last=True))
    given = "".join(parts)
    assert given.startswith(before)
    assert given.endswith(after)
    assert secret not in given
    assert given[len(before) : len(given) - len(after)].startswith("[")


@settings(deadline=None)
@given(text=st.text("abc éß\n,.!?", max_size=300), size=st.integers(1, 50))
def test_a_plain_text_is_not_changed_and_not_kept_longer(text: str, size: int) -> None:
    stream = TextStream(SCANNER, MASKS[0])
    given, taken = "", 0
    for start in range(0, len(text), size):
        given += stream.take(text[start : start + size])
        taken += len(text[start : start + size])
        assert taken - len(given) <= SCANNER.width
        assert given == text[: len(given)]
    assert given + stream.take("", is_last=True) == text


@pytest.mark.parametrize("mask", MASKS, ids=lambda mask: mask.kind)
def test_a_token_in_chunks_has_the_mask_of_the_whole(mask: Mask) -> None:
    text = f"a eyJabcd{'.efgh' * 99} b"
    stream = TextStream(SCANNER, mask)
    given = [stream.take(chunk) for chunk in chunks(text, [7])]
    given.append(stream.take("", is_last=True))
    assert "".join(given) == redacted(text, mask=mask) != text


def test_what_touches_it_is_seen_though_it_left_or_comes_later() -> None:
    """It isn't one if a digit follows, or a letter comes before."""
    stream = TextStream(scanner("us_ssn"), MASKS[0])
    given = [stream.take(each) for each in "536-90-43991 x536-90-4399 536-90-4399."]
    given.append(stream.take("", is_last=True))
    assert "".join(given) == "536-90-43991 x536-90-4399 [us_ssn]."


def test_tokens_within_a_token_cost_no_more() -> None:
    token = "eyJabcd.efg-" * 40_000
    start = perf_counter()
    assert redacted(token) == "[secret]"
    # Each of them read to its end would be minutes.
    assert perf_counter() - start < 15


def test_a_long_token_is_masked_without_being_kept() -> None:
    token = "eyJabcd" + "abc.def-" * 5000
    stream = TextStream(SCANNER, MASKS[0])
    given = ""
    for chunk in chunks(f"a {token}x. b", [7]):
        given += stream.take(chunk)
        assert len(stream.held) <= SCANNER.width
    assert given + stream.take("", is_last=True) == "a [secret]. b"


@given(st.characters(exclude_categories=["Cs"]))
def test_folding_knows_the_way_back(character: str) -> None:
    text = f"a{character}b"
    folded = fold(text)
    assert folded.origin(0) == 0
    assert folded.origin(len(folded.data) - 1) == 2
    assert folded.origin(len(folded.data)) == 3


def test_what_is_plain_folds_to_itself() -> None:
    """What the quick look takes for plain needs no other look."""
    pattern = compiled(f"[{PLAIN}]")
    for code in range(0x110000):
        character = chr(code)
        if unicodedata.category(character) == "Cs":
            continue
        if pattern.match(character.encode()):
            assert fold(character).data.decode() == character, hex(code)


@given(st.text(alphabet="a1{@-. :/+", max_size=60))
@pytest.mark.parametrize(
    "pattern",
    [*(f.pattern for forms in ENTITIES.values() for f in forms), r"[{1,2}]a{1,2}\b"],
)
def test_a_relaxed_pattern_is_found_no_later(pattern: str, text: str) -> None:
    found = compiled(pattern).search(text.encode())
    if found is not None:
        loose = compiled(relaxed(pattern)).search(text.encode())
        assert loose is not None
        assert loose.start() <= found.start()


def test_a_repeat_in_a_class_or_escaped_is_none() -> None:
    assert relaxed(r"[{1,2}]\{3,4}a{2}b{0,3}") == r"[{1,2}]\{3,4}a{2}b{0,}"


def test_a_text_that_comes_again_is_masked_again() -> None:
    whole = WholeText(SCANNER, Mask())
    for number in range(3000):
        assert whole.redact(f"of {number % 2000}") == f"of {number % 2000}"
        assert whole.redact("ann@example.com") == "[email]"
    assert "ann@example.com" not in whole._clean
    assert len(whole._clean) <= 1024
