"""Writes rows of an audit to a database, as a process beside others does.

`python appending.py URL NAME BATCHES`: as many batches of one to three rows, of
requests whose caller is NAME. It says when it is ready, and begins when a line
comes in.
"""

import sys
import time

from runtime.recipes.auditing.row import AuditRow
from runtime.recipes.auditing.table import DatabaseTable, engine_of


def main(url: str, name: str, batches: int) -> None:
    """Write the rows."""
    table = DatabaseTable(engine_of(url), hash_chain=True)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    for number in range(batches):
        rows = [
            AuditRow(
                kind="completed",
                ended="now",
                caller=name,
                duration_ms=number / 7,
                correlation_id=f"{name}-{number}-{part}",
            )
            for part in range(number % 3 + 1)
        ]
        while not _is_written(table, rows):
            time.sleep(0.05)
        # Lets others in, as a service does whose rows come one by one.
        time.sleep(0.001)
    table.close()


def _is_written(table: DatabaseTable, rows: list[AuditRow]) -> bool:
    try:
        table.append(rows)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
