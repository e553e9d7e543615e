"""Keeps secrets out of the log: an exception's text often holds a credential."""

import re
import traceback

__all__ = ["masked", "masked_traceback"]

_MASK = "***"

# Told by their form, since nobody knows which values are secret. None of these
# reads a character more often than a bounded number of times.
_SECRETS = (
    # A key block, up to its end or to the next dashes.
    (
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{1,40}-----(?:[^-]|-(?!----))*"
            r"(?:-----END [A-Z0-9 ]{1,40}-----)?"
        ),
        _MASK,
    ),
    # scheme://user:password@host
    (re.compile(r"(?<=://)[^\s/@]{1,256}@"), f"{_MASK}@"),
    # password=..., "api_key": "...", Authorization: Bearer ...
    (
        re.compile(
            r"(?i)((?:passw(?:or)?d|pwd|secret|token|api[_-]?key|authorization"
            r"|credentials?|cookie)[\w-]{0,32}[\"']?\s{0,4}[=:]\s{0,4})"
            r"(?:(?:bearer|basic)\s{1,4})?"
            r"(?:\"[^\"\n]+\"|'[^'\n]+'|[^\s\"',;&)}\]]+)"
        ),
        rf"\1{_MASK}",
    ),
    (re.compile(r"(?i)\b(bearer|basic)\s{1,4}[\w.~+/=-]{3,}"), rf"\1 {_MASK}"),
    # JSON web tokens, and keys that their makers gave a prefix.
    (re.compile(r"\beyJ[\w-]{4,}\.[\w-]*(?:\.[\w-]*)?"), _MASK),
    (
        re.compile(
            r"\b(?:(?:sk|pk|rk)[-_][\w-]{6,}|AKIA[0-9A-Z]{12,}|gh[pousr]_\w{16,}"
            r"|github_pat_\w{16,}|xox[abprs]-[\w-]{8,}|AIza[\w-]{30,})"
        ),
        _MASK,
    ),
)


def masked(text: str) -> str:
    """Give the text with what looks like a secret masked."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def masked_traceback(error: BaseException) -> str:
    """Give the traceback of an exception, masked."""
    return masked("".join(traceback.format_exception(error)))
