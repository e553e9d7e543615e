"""Where a path of the project leads, and what stands there."""

import os
from pathlib import Path

from interceptgen.write.failure import UNTOUCHED, WriteError

__all__ = ["content", "first_there", "place"]


def place(root: Path, path: str) -> Path:
    """Give the file to write: at the end of links, which stay.

    Raises:
        WriteError: If it is outside the project.
    """
    # Not `Path.resolve`: it has no answer where a link leads to itself.
    real = Path(os.path.realpath(root / path))
    if not real.is_relative_to(os.path.realpath(root)):
        message = f"{path} leads out of the project through a symbolic link"
        raise WriteError(f"{message}; {UNTOUCHED}")
    return real


def content(file: Path) -> bytes | None:
    """Read a file; None where there is none."""
    try:
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def first_there(folder: Path) -> Path:
    """Give the nearest of a folder and those above it that is there."""
    while not folder.exists():
        folder = folder.parent
    return folder
