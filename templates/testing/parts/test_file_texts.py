"""Files that are text are rewritten as texts are; others as the recipe says."""

import json

import pytest
from a2a.types import Part

from runtime.recipes.redaction.file_texts import FileRule, file_rewriter


def rewritten(part: Part, others: FileRule = "drop") -> Part:
    """Rewrite `bad` to `ok` in a part."""
    file_rewriter(lambda text: text.replace("bad", "ok"), others)(part)
    return part


def left(content: str, media_type: str) -> str:
    """Give what leaves of a file."""
    part = Part(raw=content.encode(), media_type=media_type)
    return rewritten(part).raw.decode()


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain",
        "TEXT/HTML; charset=utf-8",
        "application/json",
        "application/xml",
        "application/yaml",
        "image/svg+xml",
        "application/x+json",
        "application/x+yaml",
    ],
)
def test_a_file_of_text_is_rewritten(media_type: str) -> None:
    """By the media type that it declares."""
    assert left("so bad", media_type) == "so ok"


@pytest.mark.parametrize(
    "part",
    [
        Part(raw=b"bad", media_type="image/png"),
        Part(raw=b"bad"),
        Part(raw=b"bad\xff", media_type="text/plain"),
        Part(raw="bad".encode("utf-16-le"), media_type="text/plain"),
        Part(url="data:text/plain,bad", media_type="text/plain"),
        Part(url="DATA:text/plain,bad"),
    ],
    ids=["image", "untyped", "bytes", "utf-16", "address", "bare address"],
)
def test_another_file_is_withheld_or_left_as_it_is(part: Part) -> None:
    """It can't be searched."""
    before = Part.FromString(part.SerializeToString())

    assert rewritten(part, "pass") == before
    assert rewritten(part, "drop") == Part(text="[file withheld]")


@pytest.mark.parametrize(
    ("address", "leaves"),
    [
        ("https://a.example/bad", "https://a.example/ok"),
        ("https://a.example/%62ad?a=%20", "https://a.example/ok?a= "),
        ("https://a.example/%20", "https://a.example/%20"),
    ],
)
def test_an_address_is_rewritten_as_it_reads(address: str, leaves: str) -> None:
    """Also by what is percent-encoded in it."""
    assert rewritten(Part(url=address)) == Part(url=leaves)


def test_json_is_rewritten_by_its_values() -> None:
    """Any character may be written as an escape there."""
    data = {"a": ["b\u00e4d bad", 1, 2.5, True, None], "bad": {"ok": 1}, "n": "bad"}
    text = json.dumps(data).replace("bad", "\\u0062ad")

    found = left(text, "application/json")

    assert json.loads(found) == {
        "a": ["b\u00e4d ok", 1, 2.5, True, None],
        "ok": {"ok": 1},
        "n": "ok",
    }
    assert "\u00e4" in found
    assert json.loads(left('{"ok": 1, "bad": 2}', "text/json")) == {
        "ok": 1,
        "ok (2)": 2,
    }


def test_json_that_holds_nothing_stays_as_it_is_written() -> None:
    """To the last blank; what only claims to be JSON is a text."""
    assert left('{ "a":1 }', "application/json") == '{ "a":1 }'
    assert left("{bad", "application/json") == "{ok"
    assert left("[" * 100_000 + "bad", "application/json").endswith("[ok")


def test_a_number_is_rewritten_as_its_digits() -> None:
    """A card may be written as one."""
    part = Part(raw=b"[4711, 1.5, true]", media_type="application/json")

    file_rewriter(
        lambda text: "x" if text in ("4711", "1.5", "True") else text, "drop"
    )(part)

    assert json.loads(part.raw) == ["x", "x", True]
