"""A text in chunks leaves as it would as a whole, and no later than it has to."""

import pytest

from runtime.recipes.redaction.entities import ENTITIES, EntityName
from runtime.recipes.redaction.masks import Mask
from runtime.recipes.redaction.scanning import Scanner
from runtime.recipes.redaction.text_stream import TextStream
from runtime.recipes.redaction.whole_text import WholeText

MASKS = (Mask(), Mask(kind="keep_last", keep=3), Mask(kind="hash", key="k" * 32))
TEXTS = (
    "a plain text without any",
    "to ann.smith@example.com, now",
    "a 4111 1111 1111 1111 b, c 536-90-4399. 536-90-43991 x536-90-4399 536-90-4399.",
    f"a eyJabcd{'.efgh' * 20} b eyJabcd.efg-. c",
    "caf\u00e9 4111\u200d1111\u00ad1111\u20601111, na\u00efve@ex\u00e4mple.de \u338f",
    "4111\u200d\u200d\u200d\u200d111111111111 and 4111\u200d\u200d\u200d111111111111",
    "\u200d" * 9 + "4111111111111111" + "\u200d" * 9 + "1",
    "Bearer 0123456789abcdef0123\nsk-abcdef123456 sk-abcdef123456",
)
NAMES: tuple[EntityName, ...] = ("email", "card", "us_ssn", "secret")
SCANNER = Scanner([(name, form) for name in NAMES for form in ENTITIES[name]])
NARROW = Scanner([("us_ssn", form) for form in ENTITIES["us_ssn"]])


@pytest.mark.parametrize("mask", MASKS, ids=lambda mask: mask.kind)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("scanner", [SCANNER, NARROW], ids=["wide", "narrow"])
def test_joined_chunks_are_the_whole_redacted(
    scanner: Scanner, text: str, mask: Mask
) -> None:
    """Wherever one chunk ends and the next begins."""
    whole = WholeText(scanner, mask).redact(text)

    for size in (1, 2, 3, 7, 16, 50):
        stream = TextStream(scanner, mask)
        given = [stream.take(text[at : at + size]) for at in range(0, len(text), size)]
        assert "".join([*given, stream.take("", is_last=True)]) == whole
        assert stream.held == ""


def test_no_more_is_held_back_than_a_secret_is_long() -> None:
    """And no less: what is held may still be one."""
    stream = TextStream(NARROW, Mask())
    width = NARROW.width

    given = stream.take("x" * 100)

    assert given == "x" * (100 - width)
    assert stream.held == "x" * width
    assert stream.take("yz") == "xx"
    assert stream.take("!", is_last=True) == "x" * (width - 2) + "yz!"


def test_a_token_without_an_end_is_not_kept() -> None:
    """Its mask leaves when it ends."""
    stream = TextStream(SCANNER, Mask())

    for _ in range(100):
        assert "abc" not in stream.take("eyJabcd.abc-def.")
        assert len(stream.held) <= SCANNER.width
    rest = stream.take(" and more", is_last=True)

    assert rest == "[secret]. and more"
