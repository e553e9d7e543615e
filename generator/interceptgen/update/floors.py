"""Keeps the dependency floors that a user raised in `pyproject.toml`.

Before the merge, not after: with the higher floor in all three texts there is
nothing left to conflict about, and whichever side wins has it.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

__all__ = ["keep_raised_floors"]

_Texts: TypeAlias = tuple[bytes, bytes, bytes]
# Which list a requirement stands in, its name, and its marker.
_Key: TypeAlias = tuple[str, str, str]
_FLOOR = re.compile(r"(>=\s*)([^\s,;]+)")


def keep_raised_floors(yours: bytes, base: bytes, theirs: bytes) -> _Texts:
    """Give the three texts with each floor that the user raised at its highest.

    Args:
        yours: The user's `pyproject.toml`.
        base: The template's, as it was.
        theirs: The template's, as it is.

    Returns:
        The texts to merge, in the same order. Nothing but the versions behind
        `>=` is changed, and nothing at all in a file that isn't TOML.
    """
    mine, before, now = (_requirements(text) for text in (yours, base, theirs))
    for key, wanted in mine.items():
        raised, known, new = _floor(wanted), before.get(key), now.get(key)
        if raised is None or new is None or wanted == known:
            continue
        template, was = _floor(new), _floor(known) if known else None
        if template is None or (was is not None and raised <= was):
            continue
        # As it is written there, so that two spellings are no edit.
        best = wanted if raised >= template else new
        yours = _with_floor(yours, wanted, best)
        theirs = _with_floor(theirs, new, best)
        base = _with_floor(base, known, best) if known else base
    return yours, base, theirs


def _requirements(text: bytes) -> Mapping[_Key, str]:
    """Map each requirement that stands alone in its list to its text."""
    found: dict[_Key, str] = {}
    twice: set[_Key] = set()
    for place, requirement in _listed(text):
        try:
            parsed = Requirement(requirement)
        except InvalidRequirement:
            continue
        key = (place, canonicalize_name(parsed.name), str(parsed.marker))
        (twice.add(key) if key in found else found.setdefault(key, requirement))
    return {key: found[key] for key in found if key not in twice}


def _listed(text: bytes) -> Iterator[tuple[str, str]]:
    """Give the requirements of a project, each with the list that it stands in."""
    try:
        content = tomllib.loads(text.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return
    project, build = _table(content, "project"), _table(content, "build-system")
    lists: dict[str, list[object] | str | None] = {
        "dependencies": project.get("dependencies"),
        "build": build.get("requires"),
    }
    for table in (
        _table(project, "optional-dependencies"),
        _table(content, "dependency-groups"),
    ):
        lists |= table
    for place, listed in lists.items():
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, str):
                yield place, one


def _table(content: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    table: dict[str, Any] | str | None = content.get(key)
    return table if isinstance(table, dict) else {}


def _floor(requirement: str) -> Version | None:
    found = _FLOOR.search(requirement.partition(";")[0])
    try:
        return Version(found[2]) if found else None
    except InvalidVersion:
        return None


def _with_floor(text: bytes, requirement: str, model: str) -> bytes:
    """Write another's floor into a requirement, wherever it stands as a string."""
    specifier, semicolon, marker = requirement.partition(";")
    floor = _FLOOR.search(model)
    if floor is None or requirement == model:
        return text
    raised = _FLOOR.sub(rf"\g<1>{floor[2]}", specifier, count=1) + semicolon + marker
    if raised == requirement:
        return text
    string = re.escape(requirement)
    # Not in a comment: that is the user's own text.
    pattern = rf"(?m)^([^#\n]*?)(['\"]){string}\2"
    once = re.compile(pattern.encode())
    while found := once.search(text):
        quote = found[2]
        text = (
            text[: found.start()]
            + found[1]
            + quote
            + raised.encode()
            + quote
            + text[found.end() :]
        )
    return text
