"""What the commands share: finding the project, printing, exit codes."""

import os
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

import click

from interceptgen.errors import UserError

__all__ = [
    "NOT_CURRENT",
    "find",
    "in_workspace",
    "print_lines",
    "project_argument",
    "reported",
]

NOT_CURRENT, BAD_INPUT = 1, 2

project_argument = click.argument(
    "path", required=False, default=".", type=click.Path(path_type=Path)
)


def find(path: Path) -> Path:
    """Find the project's folder from what stands on the command line."""
    from interceptgen.project import find_project

    return find_project(path)


@contextmanager
def reported(*, annotated: bool = False) -> Generator[None, None, None]:
    """Show what a person can mend as lines, without a traceback.

    Args:
        annotated: Show the problems of a spec as a GitHub workflow takes them.
    """
    try:
        yield
    except UserError as error:
        click.echo(str(error), err=True)
        if annotated:
            print_lines(_annotations(error))
        sys.exit(BAD_INPUT)


def _annotations(error: UserError) -> Iterable[str]:
    from interceptgen.diagnostics import SpecError
    from interceptgen.report import spec_annotations

    return spec_annotations(error) if isinstance(error, SpecError) else ()


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
