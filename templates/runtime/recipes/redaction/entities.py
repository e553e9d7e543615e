"""What counts as a secret: its form, and how to tell it from what only looks alike.

Forms are for folded text (`folding`). A form has a longest match, so that a stream
knows how much to hold back; a token without one may go on with a tail.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from types import MappingProxyType
from typing import Literal, TypeAlias

from stdnum import iban, luhn
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pl import pesel
from stdnum.us import ssn

__all__ = ["ENTITIES", "EntityName", "Form"]

EntityName: TypeAlias = Literal[
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """One form of an entity.

    Attributes:
        pattern: What it looks like, in RE2's syntax.
        width: The most characters that the pattern matches.
        stands_alone: Whether letters and digits can't touch it.
        is_valid: Tells it from what only looks alike.
        tail: What may follow without end; nothing if empty.
        gap: The most characters of the tail that only count if more follows.
        pivot: A character that it has once; two around one are the same.
    """

    pattern: str
    width: int
    stands_alone: bool = True
    is_valid: Callable[[str], bool] | None = None
    tail: str = ""
    gap: int = 0
    pivot: str = ""


def _is_card(text: str) -> bool:
    digits = text.replace(" ", "").replace("-", "")
    return digits[0] != "0" and luhn.is_valid(digits)


def _is_iban(text: str) -> bool:
    # An id of hexadecimal digits often looks alike, so the check digits go first.
    plain = text.replace(" ", "").replace("-", "").upper()
    digits = (plain[4:] + plain[:4]).translate(_AS_DIGITS)
    if not digits.isdecimal() or int(digits) % 97 != 1:
        return False
    return iban.is_valid(text, check_country=False)


# A letter counts as two digits (ISO 7064, MOD 97-10).
_AS_DIGITS = {ord(letter): str(int(letter, 36)) for letter in ascii_uppercase}


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _is_us_ssn(text: str) -> bool:
    return ssn.is_valid(text.replace(" ", "-"))


# Of Latin, Greek and Cyrillic, by ranges: all of a script is too much for RE2, times
# 126. Elsewhere words have no blanks around, and an address touches its sentence.
_LETTER = r"A-Za-z0-9\x{c0}-\x{24f}\x{370}-\x{52f}\x{1e00}-\x{1fff}"
_MORE = r"(?:\.?[\w~+/=-])*"

_EMAIL = Form(
    pattern=rf"[{_LETTER}_][{_LETTER}._%+'-]{{0,63}}@[{_LETTER}][{_LETTER}-]{{0,62}}"
    rf"\.[{_LETTER}]",
    width=130,
    stands_alone=False,
    is_valid=_has_letter,
    tail=rf"(?:[.-]{{0,2}}[{_LETTER}])*",
    gap=2,
    pivot="@",
)
_CARD = (
    Form(pattern=r"\d{13,19}", width=19, is_valid=_is_card),
    Form(
        pattern=r"\d{4}(?:[ -]?\d{4}){2}(?:[ -]?\d{1,4}){1,2}",
        width=24,
        is_valid=_is_card,
    ),
    Form(pattern=r"\d{4}[ -]?\d{6}[ -]?\d{4,5}", width=17, is_valid=_is_card),
)
_IBAN = Form(
    pattern=r"(?i)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?",
    width=44,
    is_valid=_is_iban,
)
_PHONES = (
    # In the international form of E.164, and in the national one of North America.
    Form(pattern=r"\+\(?\d(?:[ ()./-]{0,3}\d){6,14}", width=59),
    Form(pattern=r"00[1-9](?:[ ()./-]{0,3}\d){7,13}", width=55),
    Form(pattern=r"\([2-9]\d{2}\) ?[2-9]\d{2}[ .-]\d{4}", width=14),
    Form(pattern=r"[2-9]\d{2}[ ./-][2-9]\d{2}[ .-]\d{4}", width=12),
)
_SECRETS = (
    # The forms of `masking`, each with a beginning that tells it, and a tail.
    Form(pattern=r"eyJ[\w-]{4}", width=7, tail=_MORE, gap=1),
    Form(
        pattern=r"(?:(?:sk|pk|rk)[-_][\w-]{6}|gh[pousr]_\w{16}|github_pat_\w{16}"
        r"|xox[abprs]-[\w-]{8}|AKIA[0-9A-Z]{12}|AIza[\w-]{30})",
        width=34,
        tail=_MORE,
        gap=1,
    ),
    Form(pattern=r"(?i)bearer {1,4}[\w.~+/=-]{16}", width=26, tail=_MORE, gap=1),
    # Up to the next character that no key has.
    Form(
        pattern=r"-----BEGIN [A-Z0-9 ]{1,40}-----",
        width=56,
        stands_alone=False,
        tail=r"[\w\s+/=:\\-]*",
    ),
    # scheme://user:password@host
    Form(pattern=r"://[^\s/@:]{1,60}:[^\s/@]{1,64}@", width=129, stands_alone=False),
)

ENTITIES: Mapping[EntityName, tuple[Form, ...]] = MappingProxyType(
    {
        "email": (_EMAIL,),
        "card": _CARD,
        "iban": (_IBAN,),
        "phone": _PHONES,
        "secret": _SECRETS,
        "us_ssn": (
            Form(pattern=r"\d{3}[ -]\d{2}[ -]\d{4}", width=11, is_valid=_is_us_ssn),
        ),
        "de_steuer_id": (
            Form(pattern=r"\d{2}(?:[ /]?\d{3}){3}", width=14, is_valid=idnr.is_valid),
        ),
        "nl_bsn": (
            Form(
                pattern=r"\d{3,4}[ .-]?\d{2,3}[ .-]?\d{3}",
                width=12,
                is_valid=bsn.is_valid,
            ),
        ),
        "fr_nir": (
            Form(
                pattern=r"(?i)[1-8](?: ?\d{2}){2} ?\d[\dAB](?: ?\d{3}){2} ?\d{2}",
                width=21,
                is_valid=nir.is_valid,
            ),
        ),
        "es_dni": (
            Form(pattern=r"(?i)\d{8}[ -]?[A-Z]", width=10, is_valid=dni.is_valid),
            Form(
                pattern=r"(?i)[XYZ][ -]?\d{7}[ -]?[A-Z]",
                width=11,
                is_valid=nie.is_valid,
            ),
        ),
        "it_codice_fiscale": (
            Form(
                # A digit may be a letter, to tell two apart who have all in common.
                pattern=r"(?i)[A-Z]{3} ?[A-Z]{3} ?[0-9L-NP-V]{2}[A-EHLMPR-T]"
                r"[0-9L-NP-V]{2} ?[A-Z][0-9L-NP-V]{3}[A-Z]",
                width=19,
                is_valid=codicefiscale.is_valid,
            ),
        ),
        "pl_pesel": (
            Form(pattern=r"\d{6}[ -]?\d{5}", width=12, is_valid=pesel.is_valid),
        ),
    }
)
"""The built-in entities, each with its forms."""
