"""Measures and reads what a part of a message holds, once it is decoded."""

import json
from collections.abc import Iterator, Mapping

from a2a.types import Part
from google.protobuf.json_format import Error, MessageToDict
from google.protobuf.struct_pb2 import Struct, Value

__all__ = [
    "Unreadable",
    "content_size",
    "data_of",
    "json_size",
    "media_type_of",
    "part_size",
    "part_texts",
]


class Unreadable(ValueError):
    """A part is of no known kind, or holds what JSON has no form for."""


def part_size(part: Part) -> int:
    """Give the bytes of a part: its content decoded, its names and its metadata.

    Text counts in UTF-8, a file as it is, data as JSON without white space.

    Raises:
        Unreadable: If the content is of no known kind, or can't be written as JSON.
    """
    around = len(part.filename.encode()) + len(part.media_type.encode())
    return content_size(part) + around + json_size(data_of(part.metadata))


def content_size(part: Part) -> int:
    """Give the bytes of what a part holds, decoded, without its names.

    Raises:
        Unreadable: If the content is of no known kind, or can't be written as JSON.
    """
    match part.WhichOneof("content"):
        case "text":
            return len(part.text.encode())
        case "raw":
            return len(part.raw)
        case "url":
            return len(part.url.encode())
        case "data":
            return _data_size(part.data)
        case _:
            raise Unreadable


def media_type_of(part: Part) -> str:
    """Give the media type that a part declares, or else what its kind is written as."""
    written = {"text": "text/plain", "data": "application/json"}
    return part.media_type or written.get(part.WhichOneof("content") or "", "")


def json_size(data: Mapping[str, object]) -> int:
    """Give the bytes of metadata as JSON; none for metadata that isn't there."""
    return _size(data) if data else 0


def data_of(struct: Struct) -> dict[str, object]:
    """Give metadata as JSON's types.

    Raises:
        Unreadable: If they hold what JSON has no form for, such as NaN.
    """
    try:
        return MessageToDict(struct)
    except (Error, ValueError) as error:
        raise Unreadable from error


def part_texts(part: Part) -> Iterator[str]:
    """Give the texts of a part: text, data as JSON, an address, the file's name."""
    if part.filename:
        yield part.filename
    match part.WhichOneof("content"):
        case "text":
            yield part.text
        case "url":
            yield part.url
        case "data":
            yield from _strings(part.data)
        case _:
            pass


def _strings(value: Value) -> Iterator[str]:
    # Each text by itself: in JSON a quote or a line break is another text.
    match value.WhichOneof("kind"):
        case "string_value":
            yield value.string_value
        case "list_value":
            for item in value.list_value.values:
                yield from _strings(item)
        case "struct_value":
            for key, item in value.struct_value.fields.items():
                yield key
                yield from _strings(item)
        case _:
            pass


def _data_size(value: Value) -> int:
    try:
        data: object = MessageToDict(value)
    except (Error, ValueError) as error:
        raise Unreadable from error
    return _size(data)


def _size(data: object) -> int:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode())
