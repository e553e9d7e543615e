"""A key that a recipe writes into the metadata of a status."""

import re
from collections.abc import Iterator
from typing import Annotated, Final, TypeAlias

from interceptgen.recipes.chain import Chain
from interceptgen.recipes.settings import bad_value
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["MetadataKey", "keys_apart"]

_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}\Z")
_TAKEN: Final = frozenset(
    {"correlation_id", "error_code", "rate_limit", "token_budget"},
)
_WRITERS: Final = ("stamp", "trace")


def _key_problem(key: str) -> Problem | None:
    if key.lower().startswith("adk_"):
        message = f"{shown(key)} is a key of ADK's own"
        return bad_value(message, "choose another key")
    if key in _TAKEN:
        message = f"{shown(key)} is a key of the service's own"
        return bad_value(message, "choose another key")
    if not _KEY.match(key):
        hint = "a letter, then up to 63 letters, digits and any of . _ -"
        return bad_value(f"{shown(key)} is no key of metadata", hint)
    return None


MetadataKey: TypeAlias = Annotated[str, rule(_key_problem)]
"""A key that is nobody else's."""


def keys_apart(chain: Chain) -> Iterator[Finding]:
    """Report a key that two recipes write, of which one would be lost."""
    first: dict[object, str] = {}
    for use in chain.entries:
        if use.recipe not in _WRITERS or use.settings is None:
            continue
        key: object = getattr(use.settings, "key", None)
        if key in first:
            message = (
                f"{shown(use.name)} writes the key {shown(str(key))} that"
                f" {shown(first[key])} writes"
            )
            problem = bad_value(message, "choose another key")
            yield Finding(loc=use.setting("key"), problem=problem)
        first.setdefault(key, use.name)
