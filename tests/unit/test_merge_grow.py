"""What the spec adds comes, what nobody touched follows, the rest stays."""

import pytest
from tests.merge.samples import (
    AFTER,
    BEFORE,
    EVENT,
    EXIT,
    HEAD,
    emitted,
    kinds,
    recorded,
    stub,
    wanted,
)

from interceptgen.files import Stub
from interceptgen.merge import NoteKind, grow

USER = "    def helper(self) -> int:\n        return 1\n"
ALL = (BEFORE, EVENT, AFTER, EXIT)


def grown(text: str, had: tuple[Stub, ...], wants: tuple[Stub, ...]) -> str:
    """Merge a module in UTF-8 and give its text."""
    return grow(text.encode(), wanted(*wants), recorded(*had)).data.decode()


# --- nothing to do -------------------------------------------------------------


@pytest.mark.parametrize("text", [emitted(EVENT), emitted(EVENT) + f"\n{USER}"])
def test_what_fits_is_left(text: str) -> None:
    data = text.encode()
    growth = grow(data, wanted(EVENT), recorded(EVENT))
    assert growth.data is data
    assert growth.notes == ()
    assert growth.stubs == recorded(EVENT)


def test_without_a_record_what_is_emitted_is_adopted() -> None:
    growth = grow(emitted(EVENT).encode(), wanted(EVENT), {})
    assert (growth.notes, growth.stubs) == ((), recorded(EVENT))


def test_a_method_of_no_record_is_nobody_elses() -> None:
    text = emitted(EVENT, AFTER)
    growth = grow(text.encode(), wanted(EVENT), recorded(EVENT))
    assert growth.data.decode() == text
    assert growth.notes == ()


# --- insertion -----------------------------------------------------------------


@pytest.mark.parametrize("new", ALL, ids=lambda each: each.name)
def test_a_method_comes_at_its_place(new: Stub) -> None:
    others = tuple(each for each in ALL if each != new)
    growth = grow(emitted(*others).encode(), wanted(*ALL), recorded(*others))
    assert growth.data.decode() == emitted(*ALL)
    assert kinds(growth) == {new.name: NoteKind.INSERTED}
    assert growth.stubs == recorded(*ALL)


@pytest.mark.parametrize("old", ALL, ids=lambda each: each.name)
def test_all_others_come_at_their_places(old: Stub) -> None:
    assert grown(emitted(old), (old,), ALL) == emitted(*ALL)


