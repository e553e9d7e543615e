"""Each form of an entity by itself: what it finds, where that ends, and what not."""

import re

import pytest

from runtime.recipes.redaction.bounded_pattern import bounded
from runtime.recipes.redaction.entities import ENTITIES, EntityName
from runtime.recipes.redaction.form_scanning import FormScanner

FOUND: dict[tuple[EntityName, int], tuple[str, ...]] = {
    ("email", 0): (
        "a@b.co",
        "_@b.c",
        "o'brien+tag%a_b.c-d@mail.example.museum",
        "jos\u00e9@ex\u00e4mple.de",
        "\u0438\u0432\u0430\u043d@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444",
        "x" * 64 + "@" + "b" * 63 + ".example--of.com",
    ),
    ("card", 0): ("4111111111111111", "4222222222222", "6304000000000000000"),
    ("card", 1): ("4111 1111 1111 1111", "4111-1111-1111-1111", "6011000990139424"),
    ("card", 2): ("3782-822463-10005", "3782 822463 10005", "30569309025904"),
    ("iban", 0): (
        "DE89370400440532013000",
        "DE89 3704 0044 0532 0130 00",
        "de89-3704-0044-0532-0130-00",
        "NO9386011117947",
        "MT84MALT011000012345MTLCAST001S",
    ),
    ("phone", 0): (
        "+4917012",
        "+49 170 1234567",
        "+1 (212) 555-0100",
        "+(49)170/12.34",
    ),
    ("phone", 1): ("0049170123", "0049 170 1234567", "0049 (170) 12/34-5.67"),
    ("phone", 2): ("(212) 555-0100", "(212)555.0100", "(999) 999 0000"),
    ("phone", 3): ("212-555-0100", "212/555.0100", "212 555 0100", "212.555-0100"),
    ("secret", 0): ("eyJhbGc", "eyJhbGciOi.eyJzdWI.abc-d_e"),
    ("secret", 1): (
        "sk-abcdef",
        "pk_abcdef~g+h/i=",
        "rk-a_c-ef123",
        *(f"gh{each}_0123456789abcdef" for each in "pousr"),
        "github_pat_0123456789abcdef",
        *(f"xox{each}-12345678" for each in "abprs"),
        "AKIAIOSFODNN7EXA",
        "AIza" + "a-B_3" * 6,
    ),
    ("secret", 2): ("Bearer 0123456789abcdef", "bearer    a.b~c+d/e=f-g_hij.klm"),
    ("secret", 3): (
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN RSA 2-----\nMIIE\\n+/=:\tabc\n-----END RSA 2-----",
    ),
    ("secret", 4): ("://user:password@", "://u:p@", "://ann:a:b?c@"),
    ("us_ssn", 0): ("536-90-4399", "536 90 4399"),
    ("de_steuer_id", 0): ("36574261809", "36 574 261 809", "36/574/261/809"),
    ("nl_bsn", 0): ("111222333", "1112.22.333", "1112-22-333", "1112 22 333"),
    ("fr_nir", 0): ("295109912611193", "2 95 10 99 126 111 93"),
    ("es_dni", 0): ("54362315K", "54362315-k", "54362315 K"),
    ("es_dni", 1): ("X2482300W", "x-2482300-w", "X 2482300 W"),
    ("it_codice_fiscale", 0): ("RCCMNL83S18D969H", "rcc mnl 83s18 d969h"),
    ("pl_pesel", 0): ("44051401359", "440514 01359", "440514-01359"),
}
NOT_FOUND: dict[tuple[EntityName, int], tuple[str, ...]] = {
    ("email", 0): ("@ann.co", "ann@host", "5@3.20", "a @b.co", "a@-b.co", ".@b.co"),
    ("card", 0): ("4111111111111112", "0000000000000000", "411111111111"),
    ("card", 1): ("4111 1111 1111 1112", "0000 0000 0000 0000", "4111  1111 1111 1111"),
    ("card", 2): ("3782-822463-10006", "0000 000000 00000", "30569309025905"),
    ("iban", 0): ("DE89370400440532013001", "DE89 3704", "D189370400440532013000"),
    ("phone", 0): ("+491701", "+", "+a4917012", "+49    1701234"),
    ("phone", 1): ("004917012", "0009170123", "01491701234"),
    ("phone", 2): (
        "(112) 555-0100",
        "(212) 155-0100",
        "(212)  555-0100",
        "(212) 5550100",
    ),
    ("phone", 3): ("112-555-0100", "212-155-0100", "2125550100", "212-555-010"),
    ("secret", 0): ("eyJabc", "eyjhbGc", "eyJ.abc"),
    ("secret", 1): (
        "sk-abcde",
        "sk.abcdef",
        "gha_0123456789abcdef",
        "AKIAiosfodnn7exa",
    ),
    ("secret", 2): (
        "bearer of bad news",
        "bearer     0123456789abcdef",
        "bearer0123456789",
    ),
    ("secret", 3): ("-----BEGIN -----", "-----begin key-----", "----BEGIN KEY----"),
    ("secret", 4): (
        "://user@host",
        "://user:pass word@",
        "://a/b:c@",
        "//user:password@",
    ),
    ("us_ssn", 0): ("000-12-3456", "536904399", "536-904399"),
    ("de_steuer_id", 0): ("36574261890", "3657426180"),
    ("nl_bsn", 0): ("111252333", "11122233"),
    ("fr_nir", 0): ("295109912611199", "995109912611193"),
    ("es_dni", 0): ("54362315Z", "5436231K"),
    ("es_dni", 1): ("X2482300A", "W2482300W"),
    ("it_codice_fiscale", 0): ("RCCMNL83S18D969A", "RCCMNL83F18D969H"),
    ("pl_pesel", 0): ("44051401358", "4405140135"),
}
WORDS: tuple[tuple[EntityName, int], ...] = (
    *(("email", 0), ("secret", 3), ("secret", 4)),
)
"""Those that may stand within a word."""


