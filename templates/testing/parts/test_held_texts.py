"""Texts that come in chunks: each goes on by itself, and what was held leaves once."""

from collections.abc import Callable, MutableSequence

import pytest
from a2a.types import (
    Artifact,
    Message,
    Part,
    TaskArtifactUpdateEvent,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.protobuf.struct_pb2 import Value

from runtime.recipes.redaction.held_texts import HeldTexts, Update, holder_of
from runtime.recipes.redaction.walking import RewriteParts


class Late:
    """Holds the last two characters back."""

    def __init__(self) -> None:
        """Begin with none."""
        self._held = ""

    def take(self, text: str, *, is_last: bool = False) -> str:
        """Give all but two."""
        held = self._held + text
        at = len(held) if is_last else max(0, len(held) - 2)
        self._held = held[at:]
        return held[:at]


def walk(update: Update, rewrite: RewriteParts) -> None:
    """Rewrite the parts, and mark what stands around them."""
    parts: MutableSequence[Part] = holder_of(update).parts
    rewrite(parts)
    update.metadata["walked"] = True


def artifact(*parts: Part | str, name: str = "a") -> TaskArtifactUpdateEvent:
    """Make a chunk of an artifact."""
    made = [Part(text=part) if isinstance(part, str) else part for part in parts]
    return TaskArtifactUpdateEvent(
        artifact=Artifact(artifact_id=name, parts=made), last_chunk=False
    )


def message(text: str) -> TaskStatusUpdateEvent:
    """Make a chunk of a message."""
    made = Message(message_id="m", parts=[Part(text=text)])
    return TaskStatusUpdateEvent(status=TaskStatus(message=made))


def thought(text: str) -> Part:
    """Make a part that is a thought."""
    part = Part(text=text)
    part.metadata["adk_thought"] = True
    return part


def texts(*updates: Update) -> list[list[str]]:
    """Give the texts of updates."""
    return [[part.text for part in holder_of(each).parts] for each in updates]


def take(held: HeldTexts, key: str, chunk: Update) -> Update:
    """Take a chunk."""
    return held.take(key, chunk, Late, walk)


def test_nothing_is_held_in_the_beginning() -> None:
    """And nobody has spoken."""
    held = HeldTexts()

    assert (held.speaker, held.is_partial) == ("", False)
    assert held.end("a") == held.end_all() == []


@pytest.mark.parametrize("make", [artifact, message])
def test_a_chunk_leaves_as_a_copy(make: Callable[[str], Update]) -> None:
    """With what can leave by now."""
    held, chunk = HeldTexts(), make("abcd")
    before = make("abcd")

    left = take(held, "k", chunk)

    assert texts(left) == [["ab"]]
    assert left.metadata["walked"] is True
    assert chunk == before
    assert texts(take(held, "k", make("ef"))) == [["cd"]]


def test_the_rest_of_an_artifact_is_one_more_chunk_of_it() -> None:
    """It is added to what has left, and it leaves once."""
    held = HeldTexts()
    take(held, "k", artifact("abcd", thought("e")))

    (rest,) = held.end("k")

    assert isinstance(rest, TaskArtifactUpdateEvent)
    assert rest.append
    assert rest.artifact.artifact_id == "a"
    assert list(rest.artifact.parts) == [thought("e")]
    assert rest.metadata["walked"] is True
    assert held.end("k") == []


def test_the_rest_of_a_message_is_a_message_of_its_own() -> None:
    """With an id that isn't taken; the chunk that left stays as it was."""
    held = HeldTexts()
    left = take(held, "k", message("abcd"))

    (rest,) = held.end("k")

    assert isinstance(rest, TaskStatusUpdateEvent)
    assert rest.status.message.message_id == "m-rest"
    assert texts(rest) == [["cd"]]
    assert isinstance(left, TaskStatusUpdateEvent)
    assert left.status.message.message_id == "m"


def test_where_nothing_is_held_nothing_is_sent() -> None:
    """An empty chunk would say nothing."""
    held = HeldTexts()
    take(held, "k", artifact(""))

    assert held.end("k") == []


def test_each_key_is_a_text() -> None:
    """They end one by one, or all together in their order."""
    held = HeldTexts()
    for key in "abc":
        take(held, key, artifact(key, name=key))
    assert texts(take(held, "a", artifact("de", name="a"))) == [["a"]]

    assert texts(*held.end("b")) == [["b"]]
    assert texts(*held.end_all()) == [["de"], ["c"]]
    assert held.end_all() == []


@pytest.mark.parametrize(
    ("parts", "left", "rest"),
    [
        # Texts go on from one part to the next.
        (["abc", "d"], ["a", "b"], [["cd"]]),
        ([thought("abc"), thought("d")], ["a", "b"], [["cd"]]),
        # A thought and an answer don't, in neither order.
        ([thought("abc"), "de"], ["a", "bc", ""], [["de"]]),
        (["abc", thought("de")], ["a", "bc", ""], [["de"]]),
        # Nor does what stands around data.
        (["abc", Part(data=Value(number_value=1)), "d"], ["a", "bc", "", ""], [["d"]]),
        ([Part(data=Value(number_value=1)), "d"], ["", ""], [["d"]]),
    ],
    ids=range(6),
)
def test_what_one_text_is(
    parts: list[Part | str], left: list[str], rest: list[list[str]]
) -> None:
    """What follows another one directly, and is of its kind."""
    held = HeldTexts()

    assert texts(take(held, "k", artifact(*parts))) == [left]
    assert texts(*held.end("k")) == rest


def test_what_was_held_is_of_its_own_kind() -> None:
    """A thought stays one, also when it leaves late."""
    held = HeldTexts()

    first = take(held, "k", artifact(thought("abc")))
    second = take(held, "k", artifact("d"))

    assert list(holder_of(first).parts) == [thought("a")]
    assert list(holder_of(second).parts) == [thought("bc"), Part(text="")]
    assert texts(*held.end("k")) == [["d"]]


def test_an_artifact_that_repeats_the_last_chunk_ends_its_text() -> None:
    """If that was a chunk; it gives what left of it, and what was held."""
    held = HeldTexts()
    take(held, "k", message("abcd"))
    take(held, "k", message("ef"))
    same, other = artifact("ef").artifact, artifact("abcd").artifact

    assert held.end_repeated("k", same) is None
    held.is_partial = True
    assert held.end_repeated("k", other) is None
    assert held.end_repeated("other", same) is None
    given = held.end_repeated("k", same)
    assert given is not None
    assert texts(*given) == [["cd"], ["ef"]]
    assert held.end_repeated("k", same) is None


def test_a_holder_is_what_has_the_parts() -> None:
    """An artifact, or the status's message."""
    assert holder_of(artifact("a")) == artifact("a").artifact
    assert holder_of(message("a")) == message("a").status.message
