"""What the recipes that limit have in common: rates, and whom they count."""

import re
from collections.abc import Iterator
from typing import Annotated, Final, TypeAlias

from interceptgen.recipes.chain import Use
from interceptgen.recipes.settings import bad_value
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["LIMIT_PACKAGES", "Namespace", "Rate", "header_fits", "rates"]

LIMIT_PACKAGES: Final = ("limits>=5.8", "redis>=7")

_SECONDS: Final = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86_400,
    "month": 30 * 86_400,
    "year": 360 * 86_400,
}
_ONE: Final = re.compile(
    rf"\s*(\d{{1,12}})\s*(?:/|\bper\b)\s*(\d{{1,6}})?\s*({'|'.join(_SECONDS)})s?\s*\Z",
    re.ASCII,
)
_NAMESPACE: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}\Z")


def rates(text: str) -> tuple[tuple[int, int], ...]:
    """Read a limit: how many in how many seconds, the shortest window first.

    Args:
        text: Rates such as `60/minute`, apart by `;`.

    Raises:
        ValueError: If it can't be read, or a rate allows nothing.
    """
    found: list[tuple[int, int]] = []
    for part in text.split(";"):
        match = _ONE.match(part)
        if match is None or not int(match[1]) or (match[2] and not int(match[2])):
            raise ValueError(part.strip())
        found.append((int(match[1]), int(match[2] or 1) * _SECONDS[match[3]]))
    return tuple(sorted(found, key=lambda rate: rate[1]))


def _rate_problem(text: str) -> Problem | None:
    try:
        rates(text)
    except ValueError as error:
        hint = "such as 60/minute, 100/2 hours, or 5/second; 1000/day"
        return bad_value(f"{shown(str(error))} is no rate", hint)
    return None


def _namespace_problem(text: str) -> Problem | None:
    if _NAMESPACE.match(text):
        return None
    hint = "up to 64 letters, digits and any of . _ -"
    return bad_value(f"{shown(text)} can't begin a key", hint)


Rate: TypeAlias = Annotated[str, rule(_rate_problem)]
"""How many in which time; several apart by `;`."""
Namespace: TypeAlias = Annotated[str, rule(_namespace_problem)]
"""How the keys in a store begin."""


def header_fits(use: Use, by: str, header: str | None) -> Iterator[Finding]:
    """Report a header that is missing, or that nobody reads.

    Args:
        use: The recipe.
        by: What tells callers apart.
        header: The header that it names.
    """
    reads = by in ("tenant", "key")
    if reads and header is None:
        message = f"by: {by} needs a header to read"
        problem = bad_value(message, "add header:, such as header: X-Tenant")
        yield Finding(loc=use.setting("by"), problem=problem)
    elif header is not None and not reads:
        hint = "leave it out, or write by: tenant or by: key"
        problem = bad_value(f"'header' is never read with by: {by}", hint)
        yield Finding(loc=use.setting("header"), problem=problem, at_key=True)
