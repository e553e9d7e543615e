"""A row of the audit, and the chain of hashes that rows may form."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import TypeAlias

from a2a.types import Message
from google.protobuf.json_format import MessageToDict

__all__ = [
    "COLUMNS",
    "AuditRow",
    "Link",
    "Values",
    "breaks",
    "canonical",
    "chained",
]

Values: TypeAlias = dict[str, str | int | float | None]
"""A row as it is written."""

_GENESIS = "0" * 64


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditRow:
    """How one request ended: ids, hashes and sizes, never a text.

    Attributes:
        kind: The outcome's kind; `dropped` in a row that stands for lost ones.
        ended: When it ended, in UTC.
        started: When it was let in; None if an earlier interceptor refused it.
        duration_ms: How long that took.
        error_code: The token that its caller got.
        correlation_id: Names it in logs, errors and metadata.
        task_id: Its task.
        context_id: Its conversation.
        caller: The verified name of its caller.
        request_sha256: The hash of its message.
        request_bytes: What was hashed, in bytes.
        events: How many events left before the last status.
        event_bytes: What they measured.
        dropped: How many rows a row of the kind `dropped` stands for.
    """

    kind: str
    ended: str
    started: str | None = None
    duration_ms: float | None = None
    error_code: str | None = None
    correlation_id: str | None = None
    task_id: str | None = None
    context_id: str | None = None
    caller: str | None = None
    request_sha256: str | None = None
    request_bytes: int | None = None
    events: int | None = None
    event_bytes: int | None = None
    dropped: int | None = None


_FIELDS = tuple(field.name for field in fields(AuditRow))
COLUMNS = ("seq", *_FIELDS, "previous", "hash")
"""What a written row has, in this order."""


@dataclass(frozen=True, slots=True)
class Link:
    """What the next row of a chain follows.

    Attributes:
        seq: The number of the last row.
        hash: Its hash.
    """

    seq: int = 0
    hash: str = _GENESIS


def canonical(message: Message) -> bytes:
    """Write a message in the one way that is hashed.

    That is its JSON form in A2A 1.0, with sorted keys, without spaces, in UTF-8.

    Raises:
        ValueError: If a number in it has no JSON form.
    """
    return _compact(MessageToDict(message))


def chained(rows: Iterable[AuditRow], before: Link | None) -> Iterator[Values]:
    """Give the rows as they are written.

    Args:
        rows: The rows, in order.
        before: What the first one follows; None without a chain.
    """
    for row in rows:
        values = _sealed(row, before)
        if before is not None:
            before = Link(before.seq + 1, str(values["hash"]))
        yield values


def _sealed(row: AuditRow, before: Link | None) -> Values:
    values: Values = {name: getattr(row, name) for name in _FIELDS}
    if before is None:
        return {"seq": None, **values, "previous": None, "hash": None}
    linked = {"seq": before.seq + 1, **values, "previous": before.hash}
    return {**linked, "hash": _hash(linked)}


def breaks(rows: Iterable[Mapping[str, object] | None]) -> Iterator[str]:
    """Name each row at which the chain breaks.

    Args:
        rows: The rows, in order; None for one that can't be read.
    """
    seq, previous = 0, _GENESIS
    for number, row in enumerate(rows, start=1):
        if row is None:
            yield f"row {number}: can't be read"
            continue
        found = row.get("hash")
        if not isinstance(found, str):
            yield f"row {number}: has no hash"
            continue
        if found != _hash({name: row[name] for name in row if name != "hash"}):
            yield f"row {number}: was changed"
        if row.get("seq") != seq + 1 or row.get("previous") != previous:
            yield f"row {number}: doesn't follow the row before it"
        seq, previous = number_of(row, seq), found


def number_of(row: Mapping[str, object], before: int) -> int:
    """Give a row's own number, or the next one if it has none."""
    found = row.get("seq")
    return found if isinstance(found, int) else before + 1


def _hash(values: Mapping[str, object]) -> str:
    return sha256(_compact(values)).hexdigest()


def _compact(values: Mapping[str, object]) -> bytes:
    text = json.dumps(
        values,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    return text.encode(errors="surrogatepass")
