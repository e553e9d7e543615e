"""How large a part of a message is, and which texts are in it."""

import pytest
from a2a.types import Part
from google.protobuf.json_format import ParseDict
from google.protobuf.struct_pb2 import Struct, Value

from runtime.recipes.part_content import (
    Unreadable,
    content_size,
    data_of,
    json_size,
    media_type_of,
    part_size,
    part_texts,
)


def data(value: object) -> Part:
    """Make a part that holds data."""
    return Part(data=ParseDict({"it": value}, Struct()).fields["it"])


@pytest.mark.parametrize(
    ("part", "size"),
    [
        (Part(text="\u00e9a"), 3),
        (Part(raw=b"\xff\x00"), 2),
        (Part(url="https://a.example/\u00e9"), 20),
        (Part(raw=b"x", filename="\u00e9.txt", media_type="text/plain"), 17),
        (data({"a": ["\u00e9", 1]}), len('{"a":["\u00e9",1.0]}'.encode())),
        (Part(text="", metadata=ParseDict({"a": True}, Struct())), 10),
    ],
    ids=str,
)
def test_a_part_measures_what_it_holds_and_what_comes_with_it(
    part: Part, size: int
) -> None:
    """Text in UTF-8, files as they are, data as JSON without blanks."""
    assert part_size(part) == size


@pytest.mark.parametrize(
    ("part", "media_type"),
    [
        (Part(text="a"), "text/plain"),
        (data("a"), "application/json"),
        (Part(raw=b"a"), ""),
        (Part(), ""),
        (Part(text="a", media_type="text/html"), "text/html"),
        (Part(url="https://a.example", media_type="image/png"), "image/png"),
    ],
    ids=str,
)
def test_a_media_type_is_what_a_part_declares(part: Part, media_type: str) -> None:
    """Or what its kind is written as."""
    assert media_type_of(part) == media_type


def test_the_content_alone_is_without_what_comes_with_it() -> None:
    """Without the names and the metadata."""
    metadata = ParseDict({"a": True}, Struct())

    assert content_size(Part(text="\u00e9", filename="n", metadata=metadata)) == 2
    assert content_size(Part(raw=b"123", media_type="image/png")) == 3


def test_texts_are_found_wherever_they_stand() -> None:
    """In data each by itself, keys too."""
    nested = data({"a": ["b", {"c": "d"}, 1, None, True]})
    file = Part(raw=b"bytes", filename="name")

    assert list(part_texts(Part(text="a text"))) == ["a text"]
    assert sorted(part_texts(nested)) == ["a", "b", "c", "d"]
    assert list(part_texts(file)) == ["name"]
    assert list(part_texts(Part(url="https://a", filename="n"))) == ["n", "https://a"]


def test_what_has_no_form_in_json_cannot_be_read() -> None:
    """NaN, and a part of no known kind."""
    nan = Struct()
    nan.fields["a"].number_value = float("nan")

    for part in (Part(), Part(data=Value(number_value=float("inf")))):
        with pytest.raises(Unreadable):
            part_size(part)
    with pytest.raises(Unreadable):
        data_of(nan)
    assert data_of(ParseDict({"a": "b"}, Struct())) == {"a": "b"}


def test_metadata_that_is_not_there_measures_nothing() -> None:
    """And what is there, as JSON."""
    assert json_size({}) == 0
    assert json_size({"\u00e9": [1, 2]}) == len('{"\u00e9":[1,2]}'.encode())
