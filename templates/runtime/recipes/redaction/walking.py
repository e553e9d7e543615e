"""Walks all that an event of A2A holds, to rewrite its texts in place.

By the fields that are set, not by a list of them: what a later SDK adds is walked
too, and what can't be read as text is an error.
"""

from collections.abc import Callable, Container, MutableSequence
from typing import TypeAlias

from a2a.types import Part
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct, Value

__all__ = ["Rewrite", "RewriteParts", "Unreadable", "Walker", "free_key", "number_text"]

Rewrite: TypeAlias = Callable[[str], str]
RewriteParts: TypeAlias = Callable[[MutableSequence[Part]], None]


class Unreadable(ValueError):
    """Something was to leave that can't be searched."""


# By these things are found again; the SDK and ADK make them, or the caller did.
_IDS = frozenset({"id", "task_id", "context_id", "message_id", "artifact_id"})
_CALLS = frozenset({"function_call", "function_response"})


class Walker:
    """Rewrites all texts but ids: names, addresses, data and their keys, metadata."""

    def __init__(self, rewrite: Rewrite, rewrite_file: Callable[[Part], None]) -> None:
        """Rewrite texts and files by these."""
        self._rewrite = rewrite
        self._rewrite_file = rewrite_file

    def walk(self, message: Message, rewrite_parts: RewriteParts) -> None:
        """Rewrite a message of any kind in place.

        Args:
            message: An event of A2A, or what is in one.
            rewrite_parts: Rewrites the texts in the parts of a message or artifact,
                which may be one text in pieces.

        Raises:
            Unreadable: If it holds something of no known kind.
        """
        for field, value in message.ListFields():
            if field.name in _IDS:
                continue
            if isinstance(value, str):
                setattr(message, field.name, self._rewrite(value))
            elif isinstance(value, Struct):
                self._walk_struct(value)
            elif isinstance(value, Message):
                self.walk(value, rewrite_parts)
            elif field.name == "parts":
                for part in value:
                    self._walk_part(part)
                rewrite_parts(value)
            elif isinstance(value, bytes):
                raise Unreadable(field.full_name)
            elif not isinstance(value, bool | int | float):
                self._walk_all(value, rewrite_parts)

    def _walk_all(
        self, items: MutableSequence[object], rewrite_parts: RewriteParts
    ) -> None:
        for index, item in enumerate(items):
            if isinstance(item, Message):
                self.walk(item, rewrite_parts)
            elif isinstance(item, str):
                items[index] = self._rewrite(item)
            else:
                raise Unreadable(type(item).__name__)

    def _walk_part(self, part: Part) -> None:
        """Rewrite all of a part but its text."""
        part.filename = self._rewrite(part.filename)
        part.media_type = self._rewrite(part.media_type)
        match part.WhichOneof("content"):
            case "text":
                pass
            case "data":
                self._walk_value(part.data, _id_of_call(part))
            case "raw" | "url":
                self._rewrite_file(part)
            case kind:
                raise Unreadable(f"a part that holds {kind}")
        if part.HasField("metadata"):
            self._walk_struct(part.metadata)

    def _walk_value(self, value: Value, kept: str | None = None) -> None:
        match value.WhichOneof("kind"):
            case "string_value":
                value.string_value = self._rewrite(value.string_value)
            case "number_value":
                text = number_text(value.number_value)
                if (rewritten := self._rewrite(text)) != text:
                    value.string_value = rewritten
            case "struct_value":
                self._walk_struct(value.struct_value, kept)
            case "list_value":
                for item in value.list_value.values:
                    self._walk_value(item)
            case _:
                pass

    def _walk_struct(self, struct: Struct, kept: str | None = None) -> None:
        # In their order, which isn't the order of the map, names for taken keys repeat.
        for key in sorted(struct.fields):
            if key != kept:
                self._walk_value(struct.fields[key])
            if (rewritten := self._rewrite(key)) != key:
                free = free_key(rewritten, struct.fields)
                struct.fields[free].CopyFrom(struct.fields[key])
                del struct.fields[key]


def free_key(key: str, taken: Container[str]) -> str:
    """Give the key, or with a number if it is taken: two may look alike, masked."""
    free, number = key, 2
    while free in taken:
        free, number = f"{key} ({number})", number + 1
    return free


def number_text(number: float) -> str:
    """Write a number as a person would: all are floats in A2A's data."""
    return str(int(number)) if number.is_integer() else str(number)


def _id_of_call(part: Part) -> str | None:
    """Give the key of what an answer refers to, in a call of a function."""
    key = "adk_type"
    # Reading a missing key would put it there.
    if key not in part.metadata.fields:
        return None
    return "id" if part.metadata.fields[key].string_value in _CALLS else None