def found(form: tuple[EntityName, int], text: str) -> str | None:
    """Give what a form finds first in a text."""
    name, index = form
    data = text.encode()
    match = FormScanner(name, ENTITIES[name][index]).first(data, 0)
    return None if match is None else data[match.start : match.end].decode()


def cases(
    texts: dict[tuple[EntityName, int], tuple[str, ...]],
) -> list[tuple[tuple[EntityName, int], str]]:
    """Give each text with its form."""
    return [(form, text) for form, each in texts.items() for text in each]


@pytest.mark.parametrize(("form", "text"), cases(FOUND))
def test_all_of_it_is_found(form: tuple[EntityName, int], text: str) -> None:
    """And nothing that stands around it."""
    assert found(form, text) == text
    # A key block goes on to the next character that no key has.
    assert found(form, f"(\u00a7{text}, a)") == text


@pytest.mark.parametrize(("form", "text"), cases(NOT_FOUND))
def test_what_only_looks_alike_is_not(form: tuple[EntityName, int], text: str) -> None:
    """By a character, or by its check digit."""
    assert found(form, f"a {text}, b") is None


@pytest.mark.parametrize("form", FOUND)
def test_a_part_of_a_word_is_none(form: tuple[EntityName, int]) -> None:
    """But of those that words can't look like."""
    is_found = found(form, f"9Z{FOUND[form][0]}") is not None

    assert is_found is (form in WORDS)


def test_every_form_was_looked_at() -> None:
    """Also those of a later version."""
    forms = {
        (name, at) for name, all_of in ENTITIES.items() for at in range(len(all_of))
    }

    assert set(FOUND) == set(NOT_FOUND) == forms


@pytest.mark.parametrize("name", ENTITIES)
def test_no_form_is_wider_than_it_says(name: EntityName) -> None:
    """A stream holds back so much."""
    for form in ENTITIES[name]:
        # Python writes a character in another way.
        assert bounded(re.sub(r"\\x\{\w+\}", "a", form.pattern)) == form.width


@pytest.mark.parametrize(
    ("form", "text", "is_open"),
    [
        (("email", 0), "a@b.co", True),
        (("email", 0), "a@b.co..", True),
        (("email", 0), "a@b.co...", False),
        (("secret", 0), "eyJhbGci.", True),
        (("secret", 0), "eyJhbGci..", False),
        (("secret", 1), "sk-abcdef.", True),
        (("secret", 1), "sk-abcdef..", False),
        (("secret", 2), "Bearer 0123456789abcdef,", True),
        (("secret", 2), "Bearer 0123456789abcdef,,", False),
        (("secret", 3), "-----BEGIN KEY-----", True),
        (("secret", 3), "-----BEGIN KEY-----,", False),
    ],
)
def test_a_tail_may_go_on(
    form: tuple[EntityName, int], text: str, *, is_open: bool
) -> None:
    """If what comes after the text can belong to it."""
    name, index = form
    match = FormScanner(name, ENTITIES[name][index]).first(text.encode(), 0)

    assert match is not None
    assert match.tail is not None
    assert match.tail.may_go_on(text.encode(), match.end) is is_open


def test_two_addresses_around_one_sign_are_the_same() -> None:
    """The second of two has a sign of its own."""
    scanner = FormScanner("email", ENTITIES["email"][0])
    data = b"ann@example.com bob@example.com"
    first = scanner.first(data, 0)
    assert first is not None

    second = scanner.first(data, 1, first)

    assert second is not None
    assert data[second.start : second.end] == b"bob@example.com"
