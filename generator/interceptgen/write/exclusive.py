"""One run at a time in a project; the next one waits, then gives up.

The system holds the lock for as long as the process lives, so a run that is
killed leaves nothing to clear away. On POSIX the project's folder itself is
locked: no file is made for it, and it is the same folder under each of its
names and in each container that mounts it. Where folders can't be locked
(Windows, some network file systems) a file in the user's own temporary
folder stands for it.
"""

import errno
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from interceptgen.errors import UserError

__all__ = ["BusyError", "exclusive"]

_PATIENCE, _PAUSE = 10.0, 0.05
_TAKEN = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})


class BusyError(UserError):
    """Another run is at work in the project."""


@contextmanager
def exclusive(
    root: Path, *, patience: float = _PATIENCE
) -> Generator[None, None, None]:
    """Let no other run write in a project meanwhile.

    Not to be nested: the inner one would wait for the outer one.

    Args:
        root: The project's folder.
        patience: Seconds to wait for another run.

    Raises:
        BusyError: If the other run takes longer.
    """
    descriptor = _descriptor(root)
    try:
        _wait(descriptor, root, time.monotonic() + patience)
        yield
    finally:
        # Lets go of the lock, as the end of the process would.
        os.close(descriptor)


def _wait(descriptor: int, root: Path, end: float) -> None:
    while not _take(descriptor):
        if time.monotonic() >= end:
            message = f"another interceptgen is at work in {root}; try again later"
            raise BusyError(message)
        time.sleep(_PAUSE)


def _descriptor(root: Path) -> int:
    """Open what stands for the project: its folder if that can be locked."""
    if sys.platform != "win32":
        descriptor = os.open(root, os.O_RDONLY)
        if _can_be_locked(descriptor):
            return descriptor
        os.close(descriptor)
    return os.open(_stand_in(root), os.O_RDWR | os.O_CREAT, 0o600)


def _stand_in(root: Path) -> Path:
    """Name the file that stands for a folder, one for each user."""
    folder = Path(tempfile.gettempdir())
    user = "" if sys.platform == "win32" else f"{os.getuid()}-"
    key = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()
    return folder / f"interceptgen-{user}{key[:32]}.lock"


if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in _TAKEN:
                return False
            raise
        return True

else:
    import fcntl

    def _take(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _TAKEN:
                return False
            raise
        return True

    def _can_be_locked(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        except OSError as error:
            return error.errno in _TAKEN
        return True
