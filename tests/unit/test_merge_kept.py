"""What is the user's: kept to the byte, and told apart from what is not."""

import pytest
from tests.merge.samples import (
    AFTER,
    BEFORE,
    EVENT,
    HEAD,
    emitted,
    kinds,
    recorded,
    stub,
    wanted,
)

from interceptgen.merge import NoteKind, grow, stub_hash

NEW = stub("after_event", "New.")
RETURN = "        return adk_event\n"

EDITS = {
    "body": EVENT.text.replace(RETURN, "        return None\n"),
    "comment at the end": EVENT.text.replace(RETURN, f"{RETURN}        # mine\n"),
    "comment set off": EVENT.text + "\n      # mine\n",
    "comment below a blank line and more": f"{EVENT.text}\n        # a\n\n      # b\n",
    "comment behind": EVENT.text.replace(RETURN, RETURN.replace("\n", "  # mine\n")),
    "trailing blank": EVENT.text.replace("self,", "self, "),
    "decorator": f"    @wrapped\n{EVENT.text}",
    "decorator and comment": f"    @wrapped  # why\n\n    # so\n{EVENT.text}",
    "renamed parameter": EVENT.text.replace("event: contract.A2A", "e: contract.A2A"),
    "form feed": f"\f{EVENT.text}",
    "bound again": f"{EVENT.text}\n    after_event = wrap(after_event)\n",
    "named again": f"{EVENT.text}\n    alias = after_event\n",
    "overloaded": f"    @overload\n{EVENT.text}\n{EVENT.text}",
    "in a branch": "    if x:\n        y\n    else:\n        def after_event(): ...\n",
    "assigned": "    after_event = make_hook()\n",
    "assigned a lambda": "    after_event = lambda self, a, b, c: c\n",
    "annotated": "    after_event: Hook\n",
    "imported": "    from mine import after_event\n",
    "a class": "    class after_event: ...\n",
}


