"""The built-in entities of `redact`."""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

__all__ = ["EXAMPLES", "WIDTHS", "Entity"]

Entity: TypeAlias = Literal[
    "email",
    "card",
    "iban",
    "phone",
    "secret",
    "us_ssn",
    "de_steuer_id",
    "nl_bsn",
    "fr_nir",
    "es_dni",
    "it_codice_fiscale",
    "pl_pesel",
]
"""What `redact` finds without a pattern."""
WIDTHS: Final[Mapping[str, int]] = {
    "email": 130,
    "card": 24,
    "iban": 44,
    "phone": 59,
    "secret": 129,
    "us_ssn": 11,
    "de_steuer_id": 14,
    "nl_bsn": 12,
    "fr_nir": 21,
    "es_dni": 11,
    "it_codice_fiscale": 19,
    "pl_pesel": 12,
}
"""The most characters that have to be seen to tell one, as in the runtime."""
EXAMPLES: Final[Mapping[str, str]] = {
    "email": "ann.smith@mail.example.com",
    "card": "4111 1111 1111 1111",
    "iban": "DE89 3704 0044 0532 0130 00",
    "phone": "+49 170 1234567",
    "secret": "sk-abcdef0123456789",
    "us_ssn": "536-90-4399",
    "de_steuer_id": "36 574 261 809",
    "nl_bsn": "1112.22.333",
    "fr_nir": "2 95 10 99 126 111 93",
    "es_dni": "54362315-K",
    "it_codice_fiscale": "RCCMNL83S18D969H",
    "pl_pesel": "44051401359",
}
"""One of each."""
