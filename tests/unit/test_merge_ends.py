"""The first and the last lines of a class and of a file are lines like others."""

import warnings

import pytest
from tests.merge.samples import (
    AFTER,
    BEFORE,
    EVENT,
    HEAD,
    ORDER,
    emitted,
    kinds,
    recorded,
    wanted,
)

from interceptgen.files import Stub
from interceptgen.merge import NoteKind, grow

USER = "    def helper(self) -> int:\n        return 1\n"


def there_and_back(text: str, new: Stub, *had: Stub) -> str:
    """Put one more method in and take it out again; give the text in between."""
    every = sorted([*had, new], key=lambda each: ORDER.index(each.name))
    grown = grow(text.encode(), wanted(*every), recorded(*had))
    assert kinds(grown) == {new.name: NoteKind.INSERTED}
    back = grow(grown.data, wanted(*had), grown.stubs)
    assert back.data.decode() == text
    return grown.data.decode()


# --- the first lines of a class ------------------------------------------------


@pytest.mark.parametrize("above", ["", "# on the class\n", "x = 1\n", "\n"])
def test_a_first_method_goes_with_the_blank_line_below(above: str) -> None:
    text = f"{above}class HouseStyle:\n{EVENT.text}\n{USER}"
    growth = grow(text.encode(), wanted(), recorded(EVENT))
    assert growth.data.decode() == f"{above}class HouseStyle:\n{USER}"


@pytest.mark.parametrize("comment", ["    # mine", "# flush left", "\t # tabs", "  #"])
def test_a_comment_above_a_first_method_keeps_its_blank_line(comment: str) -> None:
    text = f"class HouseStyle:\n{comment}\n{EVENT.text}\n{USER}"
    growth = grow(text.encode(), wanted(), recorded(EVENT))
    assert growth.data.decode() == f"class HouseStyle:\n{comment}\n\n{USER}"


@pytest.mark.parametrize("comment", ["# flush left", "        # deep"])
def test_a_comment_above_a_first_method_is_a_line_like_others(comment: str) -> None:
    text = f"class HouseStyle:\n{comment}\n{EVENT.text}"
    put = f"class HouseStyle:\n{comment}\n{BEFORE.text}{EVENT.text}"
    assert there_and_back(text, BEFORE, EVENT) == put


# --- the end of a file ---------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_emptied_class_at_the_end_of_a_file(end: str) -> None:
    text = f"class HouseStyle:\n{EVENT.text}".removesuffix("\n").replace("\n", end)
    empty = grow(text.encode(), wanted(), recorded(EVENT))
    assert empty.data.decode() == f"class HouseStyle:{end}    pass"
    back = grow(empty.data, wanted(EVENT), empty.stubs)
    assert back.data.decode() == text


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_last_line_without_an_end_gets_the_files_own(end: str) -> None:
    text = "class HouseStyle:\n    x = 1".replace("\n", end)
    put = f"\n\n{EVENT.text}".removesuffix("\n").replace("\n", end)
    assert there_and_back(text, EVENT) == text + put


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_body_on_the_class_line_at_the_end_of_a_file(end: str) -> None:
    text = f"x = 1{end}class HouseStyle: x = 1"
    growth = grow(text.encode(), wanted(EVENT), {})
    put = f"class HouseStyle:\n    x = 1\n\n{EVENT.text}".removesuffix("\n")
    assert growth.data.decode() == f"x = 1{end}" + put.replace("\n", end)


def test_a_file_without_any_line_end() -> None:
    growth = grow(b"class HouseStyle: pass", wanted(EVENT), {})
    put = f"class HouseStyle:\n    pass\n\n{EVENT.text}".removesuffix("\n")
    assert growth.data.decode() == put


# --- lines that only look like others ------------------------------------------


@pytest.mark.parametrize("line", ["X", "X\f= 1", "XX = 1", "X = 1 # X"])
def test_a_name_is_no_blank(line: str) -> None:
    text = f"{line}\n{HEAD}\n    {line}\n    {line}\n\n{line}\n"
    put = f"{line}\n{HEAD}\n    {line}\n    {line}\n\n{EVENT.text}\n{line}\n"
    assert there_and_back(text, EVENT) == put


@pytest.mark.parametrize("unit", ["    ", "\t", "  "])
@pytest.mark.parametrize("deeper", [" ", "\t"])
def test_a_deep_comment_is_the_methods_above(unit: str, deeper: str) -> None:
    mine = f"{unit}{deeper}# mine\n"
    text = (emitted(EVENT) + "    x = 1\n").replace("    ", unit)
    edited = text.replace(f"{unit}x = 1", f"{mine}{unit}x = 1")
    growth = grow(edited.encode(), wanted(), recorded(EVENT))
    assert growth.data.decode() == edited
    assert kinds(growth) == {"after_event": NoteKind.ORPHAN}


@pytest.mark.parametrize("unit", ["    ", "", "  ", "        "])
def test_a_text_is_no_comment(unit: str) -> None:
    text = f"{HEAD}\n    T = '''\n{unit}# text'''\n"
    assert there_and_back(text, EVENT) == f"{text}\n{EVENT.text}"
    above = f"{text}{EVENT.text}{text[len(HEAD) + 1 :]}"
    put = above.replace(EVENT.text, f"{BEFORE.text}{EVENT.text}")
    assert there_and_back(above, BEFORE, EVENT) == put
    put = above.replace(EVENT.text, f"{EVENT.text}{AFTER.text}")
    assert there_and_back(above, AFTER, EVENT) == put


def test_the_users_style_is_not_judged() -> None:
    text = f"{HEAD}    pattern = '\\d' is '\\d'\n"
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert there_and_back(text, AFTER)
    assert told == []
