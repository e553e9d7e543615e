"""Any value as one that metadata takes: it is JSON there, and its numbers floats.

A protobuf Struct raises on a datetime, bytes or a set, and in a hook that would
make a failed run of one that has succeeded. So there is a form for everything.
"""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from math import isfinite, isnan
from typing import TypeAlias, TypeGuard
from uuid import UUID

__all__ = ["MetadataValue", "as_metadata", "size_of"]

MetadataValue: TypeAlias = (
    "dict[str, MetadataValue] | list[MetadataValue] | str | float | bool | None"
)

# Up to here a float holds each whole number.
_LARGEST_EXACT = 2**53
# Python writes no longer number in decimal digits (sys.set_int_max_str_digits).
_MOST_BITS = 2000
# A Struct's own limit is about a hundred, and a list may hold itself.
_DEEPEST = 20
_PLAIN = (date, time, UUID, Decimal)


def as_metadata(value: object) -> MetadataValue:
    """Give the form of a value in metadata; never raises.

    None, truth values, finite floats and whole numbers up to 2**53 stay what they
    are. The rest is text: larger numbers their digits, those of more than 2000
    bits in hexadecimal; NaN and the infinities `NaN`, `Infinity`, `-Infinity`; a
    Decimal its digits; a datetime ISO 8601 in UTC, of which a naive one is taken
    to be; a date, a time or a UUID as it is written; a timedelta its seconds;
    bytes base64; half of a surrogate pair `?`. An enum is its value, a set a
    sorted list, a mapping's key its text. What is nested more than 20 deep is
    `...`, and anything else the name of its type in angle brackets.

    Args:
        value: Anything.
    """
    return _form(value, 0)


def size_of(value: MetadataValue) -> int:
    """Count the bytes of the value as JSON."""
    return len(_written(value).encode())


def _form(value: object, depth: int) -> MetadataValue:
    if depth > _DEEPEST:
        return "..."
    try:
        return _nested(value, depth)
    # What a value of somebody's own class raises while it is read isn't known.
    except Exception:
        return f"<{type(value).__name__}>"


def _nested(value: object, depth: int) -> MetadataValue:
    if isinstance(value, Enum):
        member: object = value.value
        return _form(member, depth + 1)
    if _is_mapping(value):
        return {_key(key): _form(inner, depth + 1) for key, inner in value.items()}
    if _is_set(value):
        return sorted((_form(inner, depth + 1) for inner in value), key=_rank)
    if _is_sequence(value):
        return [_form(inner, depth + 1) for inner in value]
    return _number(value)


def _is_mapping(value: object) -> TypeGuard[Mapping[object, object]]:
    return isinstance(value, Mapping)


def _is_set(value: object) -> TypeGuard[AbstractSet[object]]:
    return isinstance(value, AbstractSet)


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    if isinstance(value, (str, bytes, bytearray)):
        return False
    return isinstance(value, Sequence)


def _number(value: object) -> MetadataValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        if abs(value) <= _LARGEST_EXACT:
            return int(value)
        return int.__repr__(value) if value.bit_length() <= _MOST_BITS else hex(value)
    if isinstance(value, float):
        if isfinite(value):
            return float(value)
        return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return _text(value)


def _text(value: object) -> str:
    if isinstance(value, str):
        return str.encode(value, errors="replace").decode()
    if isinstance(value, (bytes, bytearray)):
        return b64encode(value).decode()
    if isinstance(value, timedelta):
        return str(value.total_seconds())
    if isinstance(value, datetime):
        return _moment(value)
    return str(value) if isinstance(value, _PLAIN) else f"<{type(value).__name__}>"


def _moment(value: datetime) -> str:
    if value.tzinfo is None:
        return value.replace(tzinfo=UTC).isoformat()
    try:
        return value.astimezone(UTC).isoformat()
    except OverflowError:
        # In UTC it would lie before the first year, or after the last.
        return value.isoformat()


def _key(key: object) -> str:
    form = _form(key, _DEEPEST)
    return form if isinstance(form, str) else _written(form)


def _rank(value: MetadataValue) -> str:
    return value if isinstance(value, str) else _written(value)


def _written(value: MetadataValue) -> str:
    return json.dumps(value, ensure_ascii=False)
