"""An event is cleared only if no secret is in it, however that is written."""

import pytest
from a2a.types import (
    Artifact,
    Message,
    Part,
    TaskArtifactUpdateEvent,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Value

from runtime.recipes.redaction.quick_look import QuickLook

LOOK = QuickLook([r"\babcd\b", r"\d{16}", r"x{2,4}y"])


def artifact(*parts: Part, name: str = "") -> TaskArtifactUpdateEvent:
    """Make an update of an artifact."""
    return TaskArtifactUpdateEvent(artifact=Artifact(name=name, parts=parts))


def message(*parts: Part) -> TaskStatusUpdateEvent:
    """Make a message of the status."""
    return TaskStatusUpdateEvent(status=TaskStatus(message=Message(parts=parts)))


def clears(*texts: str) -> bool:
    """Tell whether texts are cleared, in an artifact as in a message."""
    parts = [Part(text=text) for text in texts]
    is_clear = LOOK.clears(artifact(*parts))
    assert LOOK.clears(message(*parts)) is is_clear
    return is_clear


def data(value: object) -> Part:
    """Make a part that holds data."""
    return Part(data=ParseDict({"it": value}, Value()))


@pytest.mark.parametrize(
    "text",
    [
        *("", "clean", "abcx", "123456789012345"),
        # Folded to themselves, to others, and to nothing.
        *("\u00e9\u0416\u3042\u4e2d\u201c", "\uff21\uff22", "ab\u200bx", "\U0001f600"),
    ],
)
def test_what_holds_no_secret_is_cleared(text: str) -> None:
    """In any script."""
    assert clears(text)


@pytest.mark.parametrize(
    "text",
    [
        *("abcd", "1 abcd 2", "1234567890123456", "xxxxy"),
        # In letters of full width, with a mark that isn't seen, in other digits.
        *("\uff41\uff42\uff43\uff44", "ab\u200bcd", "a\u00adbcd", "\u0661" * 16),
    ],
)
def test_a_secret_is_seen_in_any_disguise(text: str) -> None:
    """It may be written in characters that look the same."""
    assert not clears(text)
    assert not clears(f"\u00e9 {text} \u4e2d")


def test_boundaries_are_not_looked_at() -> None:
    """The bytes around a text say nothing about it."""
    assert not clears("zabcdz")


def test_texts_are_seen_as_one() -> None:
    """Readers join them; but what they begin with isn't joined to what was before."""
    assert not clears("ab", "cd")
    assert not clears("x", "\uff41b", "", "\uff43d")
    assert clears("ab", "c")
    assert clears("cd", "ab")


def test_what_stands_around_is_looked_at() -> None:
    """A name may hold a secret too."""
    assert not LOOK.clears(artifact(Part(text="clean"), name="abcd"))
    assert LOOK.clears(artifact(Part(text="clean"), name="clean"))
    assert LOOK.clears(artifact())


@pytest.mark.parametrize(
    ("part", "is_clear"),
    [
        (data({"a": ["clean", None, True]}), True),
        (data({"a": ["abcd"]}), False),
        (data({"abcd": 1}), False),
        (data({"a": 7, "b": [1.5, -2]}), True),
        (data({"a": 7, "b": [1.5, 1234567890123456]}), False),
        (data("\u00e9\U0001f600"), True),
        (Part(raw=b"clean"), False),
        (Part(url="https://clean.example"), False),
        (Part(), False),
    ],
    ids=range(9),
)
def test_data_is_read_and_files_are_not(part: Part, *, is_clear: bool) -> None:
    """A number is read as a person writes it; of a file nothing can be told."""
    assert LOOK.clears(artifact(part)) is is_clear
    assert LOOK.clears(message(Part(text="clean"), part)) is is_clear


def test_numbers_are_texts_of_their_own() -> None:
    """Two of them aren't joined."""
    assert LOOK.clears(artifact(data([12345678, 87654321])))


def test_many_unseen_characters_are_left_to_others() -> None:
    """Where they stand depends on each other."""
    assert clears("\u200bc\u00adl\u200bean")
    assert not clears("\u200bc\u00adl\u200be\u200ban")
    # A mark in half width is folded to what is folded to nothing.
    assert clears("clean\uff9e")
    assert not clears("clean\uff9e\u3099")
