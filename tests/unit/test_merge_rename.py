"""A renamed interceptor takes its module along, and nothing else changes."""

from dataclasses import replace

import pytest
from tests.merge.samples import AFTER, EVENT, emitted
from tests.merge.snippets import NEWER

from interceptgen.merge import NoteKind, Rename, rename_class

RENAME = Rename(
    contracts="orders.service.contracts",
    old_module="house_style",
    new_module="tone",
    old_class="HouseStyle",
    new_class="Tone",
)
IMPORT = "from orders.service.contracts import house_style as contract\n"


def renamed(text: str) -> tuple[str, list[str]]:
    """Rename in UTF-8; give the text and the lines of the notes."""
    result = rename_class(text.encode(), RENAME)
    assert all(note.kind is NoteKind.UNSEEN for note in result.notes)
    return result.data.decode(), [f"{note.line}: {note.text}" for note in result.notes]


def test_an_emitted_module() -> None:
    text = emitted(EVENT, AFTER)
    expected = text.replace("import house_style", "import tone").replace(
        "HouseStyle", "Tone"
    )
    assert renamed(text) == (expected, [])


def test_there_and_back() -> None:
    text = f"{emitted(EVENT)}\nx: HouseStyle = HouseStyle()  # end"
    back = Rename(
        contracts=RENAME.contracts,
        old_module="tone",
        new_module="house_style",
        old_class="Tone",
        new_class="HouseStyle",
    )
    there = rename_class(text.encode(), RENAME)
    assert rename_class(there.data, back).data == text.encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = HouseStyle()\n", "x = Tone()\n"),
        ("x = HouseStyle.y.HouseStyle\n", "x = Tone.y.HouseStyle\n"),
        ("f(HouseStyle=HouseStyle)\n", "f(HouseStyle=Tone)\n"),
        (
            "def f(a: HouseStyle) -> 'HouseStyle': ...\n",
            "def f(a: Tone) -> 'Tone': ...\n",
        ),
        (
            "def f(HouseStyle): return HouseStyle\n",
            "def f(HouseStyle): return HouseStyle\n",
        ),
        (
            "x = [HouseStyle for HouseStyle in y]\n",
            "x = [HouseStyle for HouseStyle in y]\n",
        ),
        ("x = 'ä', HouseStyle, HouseStyle\n", "x = 'ä', Tone, Tone\n"),
        ("print(f'{HouseStyle}')\n", "print(f'{Tone}')\n"),
        ("def f():\n    return HouseStyle\n", "def f():\n    return Tone\n"),
        ("\fx = HouseStyle\n", "\fx = Tone\n"),
        ("class A(HouseStyle): ...\n", "class A(Tone): ...\n"),
        ("x = HouseStyleish, AHouseStyle\n", "x = HouseStyleish, AHouseStyle\n"),
        ("__all__ = ['HouseStyle']\n", "__all__ = ['HouseStyle']\n"),
        ("x: list['HouseStyle']\n", "x: list['Tone']\n"),
        ("x: 'list[HouseStyle]'\n", "x: 'list[HouseStyle]'\n"),
        ("# HouseStyle\n", "# HouseStyle\n"),
    ],
)
def test_names_that_are_the_class_change(before: str, after: str) -> None:
    head = f"{IMPORT}class HouseStyle:\n    x = 1\n"
    new = head.replace("house_style", "tone").replace("HouseStyle", "Tone")
    text, notes = renamed(head + before)
    assert text == new + after
    left = [line for line in after.split("\n") if "HouseStyle" in line]
    left = [line for line in left if "HouseStyleish" not in line]
    assert notes == [f"4: {line.strip()}" for line in left]


def test_the_class_names_itself() -> None:
    text = (
        f"{IMPORT}class HouseStyle(contract.Hooks):\n    def f(self) -> 'HouseStyle':\n"
        "        return super(HouseStyle, self).f()\n"
    )
    expected = text.replace("house_style", "tone").replace("HouseStyle", "Tone")
    assert renamed(text) == (expected, [])


