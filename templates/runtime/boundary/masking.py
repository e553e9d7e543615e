"""Keeps secrets out of the log: an exception's text often holds a credential."""

import logging
import re
import traceback
from collections.abc import Generator
from contextlib import contextmanager

__all__ = ["masked", "masked_logs", "masked_traceback"]

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

_LOGGERS = ("a2a", "asyncio", "google_adk", __name__.partition(".")[0])


def masked(text: str) -> str:
    """Give the text with what looks like a secret masked."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


def masked_traceback(error: BaseException) -> str:
    """Give the traceback of an exception, masked."""
    return masked("".join(traceback.format_exception(error)))


@contextmanager
def masked_logs() -> Generator[None, None, None]:
    """Mask what ADK, the SDK and this service log, as long as the block lasts.

    ADK and the SDK log exceptions and events as they are, some of them before
    any code of the service sees them; a record is made in one place only.
    """
    make = logging.getLogRecordFactory()

    def make_masked(*arguments: object, **more: object) -> logging.LogRecord:
        record: logging.LogRecord = make(*arguments, **more)
        if record.name.partition(".")[0] in _LOGGERS:
            _mask(record)
        return record

    logging.setLogRecordFactory(make_masked)
    try:
        yield
    finally:
        logging.setLogRecordFactory(make)


def _mask(record: logging.LogRecord) -> None:
    try:
        record.msg, record.args = masked(record.getMessage()), None
    except (TypeError, ValueError):
        return  # a wrong format string; logging says so itself
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        record.exc_info, record.exc_text = None, masked_traceback(error).rstrip()
