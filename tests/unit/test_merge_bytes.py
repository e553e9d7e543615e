"""The merge does in any file what it does in a plain one, and no more."""

from collections.abc import Callable

import pytest
from tests.merge.samples import (
    AFTER,
    BEFORE,
    CLASS,
    EVENT,
    HEAD,
    emitted,
    kinds,
    recorded,
    stub,
    wanted,
)
from tests.merge.snippets import HOSTS, INSIDE, NEWER, OUTSIDE

from interceptgen.merge import NoteKind, grow

Host = Callable[[str], bytes]
OLD = stub("after_event", "Old.")
HOST = pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)


def check(host: Host, before: str, after: str) -> None:
    """Merge one new and one newer method into a module, and take them back."""
    data = host(before)
    there = grow(data, wanted(BEFORE, EVENT), recorded(OLD))
    assert there.data == host(after)
    assert kinds(there) == {
        "before_agent": NoteKind.INSERTED,
        "after_event": NoteKind.REFRESHED,
    }
    again = grow(there.data, wanted(BEFORE, EVENT), there.stubs)
    assert again.data is there.data
    assert again.notes == ()
    back = grow(there.data, wanted(OLD), there.stubs)
    assert back.data == data


@HOST
@pytest.mark.parametrize("snippet", OUTSIDE.values(), ids=OUTSIDE)
def test_code_around_the_class(host: Host, snippet: str) -> None:
    before = f"{snippet}{HEAD}\n{OLD.text}\n\n{snippet}"
    after = f"{snippet}{HEAD}\n{BEFORE.text}\n{EVENT.text}\n\n{snippet}"
    check(host, before, after)


@pytest.mark.parametrize("snippet", NEWER.values(), ids=NEWER)
def test_code_newer_than_this_interpreter(snippet: str) -> None:
    before = f"{snippet}{HEAD}\n{OLD.text}\n\n{snippet}"
    after = f"{snippet}{HEAD}\n{BEFORE.text}\n{EVENT.text}\n\n{snippet}"
    check(HOSTS["all"], before, after)


@HOST
@pytest.mark.parametrize("snippet", INSIDE.values(), ids=INSIDE)
def test_code_in_the_class(host: Host, snippet: str) -> None:
    before = f"{HEAD}\n{snippet}\n{OLD.text}\n    x = 1\n\n{snippet}"
    after = f"{HEAD}\n{snippet}\n{BEFORE.text}\n{EVENT.text}\n    x = 1\n\n{snippet}"
    if snippet == INSIDE["form feed"]:
        # A line that looks blank: what ends above it is the docstring.
        after = (
            f"{HEAD}\n{BEFORE.text}\n{snippet}\n{EVENT.text}\n    x = 1\n\n{snippet}"
        )
    check(host, before, after)


@HOST
@pytest.mark.parametrize("name", ["comment", "form feed", "assignment"])
def test_code_next_to_a_stub(host: Host, name: str) -> None:
    snippet = INSIDE[name]
    before = f"{HEAD}\n    x = 1\n\n{snippet}{OLD.text}{snippet}    y = 1\n"
    above = f"    x = 1\n\n{BEFORE.text}\n{snippet}"
    if name == "assignment":
        above = f"    x = 1\n\n{snippet}{BEFORE.text}"
    check(host, before, f"{HEAD}\n{above}{EVENT.text}{snippet}    y = 1\n")


@HOST
def test_a_module_as_emitted(host: Host) -> None:
    check(host, emitted(OLD), emitted(BEFORE, EVENT))


def test_mixed_line_ends_stay_mixed() -> None:
    head = HEAD.replace("\n", "\r\n").encode()
    tail = b"    x = 1\r    y = 2\n"
    growth = grow(head + tail, wanted(EVENT), {})
    assert growth.data == head + tail + b"\n" + EVENT.text.encode()
    between = grow(
        head + b"\n" + EVENT.text.encode() + tail, wanted(OLD), recorded(EVENT)
    )
    assert between.data == head + b"\n" + OLD.text.encode() + tail
    back = grow(growth.data, wanted(), growth.stubs)
    assert back.data == head + tail


def test_a_character_of_several_bytes_is_text_of_the_file() -> None:
    text = f"# coding: shift_jis\n{HEAD}    x = '\u30bd\u8868'\n"
    new = stub("after_event", "\u8868.")
    growth = grow(text.encode("shift_jis"), wanted(new), {})
    assert growth.data == f"{text}\n{new.text}".encode("shift_jis")


def test_line_ends_that_python_does_not_know_are_text() -> None:
    text = f"x = '\x0b\x1c\x85\u2028'  # \x0c \u2029\n{HEAD}"
    growth = grow(text.encode(), wanted(EVENT, AFTER), {})
    assert growth.data.decode() == f"{text}\n{EVENT.text}\n{AFTER.text}"
    assert CLASS in growth.data.decode().split("\n")[growth.notes[0].line - 4]


MIXED = """\
class HouseStyle(contract.Hooks):
  x = 1
  def f(self):
\t\t return 1
\t\t # deep
"""


@pytest.mark.parametrize("newer", ["", *NEWER.values()], ids=["", *NEWER])
def test_tabs_and_spaces_in_one_file(newer: str) -> None:
    compile(MIXED, "mixed", "exec")
    text = newer + MIXED
    there = grow(text.encode(), wanted(EVENT), {})
    put = EVENT.text.replace("    ", "  ")
    assert there.data.decode() == f"{text}\n{put}"
    assert grow(there.data, wanted(), there.stubs).data.decode() == text


def test_tabs_and_spaces_that_python_refuses() -> None:
    growth = grow(f"{HEAD}        if x:\n\ty\n".encode(), wanted(EVENT), {})
    assert kinds(growth) == {"after_event": NoteKind.UNSEEN}
