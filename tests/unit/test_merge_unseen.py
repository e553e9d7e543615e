"""What can't be told from the source is left alone, and asked for."""

import libcst as cst
import pytest
from tests.merge.samples import AFTER, EVENT, HEAD, kinds, recorded, stub, wanted

from interceptgen.files import Stub
from interceptgen.merge import NoteKind, grow

BODY = "    x = 1\n"

WHOLE = {
    "there is no class HouseStyle": [
        "",
        "\n",
        "# nothing\n",
        "class Other:\n    pass\n",
        "def f():\n    class HouseStyle: ...\n",
        "class A:\n    class HouseStyle: ...\n",
        "HouseStyle.x = 1\nHouseStyle[1] = 2\nf(HouseStyle=1)\n",
        "import a.HouseStyle\nfrom HouseStyle import b\n",
    ],
    "HouseStyle is no plain class": [
        "HouseStyle = type('HouseStyle', (), {})\n",
        "if x:\n    class HouseStyle: ...\n",
        "try:\n    class HouseStyle: ...\nexcept E:\n    pass\n",
        "from mine import HouseStyle\n",
        "from mine import Style as HouseStyle\n",
        "import HouseStyle.b\n",
        "def HouseStyle(): ...\n",
        "HouseStyle: type\n",
        "HouseStyle += 1\n",
        "a, [HouseStyle, *b] = c\n",
        "*HouseStyle, b = c\n",
        "for HouseStyle in x: ...\n",
        "with x as HouseStyle: ...\n",
        "try:\n    x\nexcept E as HouseStyle:\n    pass\n",
        "print(HouseStyle := 1)\n",
        "del HouseStyle\n",
        "type HouseStyle = int\n",
        "match x:\n    case [HouseStyle]: ...\n",
        "match x:\n    case [*HouseStyle]: ...\n",
        "match x:\n    case {**HouseStyle}: ...\n",
        "match x:\n    case A() as HouseStyle: ...\n",
    ],
    "HouseStyle is bound twice": [
        f"class HouseStyle:\n{BODY}\nclass HouseStyle:\n{BODY}",
        f"class HouseStyle:\n{BODY}\nHouseStyle = wrap(HouseStyle)\n",
        f"if x:\n    HouseStyle = None\nclass HouseStyle:\n{BODY}",
    ],
    "the file does not parse": [
        f"class HouseStyle:\n{BODY}  y = 2\n",
        "<<<<<<< ours\nclass HouseStyle: ...\n",
        "class HouseStyle:\n    x = '\0'\n\x1a",
        "\\",
    ],
    "the file is nested too deep": [
        "(" * 30000,
        "x = " + "[" * 400 + "]" * 400 + "\n",
        "x = " + "-" * 3000 + "1\n",
        f"class HouseStyle:\n    x = {' + '.join(['1'] * 2000)}\n",
    ],
}


@pytest.mark.parametrize(
    ("text", "reason"),
    [(text, reason) for reason, texts in WHOLE.items() for text in texts],
)
def test_a_class_that_is_not_plain_is_left_alone(text: str, reason: str) -> None:
    growth = grow(text.encode(), wanted(EVENT), {})
    (note,) = growth.notes
    assert growth.data == text.encode()
    assert (note.kind, note.reason) == (NoteKind.UNSEEN, reason)
    assert (note.method, note.text) == ("after_event", EVENT.text)


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe",
        b"# coding: latin-9000\n",
        b"# coding: rot13\n",
        b"\xef\xbb\xbf# coding: latin-1\n",
        b"x = '\xe4'\n",
        # Half a character.
        b"# coding: raw_unicode_escape\nx = '\\ud800'\n",
    ],
)
def test_a_text_that_can_not_be_decoded_is_left_alone(data: bytes) -> None:
    growth = grow(data, wanted(EVENT), {})
    assert growth.data is data
    assert growth.notes[0].reason.startswith("the text cannot be decoded (")
    assert growth.notes[0].reason.endswith(")")


@pytest.mark.parametrize("end", ["\\n", "\\r"])
def test_an_encoding_that_hides_line_ends_is_left_alone(end: str) -> None:
    data = f"# coding: unicode_escape\nx = '{end}'\n".encode()
    (note,) = grow(data, wanted(EVENT), {}).notes
    assert note.reason == "unicode_escape hides line ends"


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\nclass HouseStyle: ...\nHouseStyle = 1\n",
        "x = 1\nHouseStyle = 1\n",
        "x = 1\nclass HouseStyle\n",
    ],
)
def test_the_line_is_told(text: str) -> None:
    assert grow(text.encode(), wanted(EVENT), {}).notes[0].line == 2


