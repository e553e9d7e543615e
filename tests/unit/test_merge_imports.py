"""A test or another module of the user's follows the hooks that it imports."""

from dataclasses import replace

import pytest
from tests.merge.snippets import NEWER

from interceptgen.merge import Note, NoteKind, Rename, rename_imports

RENAME = Rename(
    contracts="orders.service.contracts",
    old_module="house_style",
    new_module="tone",
    old_class="HouseStyle",
    new_class="Tone",
)


def renamed(text: str) -> tuple[str, list[str]]:
    """Rename in UTF-8; give the text and the lines that are told."""
    result = rename_imports(text.encode(), RENAME)
    return result.data.decode(), [f"{note.line}: {note.text}" for note in result.notes]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from orders.hooks.house_style import HouseStyle\nx = HouseStyle()\n",
            "from orders.hooks.tone import Tone\nx = Tone()\n",
        ),
        (
            "from orders.hooks.house_style import HouseStyle as H\nx = H.HouseStyles\n",
            "from orders.hooks.tone import Tone as H\nx = H.HouseStyles\n",
        ),
        (
            "from orders.hooks import quota, house_style\nhouse_style.x(house_style)\n",
            "from orders.hooks import quota, tone\ntone.x(tone)\n",
        ),
        (
            "from orders.hooks import house_style as h\nh.house_style\n",
            "from orders.hooks import tone as h\nh.house_style\n",
        ),
        (
            "from orders.service.contracts import house_style as contract\n",
            "from orders.service.contracts import tone as contract\n",
        ),
        (
            "from orders.service.contracts.house_style import Hooks\n",
            "from orders.service.contracts.tone import Hooks\n",
        ),
        (
            "from orders.hooks.house_style import *\n",
            "from orders.hooks.tone import *\n",
        ),
        (
            "import os; from orders.hooks.house_style import HouseStyle as H, other\n",
            "import os; from orders.hooks.tone import Tone as H, other\n",
        ),
        (
            "from orders.hooks import house_style\ndef f(house_style): house_style.x\n",
            "from orders.hooks import tone\ndef f(house_style): house_style.x\n",
        ),
        (
            "from orders.hooks.house_style import HouseStyle\nx: 'HouseStyle'\n",
            "from orders.hooks.tone import Tone\nx: 'Tone'\n",
        ),
        (
            "from orders.hooks import house_style\ndef f():\n    house_style.x\n",
            "from orders.hooks import tone\ndef f():\n    tone.x\n",
        ),
    ],
)
def test_what_is_imported_has_its_new_name(before: str, after: str) -> None:
    assert renamed(before) == (after, [])


@pytest.mark.parametrize(
    "text",
    [
        "from bills.hooks import house_style\nhouse_style.x\n",
        "from bills.hooks.house_style import x\n",
        "from orders.hooks.quota import house_style\n",
        "from orders import hooks, house_style\n",
        "from orders.house_style import x\n",
        "from .hooks import house_style\n",
        "from . import house_style\n",
        "from orders.hooks.house_style.deep import x\n",
        "import orders.hooks.house_style\n",
        "import house_style\n",
        "from house_style import x\n",
        "from orders.hooks.quota import *\n",
        "from xorders.hooks import house_style\n",
        "house_style = 1\n",
        "if True:\n    from orders.hooks import house_style\n",
        "",
    ],
)
def test_what_is_not_the_hooks_has_its_name(text: str) -> None:
    assert renamed(text) == (text, [])


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "from orders.hooks.house_style import HouseStyle\nx = 'HouseStyle'\n",
            "from orders.hooks.tone import Tone\nx = 'HouseStyle'\n",
            ["2: x = 'HouseStyle'"],
        ),
        (
            "from bills.hooks.house_style import HouseStyle\nif 1:\n  1 # HouseStyle\n",
            "from bills.hooks.house_style import HouseStyle\nif 1:\n  1 # HouseStyle\n",
            [
                "1: from bills.hooks.house_style import HouseStyle",
                "3: 1 # HouseStyle",
            ],
        ),
        (
            # Bound once more: which one a use means can't be proved.
            "from orders.hooks.house_style import HouseStyle\nHouseStyle = 1\n",
            "from orders.hooks.tone import Tone\nHouseStyle = 1\n",
            ["2: HouseStyle = 1"],
        ),
        (
            "from .house_style import HouseStyle\n",
            "from .house_style import HouseStyle\n",
            ["1: from .house_style import HouseStyle"],
        ),
        ("# MyHouseStyle, HouseStyles\n", "# MyHouseStyle, HouseStyles\n", []),
    ],
)
def test_what_can_not_be_proved_is_told(
    before: str, after: str, told: list[str]
) -> None:
    assert renamed(before) == (after, told)


