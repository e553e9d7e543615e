"""Rewrites files that are text; what becomes of others is the recipe's to say."""

import json
from collections.abc import Callable
from typing import Literal, TypeAlias
from urllib.parse import unquote

from a2a.types import Part

from .walking import Rewrite, free_key

__all__ = ["FileRule", "file_rewriter"]

FileRule: TypeAlias = Literal["drop", "pass"]

_WITHHELD = "[file withheld]"
_KINDS = ("application/json", "application/xml", "application/yaml")
_SUFFIXES = ("+json", "+xml", "+yaml")

_Json: TypeAlias = "dict[str, _Json] | list[_Json] | str | int | float | None"


def file_rewriter(rewrite: Rewrite, others: FileRule) -> Callable[[Part], None]:
    """Make what rewrites a part that is a file.

    A file is text by the media type that it declares. An address is rewritten as
    it stands, and by what is percent-encoded in it.

    Args:
        rewrite: Rewrites a text.
        others: What becomes of a file that isn't text: `drop` puts a note in its
            place, `pass` lets it out as it is.
    """

    def rewrite_file(part: Part) -> None:
        if part.WhichOneof("content") == "url" and part.url[:5].lower() != "data:":
            part.url = _rewritten_address(part.url, rewrite)
            return
        text = _text_of(part)
        if text is not None:
            part.raw = _rewritten(text, part.media_type, rewrite).encode()
        elif others == "drop":
            part.text = _WITHHELD
            part.media_type = ""

    return rewrite_file


def _rewritten_address(address: str, rewrite: Rewrite) -> str:
    plain = unquote(address)
    rewritten = rewrite(plain)
    return rewrite(address) if rewritten == plain else rewritten


def _text_of(part: Part) -> str | None:
    """Give the text of a file in UTF-8; None if it isn't one, or an address."""
    kind = part.media_type.partition(";")[0].strip().lower()
    if not (kind.startswith("text/") or kind in _KINDS or kind.endswith(_SUFFIXES)):
        return None
    if part.WhichOneof("content") != "raw":
        return None
    try:
        text = part.raw.decode()
    except UnicodeDecodeError:
        return None
    # In UTF-16 every second byte of a plain text is zero, and it is UTF-8 as well.
    return None if "\0" in text else text


def _rewritten(text: str, media_type: str, rewrite: Rewrite) -> str:
    if "json" not in media_type.lower():
        return rewrite(text)
    # In JSON any character may be written as an escape.
    try:
        data: _Json = json.loads(text)
        walked = _walked(data, rewrite)
    except (ValueError, RecursionError):
        return rewrite(text)
    return text if walked == data else json.dumps(walked, ensure_ascii=False)


def _walked(node: _Json, rewrite: Rewrite) -> _Json:
    if isinstance(node, str):
        return rewrite(node)
    if isinstance(node, dict):
        walked: dict[str, _Json] = {}
        for key, value in node.items():
            walked[free_key(rewrite(key), walked)] = _walked(value, rewrite)
        return walked
    if isinstance(node, list):
        return [_walked(item, rewrite) for item in node]
    if isinstance(node, bool) or node is None:
        return node
    rewritten = rewrite(str(node))
    return node if rewritten == str(node) else rewritten
