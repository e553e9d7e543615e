"""Texts that are secrets, and texts that only look alike."""

from collections.abc import Sequence

from runtime.recipes.redaction.bounded_pattern import bounded
from runtime.recipes.redaction.entities import ENTITIES, EntityName, Form
from runtime.recipes.redaction.masks import Mask
from runtime.recipes.redaction.scanning import Scanner
from runtime.recipes.redaction.whole_text import WholeText

__all__ = ["ALL", "FOUND", "NOT_FOUND", "SCANNER", "redacted", "scanner"]

ALL = tuple(ENTITIES)
FIXED = Mask()
SCANNER = Scanner([(name, form) for name, forms in ENTITIES.items() for form in forms])


def scanner(*names: EntityName, patterns: Sequence[str] = ()) -> Scanner:
    """Make a scanner for some entities and patterns."""
    forms: list[tuple[str, Form]] = [(n, f) for n in names for f in ENTITIES[n]]
    forms += [
        ("own", Form(pattern=p, width=bounded(p), stands_alone=False)) for p in patterns
    ]
    return Scanner(forms)


def redacted(text: str, scan: Scanner = SCANNER, mask: Mask = FIXED) -> str:
    """Redact a whole text."""
    return WholeText(scan, mask).redact(text)


FOUND: dict[EntityName, tuple[str, ...]] = {
    "email": (
        "a@b.co",
        "o'brien+tag@mail.example.museum",
        "josé@exämple.de",
        "иван@почта.рф",
        "x" * 64 + "@example.com",
        "a@" + "b" * 63 + ".example.com",
    ),
    "card": (
        "4111111111111111",
        "4111 1111 1111 1111",
        "3782-822463-10005",
        "5555555555554444",
        "6011000990139424",
    ),
    "iban": (
        "DE89370400440532013000",
        "DE89 3704 0044 0532 0130 00",
        "gb29nwbk60161331926819",
        "NO9386011117947",
        "MT84MALT011000012345MTLCAST001S",
    ),
    "phone": (
        "+49 170 1234567",
        "+1 (212) 555-0100",
        "0049 170 1234567",
        "(212) 555-0100",
        "212-555-0100",
        "+442071838750",
    ),
    "secret": (
        "sk-abcdef123456",
        "ghp_0123456789abcdefghij",
        "AKIAIOSFODNN7EXAMPLE",
        "xoxb-123456789012",
        "AIza" + "b" * 35,
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
    "card": (
        "4111111111111112",
        "411111111111",
        "a4111111111111111",
        "4111111111111111b",
        "0000000000000000",
    ),
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
