"""Keeps messages and secrets out of what ADK and the SDK log."""

import logging
import re
from collections.abc import Generator, Mapping, Sized
from contextlib import contextmanager
from enum import Enum

from google.protobuf.message import Message

from .masking import masked, masked_traceback

__all__ = ["safe_logs"]

# Who logs what passes a service: as these are, some of it before any code of the
# service sees it.
_BODIES = ("a2a", "google_adk", "google_genai", "sse_starlette")
_SECRETS = (*_BODIES, "asyncio", __name__.partition(".")[0])

_PLAIN = (bool, int, float, type, Enum, type(None))
# An id, a name, a method: what finds a record again.
_WORD = re.compile(r"[\w.:/@+-]{0,128}")


@contextmanager
def safe_logs(*, bodies: bool = False) -> Generator[None, None, None]:
    """Change the records of ADK, the SDK and this service, while the block lasts.

    What looks like a secret is masked; in the place of a message, an event or a
    text of their own stands how large it is. A record is made in one place only,
    so no handler sees it as it was.

    Args:
        bodies: Whether messages and events are logged as they are.
    """
    make = logging.getLogRecordFactory()

    def make_safe(*arguments: object, **more: object) -> logging.LogRecord:
        record: logging.LogRecord = make(*arguments, **more)
        logger = record.name.partition(".")[0]
        if logger in _BODIES and not bodies:
            _leave_bodies_out(record)
        if logger in _SECRETS:
            _mask(record)
        return record

    logging.setLogRecordFactory(make_safe)
    try:
        yield
    finally:
        logging.setLogRecordFactory(make)


def _leave_bodies_out(record: logging.LogRecord) -> None:
    texts = record.levelno >= logging.WARNING
    if isinstance(record.args, Mapping):
        # A mapping alone: logging takes it for the names in the text, or, where the
        # text has none, for the one value that it is.
        named = {key: _sized(each, texts=texts) for key, each in record.args.items()}
        record.args = named if "%(" in str(record.msg) else (_sized(record.args),)
    elif record.args:
        record.args = tuple(_sized(each, texts=texts) for each in record.args)
    elif not texts:
        # ADK makes a request to a model one text; its first line is a title.
        first, _, more = str(record.msg).strip().partition("\n")
        record.msg = f"{first} <{len(more)} characters>" if more else record.msg


def _sized(value: object, *, texts: bool = False) -> object:
    """Give a value that tells nobody's words: itself, or what it is."""
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, str):
        is_word = texts or _WORD.fullmatch(value)
        return value if is_word else f"<{len(value)} characters>"
    name = type(value).__name__
    if isinstance(value, BaseException):
        return value if texts else f"<{name}>"
    if isinstance(value, Message):
        return f"<{name}: {value.ByteSize()} bytes>"
    return f"<{name}: {len(value)}>" if isinstance(value, Sized) else f"<{name}>"


def _mask(record: logging.LogRecord) -> None:
    try:
        record.msg, record.args = masked(record.getMessage()), None
    except (TypeError, ValueError):
        return  # a wrong format string; logging says so itself
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        record.exc_info, record.exc_text = None, masked_traceback(error).rstrip()
