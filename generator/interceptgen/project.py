"""Finds the project that a command is about."""

from pathlib import Path

from interceptgen.errors import UserError

__all__ = ["SPEC_NAME", "ProjectNotFoundError", "find_project"]

SPEC_NAME = "interceptors.yaml"


class ProjectNotFoundError(UserError):
    """There is no project, or more than one; the message tells which."""


def find_project(start: Path) -> Path:
    """Find the folder of the spec: here, above, or in the one folder below.

    Args:
        start: A folder, or the spec itself.

    Raises:
        ProjectNotFoundError: If there is none, or several stand below.
    """
    if start.name == SPEC_NAME and start.is_file():
        return start.resolve().parent
    if not start.is_dir():
        message = f"there is no folder {start}"
        raise ProjectNotFoundError(message)
    folder = start.resolve()
    for candidate in (folder, *folder.parents):
        if (candidate / SPEC_NAME).is_file():
            return candidate
    below = sorted(path.parent for path in folder.glob(f"*/{SPEC_NAME}"))
    if len(below) == 1:
        return below[0]
    if below:
        names = ", ".join(path.name for path in below)
        message = f"several projects stand in {start}: {names}; name one"
    else:
        message = f"no {SPEC_NAME} in {start}, above it or in a folder of it"
    raise ProjectNotFoundError(message)
