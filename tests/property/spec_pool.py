"""A bounded pool of specs, and each one's files, laid out by one run of ruff.

The formatter is a process of its own: a run for each step would leave no time
for the steps. So all specs of the pool are printed first, and formatted at once.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations, product

import pytest

from interceptgen.files import Owner, SourceFile
from interceptgen.pipeline import read_service
from interceptgen.render import render
from interceptgen.render.formatting import formatted
from interceptgen.render.former import former_places
from interceptgen.service import Service

__all__ = ["NAMES", "PINS", "VARIANTS", "Entry", "Spec", "files_of", "printed"]

# One is the start of another, in both spellings.
NAMES = ("quota", "house_style", "house_style_two", "tone")
VARIANTS: Sequence[dict[str, object]] = (
    {"description": "Counts.", "hooks": ["before_agent"]},
    {
        "description": "Counts what each caller costs.",
        "hooks": ["before_agent", "after_event", "after_agent"],
        "config": {"most": {"type": "int", "default": 5}},
    },
    {
        "description": "Counts what each caller costs.",
        "hooks": ["before_agent", "after_event"],
        "config": {"most": {"type": "int", "default": 7}},
    },
    {
        "description": 'Says "no"\\ to some.',
        "hooks": ["after_event"],
        "config": {
            "most": {"type": "str", "default": "x"},
            "key": {"type": "str", "default": {"env": "ORDERS_KEY"}},
        },
    },
    {
        "description": "Counts.",
        "hooks": ["after_event", "after_agent", "on_exit"],
        "state": {"seen": {"type": "list[int]", "default": []}},
    },
)
PINS = (
    ("new", "lazy"),
    ("new", "eager"),
    ("legacy", "lazy"),
    ("client", "lazy"),
)
# What a later generator says otherwise, in a stub and in a file of its own.
_EDITION = (
    ("Runs before a task is made", "Runs first, before any task is made"),
    ("Runs for each update made of an ADK event", "Runs for each update"),
    ("run failed or was canceled", "run failed, or was canceled by its caller"),
    ("Fixtures for all tests", "Fixtures for every test"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One interceptor of a spec."""

    name: str
    variant: int
    was: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Spec:
    """A spec, and which edition of the generator reads it."""

    entries: tuple[Entry, ...] = ()
    pin: int = 0
    edition: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The interceptors, in their order."""
        return tuple(entry.name for entry in self.entries)

    def legal(self) -> bool:
        """Tell whether it is one of the pool, and says nothing twice."""
        old = [name for entry in self.entries for name in entry.was]
        clear = len({*old, *self.names}) == len(old) + len(self.entries)
        return clear and _bare(self) in _pool()

    def source(self) -> bytes:
        """Write it as the user does; JSON is YAML."""
        implementation, resolve = PINS[self.pin]
        return json.dumps(
            {
                "version": 1,
                "service": {"package": "orders", "description": "Answers."},
                "agent": "orders.agent:root_agent",
                "runner": {"resolve": resolve},
                "implementation": implementation,
                "interceptors": [
                    {
                        "name": entry.name,
                        **VARIANTS[entry.variant],
                        **({"was": list(entry.was)} if entry.was else {}),
                    }
                    for entry in self.entries
                ],
            }
        ).encode()


@cache
def files_of(spec: Spec) -> tuple[SourceFile, ...]:
    """Give what the spec asks for, as `render` would.

    The tool's files that no spec changes are left out, but for one.
    """
    files = _formatted()[_bare(spec)]
    if spec.edition:
        files = tuple(map(_newer, files))
    service = _service(replace(spec, edition=0))
    places = {
        pattern.format(each.name): former_places(service, each, pattern)
        for each in service.interceptors
        for pattern in ("src/orders/hooks/{}.py", "tests/test_{}.py")
    }
    return tuple(replace(file, former=places.get(file.path, ())) for file in files)


def printed(spec: Spec) -> tuple[SourceFile, ...]:
    """Give what the spec asks for in the tool's own, slow way."""
    return render(_service(spec))


@cache
def _service(spec: Spec) -> Service:
    return read_service("interceptors.yaml", spec.source())


def _bare(spec: Spec) -> Spec:
    entries = tuple(replace(entry, was=()) for entry in spec.entries)
    return Spec(entries, spec.pin)


@cache
def _pool() -> frozenset[Spec]:
    return frozenset(_specs())


def _specs() -> Iterator[Spec]:
    """Give all short chains, those of three with one variant, pins for the shortest."""
    kinds = range(len(VARIANTS))
    for length in (0, 1, 2, 3):
        for names in permutations(NAMES, length):
            for each in product(kinds, repeat=length):
                entries = tuple(map(Entry, names, each))
                if length < 3 or len(set(each)) == 1:
                    yield Spec(entries)
                if length < 2:
                    yield from (Spec(entries, pin) for pin in range(1, len(PINS)))


@cache
def _formatted() -> dict[Spec, tuple[SourceFile, ...]]:
    seen: dict[str, SourceFile] = {}

    def unformatted(files: Sequence[SourceFile]) -> list[SourceFile]:
        seen.update((file.text, file) for file in files)
        return list(files)

    with pytest.MonkeyPatch.context() as patch:
        # The package's function of that name hides the module.
        patch.setattr(sys.modules[render.__module__], "formatted", unformatted)
        raw = {spec: printed(spec) for spec in _pool()}
    # What every spec asks for in the same words shows nothing more than once.
    first, *others = map(set, raw.values())
    same = first.intersection(*others)
    plain = {file for file in same if "/service/__" not in file.path} & _tools(same)
    laid_out = dict(
        zip(seen, (file.text for file in formatted([*seen.values()])), strict=True)
    )
    return {
        spec: tuple(_laid_out(file, laid_out) for file in files if file not in plain)
        for spec, files in raw.items()
    }


def _tools(files: Iterable[SourceFile]) -> set[SourceFile]:
    return {file for file in files if file.owner is Owner.TOOL}


def _laid_out(file: SourceFile, texts: dict[str, str]) -> SourceFile:
    mark, newline, rest = file.text.partition("\n")
    if file.owner is Owner.TOOL and rest in texts:
        return replace(file, text=mark + newline + texts[rest])
    return replace(file, text=texts.get(file.text, file.text))


def _newer(file: SourceFile) -> SourceFile:
    return replace(
        file,
        text=_reworded(file.text),
        grown=file.grown
        and replace(
            file.grown,
            stubs=tuple(
                replace(stub, text=_reworded(stub.text)) for stub in file.grown.stubs
            ),
        ),
    )


def _reworded(text: str) -> str:
    for old, new in _EDITION:
        text = text.replace(old, new)
    return text