def test_a_note_tells_line_and_text() -> None:
    growth = grow(emitted(EVENT).encode(), wanted(EVENT, AFTER), recorded(EVENT))
    (note,) = growth.notes
    assert note.text == AFTER.text
    lines = growth.data.decode().splitlines()
    assert lines[note.line - 1] == "    async def after_agent("


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(HEAD, f"{HEAD}\n{EVENT.text}", id="docstring only"),
        pytest.param(
            f"{HEAD}\n{USER}", f"{HEAD}\n{USER}\n{EVENT.text}", id="end of the class"
        ),
        pytest.param(
            f"{HEAD}\n{USER}\n\nx = 1\n",
            f"{HEAD}\n{USER}\n{EVENT.text}\n\nx = 1\n",
            id="code below the class",
        ),
        pytest.param(
            f"{HEAD}\n{USER}x = 1\n",
            f"{HEAD}\n{USER}\n{EVENT.text}x = 1\n",
            id="code right below the class",
        ),
        pytest.param(
            f"{HEAD}\n{USER}    # footer\n# end\n",
            f"{HEAD}\n{USER}\n{EVENT.text}    # footer\n# end\n",
            id="comments at the end",
        ),
        pytest.param(
            f"{HEAD}\n{USER}        # deep\n",
            f"{HEAD}\n{USER}        # deep\n\n{EVENT.text}",
            id="a comment in the last method",
        ),
        pytest.param(
            f"class HouseStyle:\n{USER}",
            f"class HouseStyle:\n{USER}\n{EVENT.text}",
            id="no docstring",
        ),
        pytest.param(
            "class HouseStyle:\n    ...\n",
            f"class HouseStyle:\n    ...\n\n{EVENT.text}",
            id="ellipsis",
        ),
        pytest.param(
            "class HouseStyle(object, metaclass=type):\n    pass  # todo\n",
            "class HouseStyle(object, metaclass=type):\n    pass  # todo\n\n"
            f"{EVENT.text}",
            id="a pass of the user",
        ),
        pytest.param(
            (
                "@decorate\nclass HouseStyle[T](\n    contract.Hooks,\n):  # b\n"
                "    x = 1\n"
            ),
            "@decorate\nclass HouseStyle[T](\n    contract.Hooks,\n):  # b\n    x = 1\n"
            f"\n{EVENT.text}",
            id="a header of many lines",
        ),
    ],
)
def test_insertion_without_neighbours(before: str, after: str) -> None:
    assert grown(before, (), (EVENT,)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            f"{HEAD}\n{EVENT.text}    # ends events\n\n{USER}",
            f"{HEAD}\n{EVENT.text}    # ends events\n\n{AFTER.text}\n{USER}",
            id="a comment that ends the method above",
        ),
        pytest.param(
            f"{HEAD}\n{EVENT.text}    # on helper\n{USER}",
            f"{HEAD}\n{EVENT.text}\n{AFTER.text}    # on helper\n{USER}",
            id="a comment that leads to the method below",
        ),
        pytest.param(
            f"{HEAD}\n{EVENT.text}\n    # on helper\n{USER}",
            f"{HEAD}\n{EVENT.text}\n{AFTER.text}\n    # on helper\n{USER}",
            id="a comment of the method below",
        ),
        pytest.param(
            f"{HEAD}\n{EVENT.text}{USER}",
            f"{HEAD}\n{EVENT.text}{AFTER.text}{USER}",
            id="methods without blank lines",
        ),
        pytest.param(
            f"{HEAD}\n{EVENT.text}# flush left\n\n{USER}",
            f"{HEAD}\n{EVENT.text}\n{AFTER.text}# flush left\n\n{USER}",
            id="a comment flush left",
        ),
        pytest.param(
            f"{HEAD}\n    @wrapped\n{EVENT.text}\n\n\n{USER}",
            f"{HEAD}\n    @wrapped\n{EVENT.text}\n{AFTER.text}\n\n\n{USER}",
            id="below a decorated method",
        ),
        pytest.param(
            f"{HEAD}\n    after_event = make()\n    x = 1\n",
            f"{HEAD}\n    after_event = make()\n{AFTER.text}    x = 1\n",
            id="below an assigned method",
        ),
    ],
)
def test_insertion_below_the_preceding_method(before: str, after: str) -> None:
    assert grown(before, (EVENT,), (EVENT, AFTER)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            f"{HEAD}    # events\n    @wrapped\n{EVENT.text}",
            f"{HEAD}\n{BEFORE.text}    # events\n    @wrapped\n{EVENT.text}",
            id="comment and decorator",
        ),
        pytest.param(
            f"{HEAD}\n\n    # section\n\n    # events\n{EVENT.text}",
            f"{HEAD}\n\n    # section\n\n{BEFORE.text}\n    # events\n{EVENT.text}",
            id="a section above",
        ),
        pytest.param(
            f"class HouseStyle:\n{EVENT.text}",
            f"class HouseStyle:\n{BEFORE.text}\n{EVENT.text}",
            id="first in the class",
        ),
        pytest.param(
            f"class HouseStyle:\n\n{EVENT.text}",
            f"class HouseStyle:\n\n{BEFORE.text}\n{EVENT.text}",
            id="first in the class, set off",
        ),
        pytest.param(
            f"class HouseStyle:\n    # events\n{EVENT.text}",
            f"class HouseStyle:\n{BEFORE.text}\n    # events\n{EVENT.text}",
            id="first in the class, with a comment",
        ),
        pytest.param(
            f"{HEAD}    x = 1\n{EVENT.text}",
            f"{HEAD}    x = 1\n{BEFORE.text}{EVENT.text}",
            id="no blank lines",
        ),
    ],
)
def test_insertion_above_the_following_method(before: str, after: str) -> None:
    assert grown(before, (EVENT,), (BEFORE, EVENT)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("class HouseStyle: pass\n", "class HouseStyle:\n    pass\n"),
        ("class HouseStyle:pass # c\n", "class HouseStyle:\n    pass # c\n"),
        ("class HouseStyle:  a = 1; b = 2\n", "class HouseStyle:\n    a = 1; b = 2\n"),
        (
            "class HouseStyle(\n  object): x = (\n1)\n",
            "class HouseStyle(\n  object):\n    x = (\n1)\n",
        ),
        (
            "if x:\n\ty\nclass HouseStyle:pass\n",
            "if x:\n\ty\nclass HouseStyle:\n\tpass\n",
        ),
    ],
)
def test_a_body_on_the_class_line_is_opened(before: str, after: str) -> None:
    tabs = "\t" in after
    text = EVENT.text.replace("    ", "\t") if tabs else EVENT.text
    assert grown(before, (), (EVENT,)) == f"{after}\n{text}"


# --- refresh -------------------------------------------------------------------


def test_an_untouched_stub_is_refreshed_in_place() -> None:
    old, new = stub("after_event", "Old."), stub("after_event", "New.\n\n        More.")
    text = f"{HEAD}\n    # mine\n{old.text}\n\n{USER}# end"
    growth = grow(text.encode(), wanted(new), recorded(old))
    assert growth.data.decode() == text.replace(old.text, new.text)
    assert kinds(growth) == {"after_event": NoteKind.REFRESHED}
    assert growth.stubs == recorded(new)


