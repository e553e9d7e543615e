"""Tells whether the rows of an audit in a database are as they were written.

`python -m <package>.service.recipes.auditing.database_verify NAME` does so from a
shell: exit 0 if they are, 1 if not, 2 if the database can't be read. NAME is the
variable that holds its URL, which may have a password in it.
"""

import os
import sys

from .table import engine_of, problem_of, read_table
from .verdict import Verdict, judged, told

__all__ = ["Verdict", "verify"]


def verify(url: str) -> Verdict:
    """Follow the chain of hashes through the table.

    Args:
        url: The database that the recipe `audit` writes to, with `hash_chain`.

    Raises:
        ValueError: If that is no URL of a database.
        OSError: If it can't be read.
    """
    engine = engine_of(url)
    try:
        return judged(read_table(engine))
    except Exception as error:
        # As when it is written to: whatever a driver raises.
        problem = problem_of(error, engine)
    finally:
        engine.dispose()
    raise ConnectionError(problem)


def main(argv: list[str]) -> int:
    """Say what `verify` finds."""
    if len(argv) != 1:
        sys.stderr.write("usage: audit_database_verify NAME_OF_VARIABLE\n")
        return 2
    (name,) = argv
    try:
        verdict = verify(os.environ[name])
    except KeyError:
        sys.stderr.write(f"{name} isn't set; it has to hold the database's URL\n")
        return 2
    except (OSError, ValueError) as problem:
        sys.stderr.write(f"{name}: {problem}\n")
        return 2
    return told(verdict)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
