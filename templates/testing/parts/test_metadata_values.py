"""Any value has a form that metadata takes."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from uuid import UUID

import pytest

from runtime.recipes.outbound.metadata_values import as_metadata, size_of


class Odd(Enum):
    """An enum whose value isn't JSON."""

    ONE = Decimal(1)


class Hostile(Mapping[str, object]):
    """A mapping that can't be read."""

    def __getitem__(self, _: str) -> object:
        """Fail."""
        raise RuntimeError

    def __iter__(self) -> Iterator[str]:
        """Fail."""
        raise RuntimeError

    def __len__(self) -> int:
        """Pretend to hold something."""
        return 1


EAST = timezone(timedelta(hours=2))
RULES: list[tuple[object, object]] = [
    (None, None),
    (True, True),
    (2**53, 2**53),
    (-(2**53), -(2**53)),
    (2**53 + 1, "9007199254740993"),
    (-(2**53) - 1, "-9007199254740993"),
    (2**1999, str(2**1999)),
    (2**2000, hex(2**2000)),
    (0.5, 0.5),
    (float("nan"), "NaN"),
    (float("inf"), "Infinity"),
    (float("-inf"), "-Infinity"),
    (Decimal("0.10"), "0.10"),
    (datetime(2026, 1, 2, 3, tzinfo=EAST), "2026-01-02T01:00:00+00:00"),
    (
        datetime(2026, 1, 2, 3, tzinfo=UTC).replace(tzinfo=None),
        "2026-01-02T03:00:00+00:00",
    ),
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
    ({(at,) for at in range(9)}, [[at] for at in range(9)]),
    (("a", [1]), ["a", [1]]),
    (
        {1: "a", None: "b", b"k": 1, (1,): 2},
        {"1": "a", "null": "b", "aw==": 1, '["..."]': 2},
    ),
    (Hostile(), "<Hostile>"),
    (object(), "<object>"),
]


@pytest.mark.parametrize(("value", "form"), RULES, ids=range(len(RULES)))
def test_each_kind_has_its_form(value: object, form: object) -> None:
    """Nothing raises, and nothing is lost without need."""
    assert as_metadata(value) == form
    assert type(as_metadata(value)) is type(form)


def test_a_list_that_holds_itself_ends() -> None:
    """What is too deep isn't told."""
    endless: list[object] = []
    endless.append(endless)

    told = json.dumps(as_metadata(endless))

    assert told.count("[") == 21
    assert '"..."' in told


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="it can't be set there")
def test_a_moment_is_told_in_utc_wherever_it_is_told() -> None:
    """The machine's own zone is nobody's business."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "FAR-9")
        time.tzset()
        told = as_metadata(datetime(2026, 1, 2, 3, tzinfo=EAST))
    time.tzset()

    assert told == "2026-01-02T01:00:00+00:00"


WRAPS: list[Callable[[object], object]] = [
    lambda value: (value,),
    lambda value: {"a": value},
    lambda value: frozenset({value}),
]


def nested(wrap: Callable[[object], object], times: int) -> object:
    """Put something so deep."""
    value: object = "leaf"
    for _ in range(times):
        value = wrap(value)
    return value


class Deep(Enum):
    """An enum is a level too."""

    HELD = nested(WRAPS[0], 19)
    LOST = nested(WRAPS[0], 20)


@pytest.mark.parametrize(
    ("held", "lost"),
    [*((nested(wrap, 20), nested(wrap, 21)) for wrap in WRAPS), tuple(Deep)],
    ids=range(4),
)
def test_what_is_twenty_deep_is_told(held: object, lost: object) -> None:
    """And no deeper, whatever it is nested in."""
    deep, too_deep = json.dumps(as_metadata(held)), json.dumps(as_metadata(lost))

    assert '"leaf"' in deep
    assert '"leaf"' not in too_deep
    assert '"..."' in too_deep


def test_a_size_is_that_of_the_json_in_bytes() -> None:
    """Letters are written as they are."""
    assert size_of({"\u00e4": "b"}) == len('{"\u00e4": "b"}'.encode())
