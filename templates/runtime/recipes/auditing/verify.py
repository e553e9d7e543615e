"""Tells whether the rows of an audit are as they were written.

`python -m <package>.service.recipes.auditing.verify PATH` does so from a shell: exit 0
if they are, 1 if not, 2 if the file can't be read.
"""

import sqlite3
import sys
from pathlib import Path

from .sinks import read_rows
from .verdict import Verdict, judged, told

__all__ = ["Verdict", "verify"]


def verify(path: Path) -> Verdict:
    """Follow the chain of hashes through a file.

    Args:
        path: What the recipe `audit` wrote with `hash_chain`.

    Raises:
        OSError: If it can't be read.
        sqlite3.Error: If it is a broken database.
    """
    return judged(read_rows(path))


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
    return told(verdict)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