def test_a_use_of_a_name_that_is_bound_twice_is_left() -> None:
    tail = "house_style = house_style\nx = house_style\n"
    assert renamed(f"from orders.hooks import house_style\n{tail}") == (
        f"from orders.hooks import tone\n{tail}",
        [],
    )


def test_what_is_told_says_why() -> None:
    (note,) = rename_imports(b"# HouseStyle", RENAME).notes
    assert note == Note(
        kind=NoteKind.UNSEEN,
        method="",
        line=1,
        text="# HouseStyle",
        reason="still names HouseStyle",
    )


@pytest.mark.parametrize(
    ("data", "line", "reason"),
    [
        (b"x = '\xff'\n", 1, "the text cannot be decoded"),
        (b"x = 1\ny = = 2\n", 2, "the file does not parse"),
        (b"\n(" + b"(" * 2000, 1, "the file is nested too deep"),
        (b"\nx = " + b"-" * 3000 + b"1\n", 1, "the file is nested too deep"),
    ],
)
def test_what_can_not_be_read_is_left(data: bytes, line: int, reason: str) -> None:
    result = rename_imports(data, RENAME)
    assert result.data == data
    (note,) = result.notes
    assert (note.kind, note.method, note.line, note.text) == (
        NoteKind.UNSEEN,
        "",
        line,
        "",
    )
    assert note.reason.startswith(reason)


def test_bytes_around_a_name_stay() -> None:
    before = (
        b"\xef\xbb\xbffrom orders.hooks import house_style \r\n"
        b"\xc3\xa4 = ('\xc3\xa4', house_style)\t# \xc3\xa4"
    )
    after = before.replace(b"house_style", b"tone")
    assert rename_imports(before, RENAME).data == after


def test_a_class_that_keeps_its_name_is_not_told() -> None:
    same = replace(RENAME, new_class="HouseStyle")
    result = rename_imports(
        b"from orders.hooks.house_style import HouseStyle\n# HouseStyle\n", same
    )
    assert result.data == (b"from orders.hooks.tone import HouseStyle\n# HouseStyle\n")
    assert result.notes == ()


def test_a_new_name_that_is_in_use_stops_the_rename() -> None:
    text = "from orders.hooks.house_style import HouseStyle\n\nTone = HouseStyle\n"
    result = rename_imports(text.encode(), RENAME)
    assert result.data == text.encode()
    assert [(note.line, note.text, note.reason) for note in result.notes] == [
        (3, "", "Tone is in use"),
        (1, text.partition("\n")[0], "still names HouseStyle"),
        (3, "Tone = HouseStyle", "still names HouseStyle"),
    ]
    assert {note.kind for note in result.notes} == {NoteKind.UNSEEN}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from orders.hooks.house_style import HouseStyle as H\nTone = tone = 1\n",
            "from orders.hooks.tone import Tone as H\nTone = tone = 1\n",
        ),
        (
            "from orders.hooks import house_style\nTone = 1\n",
            "from orders.hooks import tone\nTone = 1\n",
        ),
    ],
)
def test_a_name_that_the_module_does_not_get_may_be_in_use(
    before: str, after: str
) -> None:
    assert renamed(before) == (after, [])


@pytest.mark.parametrize("newer", ["", *NEWER.values()], ids=["", *NEWER])
def test_a_new_name_that_can_not_be_read_is_not_put_in(newer: str) -> None:
    odd = replace(RENAME, new_module="to ne")
    text = f"{newer}from orders.hooks.house_style import HouseStyle\n"
    result = rename_imports(text.encode(), odd)
    assert result.data == text.encode()
    assert [note.reason for note in result.notes] == ["still names HouseStyle"]


def test_a_new_name_that_is_a_word_of_the_language_is_not_put_in() -> None:
    odd = replace(RENAME, new_class="__debug__")
    text = b"from orders.hooks.house_style import HouseStyle\n"
    assert rename_imports(text, odd).data == text


def test_a_class_that_keeps_its_name_is_not_in_its_own_way() -> None:
    same = replace(RENAME, new_class="HouseStyle")
    text = b"from orders.hooks.house_style import HouseStyle\nHouseStyle()\n"
    assert rename_imports(text, same).data == text.replace(b"house_style", b"tone")
