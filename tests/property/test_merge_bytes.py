"""Random modules, random specs: no byte of the user's is lost or moved.

The expected bytes are built beside the input, from the same parts and without
the merge: a part of the user's is written to both sides alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import hypothesmith
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st
from tests.merge.samples import HEAD, ORDER, recorded, stub, wanted
from tests.merge.snippets import INSIDE, NEWER, OUTSIDE, Editor

from interceptgen.files import Stub
from interceptgen.merge import Rename, grow, rename_class
from interceptgen.merge.source import compiles

PROPERTY = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100
)
HEADERS = (
    HEAD,
    "class HouseStyle:\n    x = 0\n",
    "class HouseStyle(contract.Hooks):\n\n    # first\n\n    x = 0\n",
    "@final\nclass HouseStyle(\n    contract.Hooks,\n):  # why\n    ...\n",
)
EDITS = (
    "    @wrapped\n{}",
    "{}        # mine\n",
    "    # above\n\n    @one\n    # b\n{}",
)


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a class body and the blank lines above it.

    Attributes:
        text: What stands there; for a stub, its old text.
        gap: The blank lines.
        hook: The hook it is a stub of, if it is.
        edited: The user changed the stub.
    """

    text: str
    gap: int
    hook: str = ""
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A module, the settings of the editor that wrote it, and two specs."""

    above: str
    head: str
    parts: tuple[Part, ...]
    below: str
    editor: Editor
    was: tuple[str, ...]
    wants: tuple[str, ...]

    def file(self, body: str) -> bytes:
        """Write the module with this class body."""
        return self.editor.file(self.above + self.head + body + self.below)

    @property
    def data(self) -> bytes:
        """The module as the user left it."""
        return self.file("".join("\n" * part.gap + part.text for part in self.parts))

    @property
    def lock(self) -> dict[str, str]:
        """What was emitted for the old spec."""
        return recorded(*map(old, self.was))


PACKAGE = "orders.service.contracts"
AWAY = Rename(
    contracts=PACKAGE,
    old_module="house_style",
    new_module="tone",
    old_class="HouseStyle",
    new_class="Tone",
)
BACK = Rename(
    contracts=PACKAGE,
    old_module="tone",
    new_module="house_style",
    old_class="Tone",
    new_class="HouseStyle",
)
old = partial(stub, doc="Old.")
new = partial(stub, doc="New, and longer.\n\n        By a line.")


@st.composite
def cases(draw: st.DrawFn, *, newer: bool = True) -> Case:
    """Compose a module of the tool's stubs and the user's code."""
    was = draw(st.sets(st.sampled_from(ORDER)).map(sorted))
    gaps = st.integers(0, 3)
    stubs: list[Part] = []
    for name in sorted(was, key=ORDER.index):
        edited = draw(st.booleans())
        form = draw(st.sampled_from(EDITS)) if edited else "{}"
        text = form.format(old(name).text)
        stubs.append(Part(text, draw(gaps), name, edited))
    parts = draw(st.permutations(stubs)) if draw(st.booleans()) else stubs
    for text in draw(st.lists(st.sampled_from(list(INSIDE.values())), max_size=4)):
        parts.insert(draw(st.integers(0, len(parts))), Part(text, draw(gaps)))
    # A deep comment right below a stub is an edit of it.
    for above, part in pairwise(part for part in parts if part.text.strip()):
        assume(not (above.hook and not above.edited and part.text.startswith("     ")))
    outside = [*OUTSIDE.values(), *(NEWER.values() if newer else ())]
    around = st.lists(st.sampled_from(outside), max_size=2).map("".join)
    mark = draw(st.booleans())
    encoding = "utf-8" if mark else draw(st.sampled_from(["utf-8", "latin-1"]))
    return Case(
        above=draw(around),
        head=draw(st.sampled_from(HEADERS)),
        parts=tuple(parts),
        below=draw(st.sampled_from(["", "\n", "\n\n"])) + draw(around),
        editor=Editor(
            end=draw(st.sampled_from(["\n", "\n", "\r\n", "\r"])),
            unit=draw(st.sampled_from(["    ", "  ", "\t", "        "])),
            encoding=encoding,
            mark=mark,
            final=draw(st.booleans()),
        ),
        was=tuple(sorted(was, key=ORDER.index)),
        wants=tuple(sorted(draw(st.sets(st.sampled_from(ORDER))), key=ORDER.index)),
    )


def written(case: Case, each: Stub) -> bytes:
    """Give a stub's bytes in the file, its last line end left out."""
    return case.editor.piece(each.text.removesuffix("\n"))


def without(data: bytes, case: Case, *texts: Stub) -> list[bytes]:
    """Take stubs out of a file and give the lines that are not blank."""
    for each in texts:
        data = data.replace(written(case, each), b"")
    lines = data.split(case.editor.end.encode())
    return [line for line in lines if line.strip(b" \t\f")]


@PROPERTY
@given(cases())
def test_every_line_of_the_user_stays_where_it_is(case: Case) -> None:
    growth = grow(case.data, wanted(*map(new, case.wants)), case.lock)
    tools = [*map(old, ORDER), *map(new, ORDER)]
    kept = [part.hook for part in case.parts if part.edited]
    # An edited stub holds the tool's old text: it must not be left out.
    pristine = [each for each in tools if each.name not in kept]
    assert without(growth.data, case, *pristine) == without(case.data, case, *pristine)


