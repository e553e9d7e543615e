"""A run is remembered while it lasts, and for a time after its end."""

import time

import pytest
from a2a.types import Message, Part

from runtime.recipes.inbound.remembered import MessageRun, Remembered, hashed

DIGEST = b"digest"


class Clock:
    """Shows the time that a test sets."""

    now = 1000.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands still."""
    made = Clock()
    monkeypatch.setattr(time, "monotonic", lambda: made.now)
    return made


def ended(runs: Remembered, key: bytes) -> MessageRun:
    """Begin a run, and end it."""
    run = runs.begin(key, DIGEST)
    runs.end(run)
    return run


def test_a_run_begins_with_nothing() -> None:
    """Nobody knows yet what comes of it."""
    runs = Remembered(window_s=10, most=2)
    assert len(runs) == 0
    assert runs.find(b"a") is None

    run = runs.begin(b"a", DIGEST)

    assert (run.key, run.digest, run.task_id, run.before) == (b"a", DIGEST, "", b"")
    assert (run.has_sent, run.ended_at, run.is_forgotten) == (False, None, False)
    assert not run.decided.is_set()
    assert runs.find(b"a") is run
    assert runs.find(b"b") is None
    assert len(runs) == 1


def test_a_run_that_lasts_is_never_too_old(clock: Clock) -> None:
    """Nor are there too many of these."""
    runs = Remembered(window_s=10, most=1)
    lasting = [runs.begin(key, DIGEST) for key in (b"a", b"b", b"c")]
    clock.now += 1000

    assert [runs.find(run.key) for run in lasting] == lasting
    assert len(runs) == 3


def test_one_that_has_ended_is_remembered_for_the_window(clock: Clock) -> None:
    """From its end on."""
    runs = Remembered(window_s=10, most=5)
    run = runs.begin(b"a", DIGEST)
    clock.now += 100

    runs.end(run)

    assert run.ended_at == 1100
    assert run.decided.is_set()
    assert not run.is_forgotten
    clock.now += 9
    later = ended(runs, b"b")
    assert runs.find(b"a") is run
    clock.now += 1
    assert runs.find(b"a") is None
    assert runs.find(b"b") is later
    assert len(runs) == 1
    runs.end(run)
    assert runs.find(b"a") is None


def test_who_ended_first_goes_first() -> None:
    """Not who began first."""
    runs = Remembered(window_s=10, most=2)
    first = runs.begin(b"first", DIGEST)
    others = [ended(runs, b"b"), ended(runs, b"c")]
    assert [runs.find(run.key) for run in others] == others

    runs.end(first)

    assert len(runs) == 2
    assert runs.find(b"b") is None
    assert runs.find(b"c") is others[1]
    assert runs.find(b"first") is first


def test_what_came_to_nothing_is_forgotten() -> None:
    """A repeat is the first then, and isn't forgotten with it."""
    runs = Remembered(window_s=10, most=2)
    run = runs.begin(b"a", DIGEST)

    runs.forget(run)

    assert run.is_forgotten
    assert run.decided.is_set()
    assert runs.find(b"a") is None
    again = runs.begin(b"a", DIGEST)
    runs.forget(run)
    assert runs.find(b"a") is again
    assert not again.is_forgotten


def test_what_has_ended_is_not_forgotten() -> None:
    """Something came of it."""
    runs = Remembered(window_s=10, most=2)
    run = ended(runs, b"a")

    runs.forget(run)

    assert runs.find(b"a") is run
    assert not run.is_forgotten


def test_what_was_sent_is_hashed_whatever_the_order_of_its_keys() -> None:
    """And nothing else is the same."""
    messages = [Message(message_id="m", parts=[Part(text="a")]) for _ in range(3)]
    keys = [str(number) for number in range(50)]
    messages[0].metadata.update(dict.fromkeys(keys, 1))
    messages[1].metadata.update(dict.fromkeys(keys[::-1], 1))

    one, same, other = map(hashed, messages)

    assert one == same != other
    assert len(one) == 32
    assert other == hashed(Message(message_id="m", parts=[Part(text="a")]))
