"""Only what a name means in the class itself stands in a method's way."""

import pytest
from tests.merge.samples import EVENT, kinds, wanted

from interceptgen.merge import NoteKind, grow


@pytest.mark.parametrize(
    "text",
    [
        "class HouseStyle:\n    def f(self, after_event=1): ...\n",
        "class HouseStyle(abc.ABC, metaclass=after_event):\n    x.after_event = 1\n",
        "class HouseStyle:\n    def f(self):\n        after_event = 1\n",
        (
            "class HouseStyle:\n    f = lambda after_event: f(after_event=1)\n"
            "    class A:\n        after_event = 1\n"
        ),
        "class HouseStyle:\n    f = lambda self: after_event\n",
        "class HouseStyle:\n    x = f(after_event=1)\n",
        "class HouseStyle:\n    from mine import after_event as x\n",
        "class HouseStyle:\n    from after_event import x\n",
        "class HouseStyle:\n    import x as y, mine.after_event as z\n",
    ],
)
def test_names_of_other_scopes_do_not_matter(text: str) -> None:
    growth = grow(text.encode(), wanted(EVENT), {})
    assert kinds(growth) == {"after_event": NoteKind.INSERTED}


@pytest.mark.parametrize(
    "line",
    [
        "x = after_event",
        "x = [1, *after_event]",
        "x = f(after_event)",
        "x = f(a=after_event)",
        "x = after_event.y",
        "def f(self, x=after_event): ...",
        "def f(self, x: after_event): ...",
        "def f(self) -> after_event: ...",
        "f = lambda x=after_event: 1",
        "class A(after_event): ...",
        "class A(x=after_event): ...",
        "@after_event\n    class A: ...",
    ],
)
def test_a_name_that_the_class_reads_is_not_given_another_meaning(line: str) -> None:
    text = f"class HouseStyle:\n    {line}\n"
    growth = grow(text.encode(), wanted(EVENT), {})
    (note,) = growth.notes
    assert growth.data.decode() == text
    assert note.kind is NoteKind.UNSEEN
    assert note.reason == "the class uses this name of something else"
    assert note.text == EVENT.text
