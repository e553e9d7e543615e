"""Tells whether the rows of an audit are as they were written.

`python -m <package>.service.recipes.auditing.verify PATH` does so from a shell: exit 0
if they are, 1 if not, 2 if the file can't be read.
"""

import sqlite3
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .row import breaks
from .sinks import read_rows

__all__ = ["Verdict", "verify"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found.

    Attributes:
        rows: How many rows there are.
        last: The hash of the last one. Kept elsewhere it shows later that no row
            at the end was cut off, and that the file wasn't written anew.
        problems: Where the chain breaks, a line each.
    """

    rows: int
    last: str
    problems: tuple[str, ...]


def verify(path: Path) -> Verdict:
    """Follow the chain of hashes through a file.

    Args:
        path: What the recipe `audit` wrote with `hash_chain`.

    Raises:
        OSError: If it can't be read.
        sqlite3.Error: If it is a broken database.
    """
    last = ""
    count = 0

    def counted() -> Iterator[Mapping[str, object] | None]:
        nonlocal last, count
        for row in read_rows(path):
            count += 1
            last = str((row or {}).get("hash") or "")
            yield row

    problems = tuple(breaks(counted()))
    return Verdict(count, last, problems)


def main(argv: list[str]) -> int:
    """Say what `verify` finds."""
    if len(argv) != 1:
        sys.stderr.write("usage: verify PATH\n")
        return 2
    try:
        verdict = verify(Path(argv[0]))
    except (OSError, sqlite3.Error) as problem:
        sys.stderr.write(f"{argv[0]}: {problem}\n")
        return 2
    for line in verdict.problems:
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{verdict.rows} rows; the last hash is {verdict.last}\n")
    return 1 if verdict.problems else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
