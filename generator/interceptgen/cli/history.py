"""Reads a committed file through git."""

import shutil
import subprocess
from pathlib import Path

from interceptgen.errors import UserError

__all__ = ["HistoryError", "committed"]


class HistoryError(UserError):
    """There is no such state in git; the message tells why."""


def committed(root: Path, name: str, revision: str) -> bytes | None:
    """Give a file of a folder as it was at a revision.

    Args:
        root: The folder, somewhere in a repository.
        name: The file in it.
        revision: What git takes for a commit.

    Returns:
        The content; None if the file wasn't there, or nothing is committed yet.

    Raises:
        HistoryError: If git or the repository is missing, or the revision is
            none.
    """
    git = shutil.which("git")
    if git is None:
        raise HistoryError("git is not installed, or not on the path")
    inside = _git(git, root, "rev-parse", "--is-inside-work-tree")
    if inside.returncode:
        reason = inside.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise HistoryError(f"{root} is in no git repository ({reason})")
    commit = _commit(git, root, revision)
    if commit is None:
        return None
    entry = _git(git, root, "ls-tree", "-z", commit, "--", name).stdout
    # mode, kind and object before the tab, as git lists a tree.
    kind, _, blob = entry.partition(b"\t")[0].decode().partition(" ")[2].partition(" ")
    if kind != "blob":
        return None
    found = _git(git, root, "cat-file", "blob", blob)
    if found.returncode:
        raise HistoryError(f"git has no content of {revision}:{name}")
    return found.stdout


def _commit(git: str, root: Path, revision: str) -> str | None:
    wanted = f"{revision}^{{commit}}"
    verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", wanted]
    found = _git(git, root, *verify)
    if not found.returncode:
        return found.stdout.decode().strip()
    # Before the first commit everything is new.
    if revision == "HEAD" and not _git(git, root, "symbolic-ref", "HEAD").returncode:
        return None
    raise HistoryError(f"git knows no revision {revision!r}")


def _git(git: str, root: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    command = [git, "-C", str(root), *words]
    return subprocess.run(  # noqa: S603 - no shell, and the revision is no option
        command, capture_output=True, check=False
    )
