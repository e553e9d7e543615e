"""What is left to the user is told with its reason, in words that a reader knows."""

import pytest
from tests.merge.samples import AFTER, BEFORE, EVENT, emitted, recorded, wanted

from interceptgen.files import Stub
from interceptgen.merge import Rename, grow, rename_class

WANTED = BEFORE, EVENT


def reasons(text: str, *left: Stub) -> list[tuple[str, int, str]]:
    """Grow a module that is to have two hooks; give what is told, with lines."""
    growth = grow(text.encode(), wanted(*WANTED), recorded(*left))
    return [(note.method, note.line, note.reason) for note in growth.notes]


HAND = "deleted from the class by hand"


@pytest.mark.parametrize(
    ("text", "left", "told"),
    [
        (emitted(EVENT), (BEFORE, EVENT), [("before_agent", 6, HAND)]),
        (
            emitted(EVENT).replace("    async", "    x = before_agent\n\n    async", 1),
            (EVENT,),
            [("before_agent", 6, "the class uses this name of something else")],
        ),
        (
            "class Base(object):\n    before_agent = 1\n\n\n"
            + emitted(EVENT).replace("contract.Hooks", "Base"),
            (EVENT,),
            [("before_agent", 10, "inherited from a base class")],
        ),
        (
            emitted(EVENT).replace("contract.Hooks", "mine.Base"),
            (EVENT,),
            [("before_agent", 6, "the base class mine.Base may have it")],
        ),
        (
            "class HouseStyle(\n    mine.Base\n): after_event = 1\n",
            (EVENT,),
            [
                ("before_agent", 1, "the base class mine.Base may have it"),
                ("after_event", 3, ""),
            ],
        ),
    ],
)
def test_a_method_that_the_class_lacks(
    text: str, left: tuple[Stub, ...], told: list[tuple[str, int, str]]
) -> None:
    assert reasons(text, *left) == told


CALLED = "is called with 3"


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("async def e(self, a, b, c)", ""),
        ("async def e(*a)", ""),
        ("async def e(self, *a, **b)", ""),
        ("async def e(self, a, /, b, c=1, d=2, *, e=3)", ""),
        ("async def e(self, a)", f"takes 1 argument, {CALLED}"),
        ("async def e(self, a, b)", f"takes 2 arguments, {CALLED}"),
        ("async def e(self, a, /, b)", f"takes 2 arguments, {CALLED}"),
        ("async def e(self)", f"takes 0 arguments, {CALLED}"),
        ("async def e()", f"takes 0 arguments, {CALLED}"),
        ("async def e(self, a, b, c, d)", f"takes at least 4 arguments, {CALLED}"),
        ("async def e(self, a, b, c, d, *e)", f"takes at least 4 arguments, {CALLED}"),
        ("async def e(self, a, b, c, *, d)", "needs the keyword argument d"),
        ("async def e(self, a, b, c, *, d=1, e, f)", "needs the keyword argument e"),
        (
            "def e(self, a, b, c)",
            "is a sync function, an async function is called for",
        ),
        ("@final\n    @typing.override\n    async def e(self, a, b, c)", ""),
        ("@override\n    async def e(self, a)", f"takes 1 argument, {CALLED}"),
        ("@override\n    @mine\n    async def e(self)", ""),
        ("@override()\n    async def e(self)", ""),
    ],
)
def test_a_method_that_can_not_be_called(head: str, reason: str) -> None:
    text = emitted(BEFORE) + f"\n    {head.replace(' e(', ' after_event(')}: ...\n"
    method = "after_event"
    told = [each for each in reasons(text, *WANTED) if each[0] == method]
    assert told == [(method, text[: text.index("def after")].count("\n") + 1, reason)]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("yield", "is an async generator, an async function is called for"),
        ("x = yield 1", "is an async generator, an async function is called for"),
        ("x = lambda: (yield)", ""),
        ("def f(): yield", ""),
        ("class C:\n            x = [1]", ""),
        (
            "yield x\n        return",
            "is an async generator, an async function is called for",
        ),
    ],
)
def test_a_generator_is_no_function(body: str, reason: str) -> None:
    head = "    async def after_event(self, a, b, c):\n"
    text = f"{emitted(BEFORE)}\n{head}        {body}\n"
    assert [each[2] for each in reasons(text, *WANTED) if each[2]] == (
        [reason] if reason else []
    )


RENAME = Rename(
    contracts="orders.service.contracts",
    old_module="house_style",
    new_module="tone",
    old_class="HouseStyle",
    new_class="Tone",
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n", (1, "class Tone", "there is no class HouseStyle")),
        ("x = 1\ny = = 2\n", (2, "class Tone", "the file does not parse")),
        (
            "class HouseStyle:\n    x = 1\n\n\nclass Tone:\n    x = 1\n",
            (5, "class Tone", "Tone is in use"),
        ),
        (
            "class HouseStyle:\n    x = 1\n",
            (
                1,
                "from orders.service.contracts import tone as contract",
                "the contract's import is not as it was emitted",
            ),
        ),
        (
            emitted(AFTER) + "\n# HouseStyle\n",
            (emitted(AFTER).count("\n") + 2, "# HouseStyle", "still names HouseStyle"),
        ),
    ],
)
def test_a_rename_that_is_for_the_user(text: str, told: tuple[int, str, str]) -> None:
    result = rename_class(text.encode(), RENAME)
    assert [(note.line, note.text, note.reason) for note in result.notes] == [told]
