"""Secrets in whole texts, in one piece or in several, and what only looks like one."""

import pytest
from a2a.types import Part

from runtime.recipes.redaction.bounded_pattern import bounded
from runtime.recipes.redaction.entities import ENTITIES, EntityName, Form
from runtime.recipes.redaction.masks import Mask
from runtime.recipes.redaction.scanning import Scanner
from runtime.recipes.redaction.whole_text import WholeText

FOUND: dict[EntityName, tuple[str, ...]] = {
    "email": ("a@b.co", "o'brien+tag@mail.example.museum", "jos\u00e9@ex\u00e4mple.de"),
    "card": ("4111111111111111", "4111 1111 1111 1111", "3782-822463-10005"),
    "iban": ("DE89370400440532013000", "gb29nwbk60161331926819", "NO9386011117947"),
    "phone": (
        "+49 170 1234567",
        "+1 (212) 555-0100",
        "(212) 555-0100",
        "0049 170 12345",
    ),
    "secret": (
        "sk-abcdef123456",
        "ghp_0123456789abcdefghij",
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-123456789012",
        "eyJhbGciOi.eyJzdWI.abc-d_e",
        "Bearer 0123456789abcdef0123",
        "-----BEGIN PRIVATE KEY-----\nMIIE\nabc=\n-----END PRIVATE KEY-----",
        "://user:password@",
    ),
    "us_ssn": ("536-90-4399", "536 90 4399"),
    "de_steuer_id": ("36574261809", "36 574 261 809"),
    "nl_bsn": ("111222333", "1112.22.333"),
    "fr_nir": ("295109912611193", "2 95 10 99 126 111 93"),
    "es_dni": ("54362315K", "54362315-k", "X2482300W"),
    "it_codice_fiscale": ("RCCMNL83S18D969H",),
    "pl_pesel": ("44051401359",),
}
NOT_FOUND: dict[EntityName, tuple[str, ...]] = {
    "email": ("@ann", "ann@host", "5@3.20", "a @b.co"),
    "card": ("4111111111111112", "411111111111", "a4111111111111111", "0" * 16),
    "iban": ("DE89370400440532013001", "XDE89370400440532013000"),
    "phone": ("+12", "12 345 678", "555-0100", "x212-555-0100"),
    "secret": ("sky-high", "task-abcdef123456", "eyJ", "bearer of bad news"),
    "us_ssn": ("000-12-3456", "536-90-43991", "536904399"),
    "de_steuer_id": ("36574261890",),
    "nl_bsn": ("111252333",),
    "fr_nir": ("295109912611199",),
    "es_dni": ("54362315Z", "X2482300A"),
    "it_codice_fiscale": ("RCCMNL83S18D969A",),
    "pl_pesel": ("44051401358",),
}


def looking_for(*names: EntityName) -> WholeText:
    """Look for entities, and mask them with their name."""
    return WholeText(Scanner([(n, f) for n in names for f in ENTITIES[n]]), Mask())


def own(*patterns: str) -> WholeText:
    """Look for patterns."""
    forms = [Form(pattern=p, width=bounded(p), stands_alone=False) for p in patterns]
    return WholeText(Scanner([("own", form) for form in forms]), Mask())


def cases(found: dict[EntityName, tuple[str, ...]]) -> list[tuple[EntityName, str]]:
    """Give each text with its kind."""
    return [(name, text) for name, texts in found.items() for text in texts]


@pytest.mark.parametrize(("name", "text"), cases(FOUND))
def test_each_form_is_masked(name: EntityName, text: str) -> None:
    """What stands around it stays."""
    assert looking_for(name).redact(f"a {text}, b") == f"a [{name}], b"


@pytest.mark.parametrize(("name", "text"), cases(NOT_FOUND))
def test_what_only_looks_alike_stays(name: EntityName, text: str) -> None:
    """A number is a card by its check digit, not by its length."""
    assert looking_for(name).redact(f"a {text}, b") == f"a {text}, b"


def test_what_stands_around_hides_nothing() -> None:
    """A number before or after a card isn't a part of it."""
    card = looking_for("card")

    assert card.redact("12 4111 1111 1111 1111 99") == "12 [card] 99"
    assert card.redact("4" * 30) == "4" * 30


def test_those_that_overlap_are_one() -> None:
    """And those that touch are two."""
    text = own("abcd", "cdefgh", "ghi")

    assert text.redact("xabcdefghix") == "x[own]x"
    assert text.redact("abcd-cdefgh") == "[own]-[own]"
    assert own("ab", "abcd").redact("xabcdx") == "x[own]x"
    assert own("ab").redact("abab") == "[own][own]"


def test_pieces_of_one_text_are_searched_joined_and_each_by_itself() -> None:
    """The mask stands where the secret begins."""
    text = own("abcd")

    assert text.redact_pieces(["xab", "c", "dx"]) == ["x[own]", "", "x"]
    assert text.redact_pieces(["abcd", "abcd"]) == ["[own]", "[own]"]
    assert text.redact_pieces(["x", "y"]) == ["x", "y"]
    assert text.redact_pieces(["abcd"]) == ["[own]"]
    assert text.redact_pieces(["1abcd2abcd3", "4"]) == ["1[own]2[own]3", "4"]
    ends = looking_for("us_ssn")
    assert ends.redact_pieces(["a 536-90-4399", "1"]) == ["a [us_ssn]", "1"]
    assert ends.redact_pieces(["1", "536-90-4399 b"]) == ["1", "[us_ssn] b"]


def test_parts_that_follow_each_other_are_one_text() -> None:
    """Thoughts and answers are two, and so is what stands around data."""

    def thought(text: str) -> Part:
        part = Part(text=text)
        part.metadata["adk_thought"] = True
        return part

    def redacted(*parts: Part) -> list[str]:
        own("abcd").redact_parts(given := list(parts))
        return [part.text for part in given]

    assert redacted(Part(text="ab"), Part(text="cd")) == ["[own]", ""]
    assert redacted(thought("ab"), thought("cd")) == ["[own]", ""]
    assert redacted(thought("ab"), Part(text="cd")) == ["ab", "cd"]
    file = Part(raw=b"x")
    assert redacted(Part(text="ab"), file, Part(text="cd")) == ["ab", "", "cd"]
