"""What is found when the chain of an audit is followed."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .row import breaks

__all__ = ["Verdict", "judged", "told"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found.

    Attributes:
        rows: How many rows there are.
        last: The hash of the last one. Kept elsewhere it shows later that no row
            at the end was cut off, and that nobody wrote all of it anew.
        problems: Where the chain breaks, a line each.
    """

    rows: int
    last: str
    problems: tuple[str, ...]


def judged(rows: Iterable[Mapping[str, object] | None]) -> Verdict:
    """Follow the chain of hashes.

    Args:
        rows: The rows, in order; None for one that can't be read.
    """
    last = ""
    count = 0

    def counted() -> Iterator[Mapping[str, object] | None]:
        nonlocal last, count
        for row in rows:
            count += 1
            last = str((row or {}).get("hash") or "")
            yield row

    problems = tuple(breaks(counted()))
    return Verdict(count, last, problems)


def told(verdict: Verdict) -> int:
    """Print it; give the exit code."""
    for line in verdict.problems:
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{verdict.rows} rows; the last hash is {verdict.last}\n")
    return 1 if verdict.problems else 0