@pytest.mark.parametrize("text", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("last", [EVENT, NEW], ids=["same", "newer"])
def test_an_edited_method_is_kept(text: str, last: object) -> None:
    data = f"{HEAD}\n{text}\n    x = 1\n".encode()
    stubs = wanted(EVENT) if last is EVENT else wanted(NEW)
    growth = grow(data, stubs, recorded(EVENT))
    assert growth.data is data
    assert kinds(growth) == {"after_event": NoteKind.EDITED}
    # What was last emitted stays on record: a revert makes it ours again.
    assert growth.stubs == recorded(EVENT)


@pytest.mark.parametrize("text", EDITS.values(), ids=EDITS)
def test_an_edited_method_outlives_its_hook(text: str) -> None:
    data = f"{HEAD}\n{text}".encode()
    growth = grow(data, wanted(), recorded(EVENT))
    assert growth.data is data
    assert kinds(growth) == {"after_event": NoteKind.ORPHAN}
    assert growth.stubs == recorded(EVENT)


@pytest.mark.parametrize("text", EDITS.values(), ids=EDITS)
def test_others_come_around_an_edited_method(text: str) -> None:
    data = f"{HEAD}\n{text}\n    x = 1\n"
    growth = grow(data.encode(), wanted(BEFORE, EVENT, AFTER), recorded(EVENT))
    result = growth.data.decode()
    assert result.replace(f"\n{BEFORE.text}", "").replace(f"\n{AFTER.text}", "") == data
    assert result.index("before_agent") < result.index("after_event")
    assert result.index("after_event") < result.index("def after_agent")


def test_a_deleted_method_stays_deleted() -> None:
    growth = grow(HEAD.encode(), wanted(EVENT), recorded(EVENT))
    assert growth.data.decode() == HEAD
    (note,) = growth.notes
    assert (note.kind, note.line, note.text) == (NoteKind.ABSENT, 6, EVENT.text)
    assert growth.stubs == recorded(EVENT)


def test_a_deleted_method_of_a_dropped_hook_is_forgotten() -> None:
    growth = grow(HEAD.encode(), wanted(), recorded(EVENT))
    assert (growth.notes, growth.stubs) == ((), {})


def test_an_orphan_comes_back_to_life() -> None:
    data = f"{HEAD}\n{EDITS['body']}".encode()
    orphaned = grow(data, wanted(), recorded(EVENT))
    back = grow(data, wanted(EVENT), orphaned.stubs)
    assert kinds(back) == {"after_event": NoteKind.EDITED}


def test_a_reverted_method_is_the_tools_again() -> None:
    edited = grow(f"{HEAD}\n{EDITS['body']}".encode(), wanted(NEW), recorded(EVENT))
    reverted = grow(emitted(EVENT).encode(), wanted(NEW), edited.stubs)
    assert reverted.data.decode() == emitted(NEW)


def test_without_a_record_an_older_stub_is_the_users() -> None:
    growth = grow(emitted(EVENT).encode(), wanted(NEW), {})
    assert kinds(growth) == {"after_event": NoteKind.EDITED}
    assert growth.stubs == {}


# --- signatures ----------------------------------------------------------------

FITTING = [
    "async def after_event(self, a, b, c): ...",
    "async def after_event(self, a, b, c=1, d=2): ...",
    "async def after_event(self, a, /, b, *rest): ...",
    "async def after_event(self, *all, mine=1, **rest): ...",
    "async def after_event(*all): ...",
    "@override\n    async def after_event(self, a, b, c): ...",
    "async def after_event(self, a, b, c):\n        def g():\n            yield 1",
    # What a decorator makes of it is not to be seen.
    "@injected\n    def after_event(self): ...",
    "@typing.no_type_check_decorator()\n    def after_event(self): ...",
]
MISFITS = {
    "async def after_event(self, a, b): ...": "takes 2 arguments, is called with 3",
    "async def after_event(self, a): ...": "takes 1 argument, is called with 3",
    "async def after_event(): ...": "takes 0 arguments, is called with 3",
    "async def after_event(self, a, /, b, c, d): ...": (
        "takes at least 4 arguments, is called with 3"
    ),
    "async def after_event(self, a, b, c, *, d): ...": "needs the keyword argument d",
    "def after_event(self, a, b, c): ...": (
        "is a sync function, an async function is called for"
    ),
    "async def after_event(self, a, b, c):\n        yield c": (
        "is an async generator, an async function is called for"
    ),
    "def after_event(self, a, b, c):\n        x = [(yield)]": (
        "is a sync generator, an async function is called for"
    ),
    "@typing.override\n    async def after_event(self): ...": (
        "takes 0 arguments, is called with 3"
    ),
}


@pytest.mark.parametrize("method", FITTING)
def test_a_method_that_can_be_called_fits(method: str) -> None:
    data = f"{HEAD}\n    {method}\n".encode()
    (note,) = grow(data, wanted(EVENT), recorded(EVENT)).notes
    assert (note.kind, note.reason) == (NoteKind.EDITED, "")


@pytest.mark.parametrize(("method", "reason"), MISFITS.items())
def test_a_method_that_can_not_be_called_is_a_misfit(method: str, reason: str) -> None:
    data = f"{HEAD}\n    {method}\n"
    growth = grow(data.encode(), wanted(BEFORE, EVENT), recorded(EVENT))
    (note,) = [each for each in growth.notes if each.method == "after_event"]
    assert (note.kind, note.reason) == (NoteKind.MISFIT, reason)
    assert note.text == EVENT.text
    line = growth.data.decode().splitlines()[note.line - 1]
    assert "def after_event(" in line


def test_a_sync_hook_may_be_called_for() -> None:
    sync = EVENT.text.replace("async def", "def")
    hook = type(EVENT)(name="after_event", text=sync)
    data = f"{HEAD}\n    def after_event(self, a, b, c): ...\n".encode()
    assert kinds(grow(data, wanted(hook), {})) == {"after_event": NoteKind.EDITED}


def test_hashes_of_edits_differ() -> None:
    assert stub_hash(EDITS["body"]) != stub_hash(EVENT.text)
