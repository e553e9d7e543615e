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
    ],
)
def test_a_text_that_can_not_be_decoded_is_left_alone(data: bytes) -> None:
    growth = grow(data, wanted(EVENT), {})
    assert growth.data is data
    assert "cannot be decoded" in growth.notes[0].reason


def test_an_encoding_that_hides_line_ends_is_left_alone() -> None:
    data = b"# coding: unicode_escape\nx = '\\n'\n"
    assert "hides line ends" in grow(data, wanted(EVENT), {}).notes[0].reason


def test_the_line_is_told() -> None:
    twice = grow(b"x = 1\nclass HouseStyle: ...\nHouseStyle = 1\n", wanted(EVENT), {})
    assert twice.notes[0].line == 2
    broken = grow(b"x = 1\nclass HouseStyle\n", wanted(EVENT), {})
    assert broken.notes[0].line == 2


def test_only_news_is_asked_for() -> None:
    new = stub("after_agent", "New.")
    growth = grow(b"", wanted(EVENT, new), recorded(EVENT, AFTER))
    assert kinds(growth) == {"after_agent": NoteKind.UNSEEN}
    assert growth.stubs == recorded(EVENT, AFTER)


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        (
            (
                "from mine import Mixin\nclass HouseStyle(Mixin, contract.Hooks):\n"
                "    x = 1\n"
            ),
            NoteKind.UNSEEN,
            "the base class Mixin may have it",
        ),
        (
            "class HouseStyle(*bases):\n    x = 1\n",
            NoteKind.UNSEEN,
            "the base class bases may have it",
        ),
        (
            "class HouseStyle(make(1), other.Mixin[int]): x = 1\n",
            NoteKind.UNSEEN,
            "the base class make(1) may have it",
        ),
        (
            "class A(far.B): ...\nclass HouseStyle(A):\n    x = 1\n",
            NoteKind.UNSEEN,
            "the base class far.B may have it",
        ),
        (
            (
                "class A:\n    after_event = None\nclass B(A): ...\n"
                "class HouseStyle(B, contract.Hooks):\n    x = 1\n"
            ),
            NoteKind.EDITED,
            "inherited from a base class",
        ),
        (
            "class HouseStyle:\n    alias = after_event\n",
            NoteKind.UNSEEN,
            "the class uses this name of something else",
        ),
        (
            "class HouseStyle:\n    @after_event\n    def f(self): ...\n",
            NoteKind.UNSEEN,
            "the class uses this name of something else",
        ),
        (
            "class HouseStyle:   \\\n  pass\n",
            NoteKind.UNSEEN,
            "the class body is on the line of its class",
        ),
        (
            "if x:\n\ty\nclass HouseStyle: pass\n",
            NoteKind.UNSEEN,
            "the class body is on the line of its class",
        ),
    ],
)
def test_a_method_that_is_not_safe_to_add_is_asked_for(
    text: str, kind: NoteKind, reason: str
) -> None:
    growth = grow(text.encode(), wanted(EVENT), {})
    (note,) = growth.notes
    assert growth.data.decode() == text
    assert (note.kind, note.reason) == (kind, reason)
    assert note.text == EVENT.text
    assert growth.stubs == {}


@pytest.mark.parametrize(
    "text",
    [
        (
            "class A(A): x = 1\nclass HouseStyle(A, contract.Hooks, Generic[T]):\n"
            "    x = 1\n"
        ),
        (
            "class HouseStyle(HouseStyle, Protocol):\n"
            "    def f(self, after_event=1): ...\n"
        ),
        "class HouseStyle(abc.ABC, metaclass=after_event):\n    x.after_event = 1\n",
        "class HouseStyle:\n    def f(self):\n        after_event = 1\n",
        (
            "class HouseStyle:\n    f = lambda after_event: f(after_event=1)\n"
            "    class A:\n        after_event = 1\n"
        ),
    ],
)
def test_names_of_other_scopes_do_not_matter(text: str) -> None:
    growth = grow(text.encode(), wanted(EVENT), {})
    assert kinds(growth) == {"after_event": NoteKind.INSERTED}


def test_a_character_that_the_file_lacks_is_asked_for() -> None:
    data = f"# coding: latin-1\n{HEAD}".encode("latin-1")
    arrow = stub("after_event", "Runs \N{RIGHTWARDS ARROW} here.")
    growth = grow(data, wanted(arrow, AFTER), {})
    assert kinds(growth) == {
        "after_event": NoteKind.UNSEEN,
        "after_agent": NoteKind.INSERTED,
    }
    assert growth.notes[0].reason == "iso-8859-1 lacks one of its characters"
    assert growth.stubs == recorded(AFTER)


def test_an_edit_that_does_not_read_back_is_not_made() -> None:
    broken = Stub(name="after_event", text="    def after_event(self:\n")
    data = HEAD.encode()
    growth = grow(data, wanted(broken, AFTER), {})
    assert growth.data is data
    assert {note.reason for note in growth.notes} == {"the edit would not read back"}
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
    assert kinds(growth) == {"after_event": NoteKind.UNSEEN}
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