# Quoted ones are counted too. One more is open in the class's own line.
BRACKETS = "x = '" + "(" * 900 + ")" * 100 + "{open}" + "'\n" + HEAD


@pytest.mark.parametrize(("more", "kind"), [(199, "inserted"), (200, "unseen")])
def test_a_thousand_brackets_may_be_open(more: int, kind: str) -> None:
    text = BRACKETS.format(open="[" * more)
    (note,) = grow(text.encode(), wanted(EVENT), {}).notes
    assert note.kind == kind


@pytest.mark.parametrize("blank", ["\xa0", "\x1c", "\x0b"])
def test_a_blank_that_python_refuses_is_left_alone(blank: str) -> None:
    for line in (blank, f"{blank}\fx = 1"):
        text = f"{HEAD}    x = 1\n\n\n{line}\n"
        (note,) = grow(text.encode(), wanted(EVENT), {}).notes
        assert note.reason == "the file does not parse"


def test_only_news_is_asked_for() -> None:
    new = stub("after_agent", "New.")
    growth = grow(b"", wanted(EVENT, new), recorded(EVENT, AFTER))
    assert kinds(growth) == {"after_agent": NoteKind.UNSEEN}
    assert growth.stubs == recorded(EVENT, AFTER)


@pytest.mark.parametrize(
    "text",
    [
        "class HouseStyle:   \\\n  pass\n",
        "if x:\n\ty\nclass HouseStyle: pass\n",
    ],
)
def test_a_body_on_the_class_line_that_can_not_be_moved(text: str) -> None:
    growth = grow(text.encode(), wanted(EVENT), {})
    (note,) = growth.notes
    assert growth.data.decode() == text
    assert note.kind is NoteKind.UNSEEN
    assert note.reason == "the class body is on the line of its class"
    assert note.text == EVENT.text
    assert growth.stubs == {}


def test_a_character_that_the_file_lacks_is_asked_for() -> None:
    data = f"# coding: latin-1\n{HEAD}".encode("latin-1")
    arrow = stub("after_event", "Runs \N{RIGHTWARDS ARROW} here.")
    growth = grow(data, wanted(arrow, AFTER), {})
    assert kinds(growth) == {
        "after_event": NoteKind.UNSEEN,
        "after_agent": NoteKind.INSERTED,
    }
    assert growth.notes[0].reason == "iso-8859-1 lacks one of its characters"
    assert growth.notes[0].text == arrow.text
    assert growth.stubs == recorded(AFTER)


@pytest.mark.parametrize(
    "text",
    [
        "    def after_event(self:\n",
        # More than the one method.
        "    def after_event(self): ...\n    x = 1\n",
        "    x = 1\n    def after_event(self): ...\n",
        # Another method.
        "    def before_agent(self): ...\n",
    ],
)
def test_an_edit_that_does_not_read_back_is_not_made(text: str) -> None:
    data = HEAD.encode()
    growth = grow(data, wanted(Stub(name="after_event", text=text), AFTER), {})
    assert growth.data is data
    assert {note.reason for note in growth.notes} == {"the edit would not read back"}
    assert {note.line for note in growth.notes} == {6}
    assert growth.stubs == {}


def test_an_edit_that_does_not_compile_is_not_made() -> None:
    # It parses, but is no valid code.
    broken = Stub(name="after_event", text="    def after_event(a, a): ...\n")
    assert grow(HEAD.encode(), wanted(broken), {}).data == HEAD.encode()


def test_bytes_that_do_not_decode_and_encode_alike_are_not_moved() -> None:
    # Two codes of one character: the text tells them apart no more.
    data = b"# coding: cp932\nclass HouseStyle: pass  # \xfa\x54\n"
    growth = grow(data, wanted(EVENT), {})
    assert growth.data is data
    assert growth.notes[0].reason == "the class body is on the line of its class"
    block = data.replace(b": pass", b":\n    pass")
    there = grow(block, wanted(EVENT), {})
    assert there.data == block + b"\n" + EVENT.text.encode()


def test_a_tree_that_does_not_tell_every_line_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = cst.parse_module("x = 1\n")

    def parse(_view: str) -> cst.Module:
        return other

    monkeypatch.setattr(cst, "parse_module", parse)
    growth = grow(HEAD.encode(), wanted(EVENT), {})
    assert growth.notes[0].reason == "the parser does not reproduce the file"


def test_a_tree_that_libcst_refuses_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_view: str) -> cst.Module:
        raise cst.CSTValidationError

    monkeypatch.setattr(cst, "parse_module", refuse)
    growth = grow(HEAD.encode(), wanted(EVENT), {})
    assert growth.notes[0].reason == "the file does not parse"
