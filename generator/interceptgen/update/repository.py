"""What an update needs of git: a clean tree to start from, and its merge."""

import hashlib
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from interceptgen.errors import UserError
from interceptgen.project import SPEC_NAME

__all__ = ["RepositoryError", "has_markers", "merge", "require_clean", "state_folder"]

_LABELS = ("yours", "the template before", "the template now")
_MARKER = re.compile(rb"^(<{7} yours|\|{7} the template before|>{7} the template now)")
_DIVIDER = b"======="


class RepositoryError(UserError):
    """The project's git can't carry an update; the message tells why."""


def require_clean(root: Path) -> None:
    """Refuse a project whose state git couldn't give back.

    Raises:
        RepositoryError: There is no git, no repository, or something in the
            project's folder isn't committed.
    """
    state_folder(root)
    if not _git(root, "ls-files", "--", SPEC_NAME).stdout:
        raise RepositoryError(f"{root} isn't committed to its repository; commit first")
    changed = _git(root, "status", "--porcelain", "--", ".").stdout
    if changed:
        count = len(changed.splitlines())
        raise RepositoryError(
            f"{root} has changes that aren't committed ({count} "
            f"{'path' if count == 1 else 'paths'}); commit or stash them first"
        )


def state_folder(root: Path) -> Path:
    """Give the folder inside git's own where an update of this project is kept.

    Raises:
        RepositoryError: There is no git or no repository.
    """
    prefix = _git(root, "rev-parse", "--show-prefix")
    if prefix.returncode:
        raise RepositoryError(
            f"{root} is in no git repository; an update needs its undo"
        )
    # A repository may hold several projects.
    name = hashlib.sha256(prefix.stdout.strip()).hexdigest()[:12]
    folder = _git(root, "rev-parse", "--git-path", f"interceptgen-update/{name}")
    return root / folder.stdout.decode().rstrip("\n")


def merge(yours: bytes, base: bytes, theirs: bytes) -> tuple[bytes, bool] | None:
    """Merge three texts; conflicts stand in the result between markers.

    Returns:
        The result, and whether it has conflicts; None for what is no text.
    """
    with TemporaryDirectory() as folder:
        names: list[str] = []
        for name, data in (("yours", yours), ("base", base), ("theirs", theirs)):
            (Path(folder) / name).write_bytes(data)
            names.append(name)
        labels = [part for label in _LABELS for part in ("-L", label)]
        run = _git(Path(folder), "merge-file", "-p", *labels, *names)
    # Its exit code is the number of conflicts; past that it is an error.
    return (run.stdout, run.returncode > 0) if 0 <= run.returncode < 128 else None  # noqa: PLR2004


def has_markers(data: bytes, dividers: int) -> bool:
    """Tell whether a merged file has a marker left.

    Args:
        data: The file.
        dividers: How many lines of "=" alone are its own.
    """
    lines = data.splitlines()
    marked = any(_MARKER.match(line) for line in lines)
    return marked or lines.count(_DIVIDER) > dividers


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(  # noqa: S603 - a fixed command
            ["git", *arguments],  # noqa: S607 - the user's own git
            cwd=root,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise RepositoryError("an update needs git, and there is none") from error