def test_a_refresh_keeps_a_missing_final_newline() -> None:
    old = stub("after_event", "Old.")
    text = emitted(old).removesuffix("\n")
    assert grown(text, (old,), (EVENT,)) == emitted(EVENT).removesuffix("\n")


def test_methods_move_with_a_refresh_above_them() -> None:
    old = stub("before_agent", "Old.\n\n        Longer.")
    text = emitted(old, EVENT)
    assert grown(text, (old, EVENT), ALL) == emitted(*ALL)


# --- removal -------------------------------------------------------------------


@pytest.mark.parametrize("gone", ALL, ids=lambda each: each.name)
def test_an_untouched_stub_goes(gone: Stub) -> None:
    rest = tuple(each for each in ALL if each != gone)
    growth = grow(emitted(*ALL).encode(), wanted(*rest), recorded(*ALL))
    assert growth.data.decode() == emitted(*rest)
    assert growth.stubs == recorded(*rest)
    (note,) = growth.notes
    assert (note.kind, note.method) == (NoteKind.REMOVED, gone.name)
    assert note.text == gone.text.removesuffix("\n")
    assert emitted(*ALL).splitlines()[note.line - 1] == f"    async def {gone.name}("


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            f"{HEAD}\n    # mine\n{EVENT.text}\n{USER}",
            f"{HEAD}\n    # mine\n\n{USER}",
            id="a comment above stays",
        ),
        pytest.param(
            f"{HEAD}\n{EVENT.text}    # mine\n        # deep\n",
            f"{HEAD}    # mine\n        # deep\n",
            id="deep comments below another stay",
        ),
        pytest.param(
            f"{HEAD}\n{USER}{EVENT.text}    # mine\n",
            f"{HEAD}\n{USER}    # mine\n",
            id="a comment below stays",
        ),
        pytest.param(
            f"{HEAD}\n{USER}\n\n{EVENT.text}\n\n# end\n",
            f"{HEAD}\n{USER}\n\n\n# end\n",
            id="one blank line goes along",
        ),
        pytest.param(
            f"{HEAD}\n{USER}    \n{EVENT.text}",
            f"{HEAD}\n{USER}    \n",
            id="a line of blanks is the user's",
        ),
        pytest.param(
            f"class HouseStyle:\n{EVENT.text}\n{USER}",
            f"class HouseStyle:\n{USER}",
            id="first in the class",
        ),
        pytest.param(
            f"{HEAD}\n{EVENT.text}".removesuffix("\n"),
            HEAD.removesuffix("\n"),
            id="no final newline",
        ),
    ],
)
def test_a_removal_takes_nothing_else(before: str, after: str) -> None:
    assert grown(before, (EVENT,), ()) == after


def test_an_emptied_class_gets_a_placeholder_that_goes_again() -> None:
    full = f"class HouseStyle:\n    # mine\n{EVENT.text}x = 1\n"
    empty = grow(full.encode(), wanted(), recorded(EVENT))
    assert empty.data == b"class HouseStyle:\n    # mine\n    pass\nx = 1\n"
    assert empty.stubs.keys() == {"pass"}
    again = grow(empty.data, wanted(), empty.stubs)
    assert (again.data, again.stubs, again.notes) == (empty.data, empty.stubs, ())
    back = grow(empty.data, wanted(EVENT), empty.stubs)
    assert back.data.decode() == full
    assert back.stubs == recorded(EVENT)


def test_a_placeholder_that_was_edited_stays() -> None:
    text = "class HouseStyle:\n    pass  # mine\n"
    empty = grow(f"class HouseStyle:\n{EVENT.text}".encode(), wanted(), recorded(EVENT))
    growth = grow(text.encode(), wanted(EVENT), empty.stubs)
    assert growth.data.decode() == f"{text}\n{EVENT.text}"
    assert growth.stubs == recorded(EVENT)


def test_a_class_swaps_its_only_hook() -> None:
    text = f"class HouseStyle:\n{EVENT.text}\n\nx = 1\n"
    swapped = grown(text, (EVENT,), (BEFORE,))
    assert swapped == f"class HouseStyle:\n{BEFORE.text}\n\nx = 1\n"
    assert grown(swapped, (BEFORE,), (EVENT,)) == text


def test_a_new_hook_takes_the_place_of_the_one_that_goes() -> None:
    text = f"{HEAD}\n{EVENT.text}\n{USER}"
    swapped = grown(text, (EVENT,), (BEFORE,))
    assert swapped == f"{HEAD}\n{BEFORE.text}\n{USER}"
