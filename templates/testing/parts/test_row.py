"""A row is written in one way, so its hash can be made again."""

from dataclasses import asdict
from hashlib import sha256

import pytest
from a2a.types import Message, Part, Role
from google.protobuf.struct_pb2 import Value

from runtime.recipes.auditing.row import (
    COLUMNS,
    AuditRow,
    Link,
    Values,
    breaks,
    canonical,
    chained,
    number_of,
)

ROWS = [AuditRow(kind=kind, ended="2026-01-02") for kind in ("a", "b", "\u00e9")]


def written() -> list[Values]:
    """Give rows that form a chain."""
    return list(chained(ROWS, Link()))


def test_a_row_holds_nothing_but_what_it_is_told() -> None:
    """Unknown is not zero."""
    row = asdict(AuditRow(kind="completed", ended="2026-01-02"))

    assert (row.pop("kind"), row.pop("ended")) == ("completed", "2026-01-02")
    assert set(row.values()) == {None}


def test_the_columns_are_those_of_a_written_row() -> None:
    """In this order, which a table has for good."""
    assert " ".join(COLUMNS) == (
        "seq kind ended started duration_ms error_code correlation_id task_id"
        " context_id caller request_sha256 request_bytes events event_bytes dropped"
        " previous hash"
    )
    for rows in (written(), list(chained(ROWS, None))):
        assert [tuple(row) for row in rows] == [COLUMNS] * 3


def test_a_chain_begins_with_zeros() -> None:
    """Each row holds the hash of the one before it."""
    first, second, third = written()

    assert [row["seq"] for row in (first, second, third)] == [1, 2, 3]
    assert first["previous"] == "0" * 64
    assert second["previous"] == first["hash"]
    assert third["previous"] == second["hash"]
    assert len({row["hash"] for row in (first, second, third)}) == 3


def test_a_hash_is_that_of_the_row_in_its_one_form() -> None:
    """Sorted, without spaces, in UTF-8: who has the rows can make it again."""
    (row,) = chained([AuditRow(kind="\u00e9", ended="x", events=3)], Link(4, "ab"))
    text = (
        '{"caller":null,"context_id":null,"correlation_id":null,"dropped":null,'
        '"duration_ms":null,"ended":"x","error_code":null,"event_bytes":null,'
        '"events":3,"kind":"\u00e9","previous":"ab","request_bytes":null,'
        '"request_sha256":null,"seq":5,"started":null,"task_id":null}'
    )

    assert row["hash"] == sha256(text.encode()).hexdigest()


def test_half_a_character_has_a_hash_too() -> None:
    """And a number that has no form is refused."""
    assert next(chained([AuditRow(kind="\ud800", ended="")], Link()))["hash"]
    with pytest.raises(ValueError, match="JSON compliant"):
        next(chained([AuditRow(kind="", ended="", duration_ms=float("nan"))], Link()))


def test_without_a_chain_there_are_no_hashes() -> None:
    """Nor numbers."""
    for row, values in zip(ROWS, chained(ROWS, None), strict=True):
        assert values["kind"] == row.kind
        assert (values["seq"], values["previous"], values["hash"]) == (None, None, None)


def test_a_message_is_hashed_in_its_json_form() -> None:
    """Whatever order its fields came in."""
    message = Message(
        message_id="m",
        role=Role.ROLE_USER,
        parts=[Part(text="\u00e9"), Part(data=Value(number_value=1))],
    )

    assert canonical(message).decode() == (
        '{"messageId":"m","parts":[{"text":"\u00e9"},{"data":1.0}],"role":"ROLE_USER"}'
    )


def test_a_whole_chain_has_no_breaks() -> None:
    """An empty one neither."""
    assert list(breaks([])) == []
    assert list(breaks(written())) == []


def test_each_break_is_named() -> None:
    """With the number of its row."""
    first, second, third = written()
    ends = "doesn't follow the row before it"

    assert list(breaks([first, {**second, "kind": "x"}, third])) == [
        "row 2: was changed"
    ]
    assert list(breaks([first, {**second, "hash": "x"}, third])) == [
        "row 2: was changed",
        f"row 3: {ends}",
    ]
    assert list(breaks([first, third])) == [f"row 2: {ends}"]
    assert list(breaks([second, third])) == [f"row 1: {ends}"]
    assert list(breaks([first, None, second])) == ["row 2: can't be read"]
    assert list(breaks([{}, first])) == ["row 1: has no hash"]
    assert list(breaks([{}, None, {}])) == [
        "row 1: has no hash",
        "row 2: can't be read",
        "row 3: has no hash",
    ]
    assert list(breaks([{"hash": 1}, first])) == ["row 1: has no hash"]


@pytest.mark.parametrize("link", [Link(1, "0" * 64), Link(0, "1" * 64)])
def test_a_chain_that_begins_elsewhere_is_broken(link: Link) -> None:
    """By its number, or by what it follows; the next row is not."""
    rows = chained(ROWS[:2], link)

    assert list(breaks(rows)) == ["row 1: doesn't follow the row before it"]


def test_a_row_without_a_number_has_the_next_one() -> None:
    """One that isn't a number is none."""
    behind = next(chained(ROWS[:1], Link(1, "x")))

    assert list(breaks([{"hash": "x"}, behind])) == [
        "row 1: was changed",
        "row 1: doesn't follow the row before it",
    ]
    assert number_of({"seq": 7}, 3) == 7
    assert number_of({}, 3) == number_of({"seq": "7"}, 3) == 4