@pytest.mark.parametrize(
    "line",
    [
        "from orders.service.contracts import house_style\n",
        "from orders.service.contracts import house_style as c\n",
        "from orders.service.contracts import (house_style as contract)\n",
        "from orders.service.contracts import house_style as contract, b\n",
        "from other.service.contracts import house_style as contract\n",
        "import x; from orders.service.contracts import house_style as contract\n",
        "if x:\n    from orders.service.contracts import house_style as contract\n",
        "",
    ],
)
def test_an_import_of_the_users_is_asked_for(line: str) -> None:
    text, notes = renamed(f"{line}class HouseStyle: ...\n")
    assert text == f"{line}class Tone: ...\n"
    assert notes == ["1: from orders.service.contracts import tone as contract"]


def test_an_import_keeps_what_stands_behind_it() -> None:
    text = f"{IMPORT[:-1]}  # noqa\r\nclass HouseStyle: ...\r\n"
    expected = text.replace("house_style", "tone").replace("HouseStyle", "Tone")
    assert renamed(text) == (expected, [])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("class Other: ...\n", "there is no class HouseStyle"),
        ("if x:\n    class HouseStyle: ...\n", "HouseStyle is no plain class"),
        ("class HouseStyle: ...\nTone = 1\n", "Tone is in use"),
        ("class HouseStyle\n", "the file does not parse"),
        (
            "# coding: x\nclass HouseStyle: ...\n",
            "the text cannot be decoded (unknown encoding: x)",
        ),
        (
            "class HouseStyle: ...\nx = " + "-" * 3000 + "1\n",
            "the file is nested too deep",
        ),
    ],
)
def test_what_is_not_sure_is_left(text: str, reason: str) -> None:
    result = rename_class(text.encode(), RENAME)
    (note,) = result.notes
    assert result.data.decode() == text
    assert (note.method, note.text) == ("", "class Tone")
    assert note.reason == reason


def test_a_new_name_that_does_not_read_back_is_left() -> None:
    bad = Rename(
        contracts="a", old_module="b", new_module="c", old_class="A", new_class="1"
    )
    result = rename_class(b"\nclass A: ...\n", bad)
    assert result.data == b"\nclass A: ...\n"
    (note,) = result.notes
    assert (note.line, note.reason) == (2, "the edit would not read back")


@pytest.mark.parametrize("newer", ["", *NEWER.values()], ids=["", *NEWER])
def test_a_class_that_gets_a_name_that_moves_a_method_is_left(newer: str) -> None:
    text = f"{newer}class HouseStyle:\n    x = 1\n    y = 2\n"
    odd = replace(RENAME, new_class="Tone:\n    pass\nclass T")
    assert rename_class(text.encode(), odd).data == text.encode()


def test_only_the_module_may_change() -> None:
    same = Rename(
        contracts="orders.service.contracts",
        old_module="house_style",
        new_module="house__style",
        old_class="HouseStyle",
        new_class="HouseStyle",
    )
    text = f"{IMPORT}class HouseStyle: ...\nx = HouseStyle\n"
    result = rename_class(text.encode(), same)
    assert result.data.decode() == text.replace("house_style", "house__style")
    assert result.notes == ()


def test_other_encodings() -> None:
    head = "\ufeff" + IMPORT + "class HouseStyle: ...\nx = '\xe4', HouseStyle\n"
    expected = head.replace("house_style", "tone").replace("HouseStyle", "Tone")
    assert rename_class(head.encode(), RENAME).data == expected.encode()
    cookie = head.replace("\ufeff", "# coding: latin-1\n").encode("latin-1")
    done = expected.replace("\ufeff", "# coding: latin-1\n").encode("latin-1")
    assert rename_class(cookie, RENAME).data == done


def test_tabs_and_spaces_in_one_file() -> None:
    body = "  x = 1\n  def f(self):\n\t\t return HouseStyle, 'ä', HouseStyle\n"
    text = f"{IMPORT}class HouseStyle:\n{body}"
    expected = text.replace("house_style", "tone").replace("HouseStyle", "Tone")
    assert renamed(text) == (expected, [])
