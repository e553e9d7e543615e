"""What is a secret, how it is masked, and what can't be looked for."""

import re

import pytest
from tests.runtime.secret_texts import FOUND, NOT_FOUND, redacted, scanner

from runtime.recipes.redaction.bounded_pattern import bounded
from runtime.recipes.redaction.entities import ENTITIES, EntityName
from runtime.recipes.redaction.masks import Mask, MaskKind
from runtime.recipes.redaction.redact import Redact
from runtime.recipes.redaction.text_stream import TextStream


@pytest.mark.parametrize(
    ("name", "text"), [(n, text) for n, texts in FOUND.items() for text in texts]
)
def test_an_entity_is_found(name: EntityName, text: str) -> None:
    scan = scanner(name)
    # A key block goes on to the next character that no key has.
    for before, after in (("", ""), ("see ", ", now"), ("(", ")"), ("号", "。")):
        assert redacted(before + text + after, scan) == f"{before}[{name}]{after}"


@pytest.mark.parametrize(
    ("name", "text"), [(n, text) for n, texts in NOT_FOUND.items() for text in texts]
)
def test_what_looks_alike_is_not(name: EntityName, text: str) -> None:
    assert redacted(f"see {text}, now", scanner(name)) == f"see {text}, now"


def test_every_entity_has_both() -> None:
    assert set(FOUND) == set(NOT_FOUND) == set(ENTITIES)


@pytest.mark.parametrize("name", ENTITIES)
def test_no_form_is_wider_than_it_says(name: EntityName) -> None:
    for form in ENTITIES[name]:
        # Python writes a character in another way.
        plain = re.sub(r"\\x\{\w+\}", "a", form.pattern)
        assert bounded(plain) == form.width


@pytest.mark.parametrize(
    ("kind", "secret", "masked"),
    [
        ("fixed", "4111111111111111", "[card]"),
        ("keep_last", "4111 1111 1111 1111", "****1111"),
        ("keep_last", "a@b.co", "****"),
        ("hash", "4111111111111111", "[card:"),
    ],
)
def test_a_mask(kind: MaskKind, secret: str, masked: str) -> None:
    mask = Mask(kind=kind, key="k" * 16)
    assert redacted(f"x {secret} y", mask=mask).startswith(f"x {masked}")


def test_a_hash_tells_one_from_another_and_needs_its_key() -> None:
    hashes = [
        redacted(secret, mask=Mask(kind="hash", key=key * 16))
        for key in "kl"
        for secret in ("a@b.co", "a@b.co", "b@b.co")
    ]
    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 4
    assert all(len(each) == len("[email:0123456789]") for each in hashes)


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        (r"(a+)+", "nested quantifiers"),
        (r"a(?=b)", "no pattern of RE2"),
        (r"(a)\1", "no pattern of RE2"),
        (r"(", "is no pattern"),
        (r"^a", "anchor"),
        (r"a$", "anchor"),
        (r"\Aa", "anchor"),
        (r"a*", "matches nothing"),
        (r"a+", "no longest match"),
        (r"a{1,1001}", "no pattern of RE2"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Redact(entities=(), patterns=(pattern,))


@pytest.mark.parametrize(
    ("settings_", "why"),
    [
        ({"entities": ()}, "looks for nothing"),
        ({"hold_back": 129}, "hold_back is 130 or more"),
        ({"entities": ("card",), "hold_back": 23}, "hold_back is 24 or more"),
        ({"mask": "hash"}, "16 characters"),
        ({"mask": "keep_last", "keep": 0}, "above zero"),
    ],
)
def test_what_cannot_be_kept_is_refused(settings_: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Redact(**settings_)  # type: ignore[arg-type]


def test_patterns_of_ones_own() -> None:
    scan = scanner("email", patterns=[r"\bORD-\d{6}\b", r"[$^]x", r"Größe \d{1,3}"])
    text = "ORD-123456, XORD-123456, ORD-1234567, $x, Größe 42, a@b.co"
    assert redacted(text, scan) == (
        "[own], XORD-123456, ORD-1234567, [own], [own], [email]"
    )
    stream = TextStream(scan, Mask())
    given = [stream.take(each) for each in text]
    assert "".join([*given, stream.take("", is_last=True)]) == redacted(text, scan)
