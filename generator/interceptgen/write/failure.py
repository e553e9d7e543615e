"""What can't be written, as one line that names the file."""

from collections.abc import Generator
from contextlib import contextmanager

from interceptgen.errors import UserError

__all__ = ["UNFINISHED", "UNTOUCHED", "WriteError", "naming"]

UNTOUCHED = "nothing was written"
UNFINISHED = "not all was written; when that is mended, run the command again"


class WriteError(UserError):
    """Nothing or not all could be written; the message tells why."""


@contextmanager
def naming(path: str, outcome: str) -> Generator[None, None, None]:
    """Turn what the system refuses into a line about a file.

    Args:
        path: The file as the project knows it.
        outcome: What that means for the run.

    Raises:
        WriteError: If the system refuses.
    """
    try:
        yield
    except OSError as error:
        message = f"{path}: {error.strerror or error}; {outcome}"
        raise WriteError(message) from error
