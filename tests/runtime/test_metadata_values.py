import json
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import pytest
from google.protobuf.json_format import MessageToDict
from google.protobuf.struct_pb2 import Struct
from hypothesis import given
from hypothesis import strategies as st

from runtime.recipes.outbound.metadata_values import as_metadata, size_of


class Odd(Enum):
    """An enum whose value isn't JSON."""

    ONE = Decimal(1)


class Hostile(Mapping[str, object]):
    """A mapping that can't be read."""

    def __getitem__(self, _: str) -> object:
        raise RuntimeError

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError

    def __len__(self) -> int:
        return 1


EAST = timezone(timedelta(hours=2))
RULES: list[tuple[object, object]] = [
    (None, None),
    (True, True),
    (2**53, 2**53),
    (-(2**53), -(2**53)),
    (2**53 + 1, "9007199254740993"),
    (-(2**53) - 1, "-9007199254740993"),
    (2**2000, hex(2**2000)),
    (10**5000, hex(10**5000)),
    (0.5, 0.5),
    (float("nan"), "NaN"),
    (float("inf"), "Infinity"),
    (float("-inf"), "-Infinity"),
    (Decimal("0.10"), "0.10"),
    (Decimal("NaN"), "NaN"),
    (datetime(2026, 1, 2, 3, tzinfo=EAST), "2026-01-02T01:00:00+00:00"),
    (datetime(2026, 1, 2, 3), "2026-01-02T03:00:00+00:00"),  # noqa: DTZ001
    (datetime.min.replace(tzinfo=EAST), "0001-01-01T00:00:00+02:00"),
    (date(2026, 1, 2), "2026-01-02"),
    (timedelta(seconds=1.5), "1.5"),
    (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (b"\xff\x00", "/wA="),
    (bytearray(b"a"), "YQ=="),
    ("half \ud800", "half ?"),
    (Odd.ONE, "1"),
    ({"b", "a!", "a"}, ["a", "a!", "b"]),
    ({(2,), (1,), None}, [[1], [2], None]),
    (("a", [1]), ["a", [1]]),
    ({1: "a", None: "b", b"k": 1}, {"1": "a", "null": "b", "aw==": 1}),
    (Hostile(), "<Hostile>"),
    (object(), "<object>"),
]


@pytest.mark.parametrize(("value", "form"), RULES, ids=range(len(RULES)))
def test_each_kind_has_its_form(value: object, form: object) -> None:
    assert as_metadata(value) == form
    assert type(as_metadata(value)) is type(form)


def test_a_list_that_holds_itself_ends() -> None:
    endless: list[object] = []
    endless.append(endless)
    assert json.dumps(as_metadata(endless)).count("[") == 21
    assert '"..."' in json.dumps(as_metadata(endless))


def test_a_size_is_that_of_the_json_in_bytes() -> None:
    assert size_of({"ä": "b"}) == len('{"ä": "b"}'.encode())


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(min_value=10**4300),
    st.floats(),
    st.decimals(),
    st.text(st.characters(codec=None)),
    st.binary(),
    st.datetimes(timezones=st.none() | st.just(EAST) | st.just(UTC)),
    st.dates(),
    st.times(),
    st.timedeltas(),
    st.uuids(),
    st.complex_numbers(),
    st.sampled_from(Odd),
    st.builds(object),
    st.builds(Hostile),
)
KEYS = st.one_of(st.none(), st.integers(), st.floats(), st.text(), st.binary())
VALUES: Any = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner),
        st.dictionaries(KEYS, inner),
        st.sets(KEYS),
        st.lists(inner).map(tuple),
    ),
)


@given(VALUES)
def test_metadata_takes_the_form_of_any_value(value: object) -> None:
    form = as_metadata(value)
    metadata = Struct()
    metadata.update({"stamp": form})
    sent = Struct.FromString(metadata.SerializeToString())
    assert MessageToDict(sent) == {"stamp": form}


def test_digits_have_a_limit_that_hexadecimal_has_not() -> None:
    assert sys.get_int_max_str_digits() < 10**4
    with pytest.raises(ValueError, match="digits"):
        str(10**5000)
