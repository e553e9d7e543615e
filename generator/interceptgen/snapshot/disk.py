"""Reads single files, none of them outside the project."""

import os
import stat
from pathlib import Path

from interceptgen.errors import UserError

__all__ = ["Disk", "ReadError", "read_input"]


class ReadError(UserError):
    """A file can't be read, or may not be; the message names it."""


class Disk:
    """The files of one project.

    Symbolic links are followed as long as they stay inside. What leads out is
    refused before it is opened: the tool would have to write there, too.
    """

    def __init__(self, root: Path) -> None:
        self._root = os.path.realpath(root)
        self._folders: dict[str, str] = {}

    def read(self, path: str) -> bytes | None:
        """Read a file.

        Args:
            path: POSIX path relative to the project root.

        Returns:
            Its content; None where there is no file.

        Raises:
            ReadError: If it is outside, something else than a file, or the
                system refuses.
        """
        try:
            place = self._place(path)
            if not stat.S_ISREG(os.lstat(place).st_mode):
                raise ReadError(f"{path} is in the way: it is no file")
            with open(place, "rb") as file:  # noqa: PTH123 - read at each start
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise ReadError(f"{path}: {error.strerror}") from error

    def _place(self, path: str) -> str:
        """Give where a path leads; a link at its end costs one more look."""
        folder, _, name = path.rpartition("/")
        if folder not in self._folders:
            self._folders[folder] = self._inside(folder, path)
        place = os.path.join(self._folders[folder], name)  # noqa: PTH118
        return self._inside(place, path) if os.path.islink(place) else place  # noqa: PTH114

    def _inside(self, place: str, path: str) -> str:
        real = os.path.realpath(os.path.join(self._root, place))  # noqa: PTH118
        if real != self._root and not real.startswith(
            self._root.rstrip(os.sep) + os.sep
        ):
            raise ReadError(f"{path} leads out of the project through a symbolic link")
        return real


def read_input(path: Path) -> bytes:
    """Read a file that must be there, wherever it is.

    Raises:
        ReadError: If it isn't, or can't be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise ReadError(f"{path}: {error.strerror}") from error
