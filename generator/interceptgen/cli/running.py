"""What the commands share: finding the project, printing, exit codes."""

import os
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interceptgen.errors import UserError

if TYPE_CHECKING:
    from interceptgen.plan import Plan

__all__ = [
    "NOT_CURRENT",
    "find",
    "in_workspace",
    "print_done",
    "print_lines",
    "project_argument",
    "reported",
]

NOT_CURRENT, BAD_INPUT = 1, 2
INTERRUPTED = 130
"""What a shell gives for a command that Ctrl-C ended."""

project_argument = click.argument(
    "path", required=False, default=".", type=click.Path(path_type=Path)
)


def find(path: Path) -> Path:
    """Find the project's folder from what stands on the command line."""
    from interceptgen.project import find_project

    return find_project(path)


@contextmanager
def reported(*, annotated: Path | None = None) -> Generator[None, None, None]:
    """Show what a person can mend as lines, without a traceback.

    Args:
        annotated: The project whose spec's problems are shown as a GitHub
            workflow takes them as well; None for not so.
    """
    try:
        yield
    except UserError as error:
        click.echo(str(error), err=True)
        if annotated is not None:
            print_lines(_annotations(error, annotated))
        sys.exit(BAD_INPUT)
    except OSError as error:
        click.echo(f"{error.filename}: {error.strerror}", err=True)
        sys.exit(BAD_INPUT)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)
        sys.exit(INTERRUPTED)


def _annotations(error: UserError, path: Path) -> Iterable[str]:
    from interceptgen.diagnostics import SpecError

    if not isinstance(error, SpecError):
        return ()
    from interceptgen.report import spec_annotations

    return spec_annotations(error, folder=in_workspace(find(path)))


def in_workspace(root: Path) -> str:
    """Name a project's folder as a GitHub workflow does; empty for its root."""
    workspace = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    if root == workspace or not root.is_relative_to(workspace):
        return ""
    return root.relative_to(workspace).as_posix()


def print_lines(lines: Iterable[str], *, err: bool = False) -> None:
    """Print the lines."""
    for line in lines:
        click.echo(line, err=err)


def print_done(done: "Plan | None") -> None:
    """Tell what a run did, or exit with why it did nothing."""
    if done is None:
        click.echo("nothing to do")
        return
    from interceptgen import report

    if done.conflicts:
        print_lines(report.conflict_lines(done), err=True)
        sys.exit(NOT_CURRENT)
    for step in done.changes:
        click.echo(f"{step.action:8} {step.path}")
    print_lines(report.as_lines(done, done=True))
    if not done.changes:
        click.echo("nothing to do")
