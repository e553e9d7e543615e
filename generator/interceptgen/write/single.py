"""Replaces one file that is no part of a plan."""

from pathlib import Path

from interceptgen.write.disk import keep, keep_folders, like, write_new
from interceptgen.write.failure import UNTOUCHED, WriteError, naming
from interceptgen.write.places import content, place

__all__ = ["replace_file"]


def replace_file(root: Path, path: str, before: bytes, after: bytes) -> None:
    """Put other content into a file, all of it or nothing.

    To be called by one run at a time: see `exclusive`.

    Args:
        root: The project's folder.
        path: POSIX path relative to it.
        before: What stands there.
        after: What is to stand there.

    Raises:
        WriteError: If the system refuses, or the file was changed meanwhile.
    """
    target = place(root, path)
    new = target.with_name(f".{target.name}.new")
    try:
        with naming(path, UNTOUCHED):
            new.unlink(missing_ok=True)
            write_new(new, after)
            like(new, target.stat())
            keep([new])
            if content(target) != before:
                raise WriteError(f"{path} was changed meanwhile; {UNTOUCHED}")
            new.replace(target)
            keep_folders([target.parent])
    finally:
        new.unlink(missing_ok=True)