@PROPERTY
@given(cases())
def test_a_second_run_does_nothing(case: Case) -> None:
    spec = wanted(*map(new, case.wants))
    first = grow(case.data, spec, case.lock)
    second = grow(first.data, spec, first.stubs)
    assert second.data is first.data
    assert second.stubs == first.stubs
    done = {"inserted", "refreshed", "removed"}
    assert not done & {note.kind.value for note in second.notes}


@PROPERTY
@given(cases())
def test_each_stub_is_what_the_notes_say(case: Case) -> None:
    growth = grow(case.data, wanted(*map(new, case.wants)), case.lock)
    for name in ORDER:
        parts = [part for part in case.parts if part.hook == name]
        edited = bool(parts) and parts[0].edited
        assert growth.data.count(written(case, new(name))) == (
            name in case.wants and not edited
        )
        assert growth.data.count(written(case, old(name))) == edited


@PROPERTY
@given(cases())
def test_what_was_only_added_goes_again_without_a_trace(case: Case) -> None:
    more = tuple(name for name in ORDER if name in {*case.was, *case.wants})
    there = grow(case.data, wanted(*map(new, more)), case.lock)
    back = grow(there.data, wanted(*map(old, case.was)), there.stubs)
    assert back.data == case.data
    assert back.stubs == case.lock


@PROPERTY
@given(cases())
def test_a_refresh_changes_the_stub_and_no_other_byte(case: Case) -> None:
    growth = grow(case.data, wanted(*map(new, case.was)), case.lock)
    body = "".join(
        "\n" * part.gap
        + (part.text if part.edited or not part.hook else new(part.hook).text)
        for part in case.parts
    )
    assert growth.data == case.file(body)


@PROPERTY
@given(cases(newer=False))
def test_what_compiled_compiles(case: Case) -> None:
    growth = grow(case.data, wanted(*map(new, case.wants)), case.lock)
    assert compiles(growth.data) or not compiles(case.data)
    gone = grow(case.data, wanted(), case.lock)
    assert compiles(gone.data) or not compiles(case.data)


@PROPERTY
@given(cases())
def test_a_removal_takes_the_stub_and_one_blank_line(case: Case) -> None:
    growth = grow(case.data, wanted(), case.lock)
    ours = sum(bool(part.hook) and not part.edited for part in case.parts)
    end = case.editor.end.encode()
    taken = sum(
        written(case, old(part.hook)).count(end) + 1
        for part in case.parts
        if part.hook and not part.edited
    )
    lines = case.data.count(end) - growth.data.count(end) - taken
    assert 0 <= lines <= ours


@PROPERTY
@given(cases())
def test_a_rename_changes_names_and_goes_back(case: Case) -> None:
    there = rename_class(case.data, AWAY)
    back = rename_class(there.data, BACK)
    assert back.data == case.data
    assert b"class Tone" in there.data
    lines = zip(there.data.split(b"\n"), case.data.split(b"\n"), strict=True)
    for new_line, old_line in lines:
        assert (
            new_line
            in {
                old_line,
                old_line.replace(b"HouseStyle", b"Tone"),
                old_line.replace(b"import house_style", b"import tone"),
            }
            or b"\r" in old_line
        )


# A grammar also gives what no file can hold.
@settings(
    PROPERTY,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(
    above=hypothesmith.from_node(),
    below=hypothesmith.from_grammar(),
    crlf=st.sampled_from(["\n", "\r\n"]),
)
def test_any_python_around_the_class(above: str, below: str, crlf: str) -> None:
    text = f"{above}\n{HEAD}\n    x = 1\n\n\n{below}"
    try:
        data = text.encode().replace(b"\n", crlf.encode())
    except UnicodeEncodeError:
        # A grammar's character that no file can hold.
        reject()
    there = grow(data, wanted(new("after_event")), {})
    back = grow(there.data, wanted(), there.stubs)
    assert back.data == data
    assert compiles(there.data) or not compiles(data)
    if there.data is not data:
        block = f"\n\n{new('after_event').text}".removesuffix("\n").encode()
        # Where the grammar's text has more of the other line ends, these are taken.
        ends = (block, block.replace(b"\n", b"\r\n"))
        assert data in {there.data.replace(put, b"") for put in ends}


@PROPERTY
@given(
    specs=st.lists(st.sets(st.sampled_from(ORDER), min_size=1), min_size=1, max_size=6),
    editor=st.sampled_from([Editor(), Editor(end="\r\n", unit="\t")]),
    inside=st.sampled_from(["assignment", "method", "property", "string", "call"]),
)
def test_any_way_through_the_specs_ends_as_the_last_one(
    specs: list[set[str]], editor: Editor, inside: str
) -> None:
    def module(names: set[str], doc: str) -> tuple[bytes, list[Stub]]:
        stubs = [stub(name, doc) for name in ORDER if name in names]
        body = "".join(f"\n{each.text}" for each in stubs)
        text = f"{HEAD}\n{INSIDE[inside]}{body}\n{INSIDE[inside]}\n\n# end\n"
        return editor.file(text), stubs

    data, stubs = module(specs[0], "0.")
    lock: Mapping[str, str] = recorded(*stubs)
    for number, names in enumerate(specs):
        expected, stubs = module(names, f"{number}.")
        growth = grow(data, wanted(*stubs), lock)
        data, lock = growth.data, growth.stubs
        assert data == expected
        assert lock == recorded(*stubs)


@settings(PROPERTY, max_examples=200)
@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "ignore"))
)
def test_any_bytes_at_all(data: bytes) -> None:
    growth = grow(data, wanted(new("after_event")), {})
    assert growth.data is data
    tail = HEAD.encode()
    there = grow(data + b"\n" + tail, wanted(new("after_event")), {})
    assert there.data.startswith(data + b"\n" + tail)
