"""The only reader of a project's disk.

Reads nothing outside the project, and takes what a killed run has left into
account, so that the stages after it need not know of either.
"""

from interceptgen.snapshot.disk import ReadError, read_input
from interceptgen.snapshot.leftover import left_stages, stage_number
from interceptgen.snapshot.reading import (
    Snapshot,
    left_paths,
    read_lock,
    read_snapshot,
)

__all__ = [
    "ReadError",
    "Snapshot",
    "left_paths",
    "left_stages",
    "read_input",
    "read_lock",
    "read_snapshot",
    "stage_number",
]
