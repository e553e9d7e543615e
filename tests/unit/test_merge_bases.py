"""A base class may have the method already, and a stub would hide it."""

import pytest
from tests.merge.samples import EVENT, kinds, wanted

from interceptgen.merge import NoteKind, grow


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
            "class A:\n    x = 1\nclass HouseStyle(other.A):\n    x = 1\n",
            NoteKind.UNSEEN,
            "the base class other.A may have it",
        ),
        (
            (
                "class A(Generic[T]):\n    after_event = 1\n"
                "class HouseStyle(A[int]): x = 1\n"
            ),
            NoteKind.EDITED,
            "inherited from a base class",
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
        "class HouseStyle(HouseStyle, Protocol):\n    x = 1\n",
        "class HouseStyle(abc.ABC, typing.Generic[T], object):\n    x = 1\n",
        "class A(B): x = 1\nclass B(A): x = 1\nclass HouseStyle(B):\n    x = 1\n",
    ],
)
def test_a_base_that_is_known_not_to_have_it(text: str) -> None:
    growth = grow(text.encode(), wanted(EVENT), {})
    assert kinds(growth) == {"after_event": NoteKind.INSERTED}
