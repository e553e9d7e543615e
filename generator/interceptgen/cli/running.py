"""What the commands share: finding the project, printing, exit codes."""

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path

import click

from interceptgen.errors import UserError

__all__ = ["NOT_CURRENT", "find", "print_lines", "project_argument", "reported"]

NOT_CURRENT, BAD_INPUT = 1, 2

project_argument = click.argument(
    "path", required=False, default=".", type=click.Path(path_type=Path)
)


def find(path: Path) -> Path:
    """Find the project's folder from what stands on the command line."""
    from interceptgen.project import find_project

    return find_project(path)


@contextmanager
def reported() -> Generator[None, None, None]:
    """Show what a person can mend as lines, without a traceback."""
    try:
        yield
    except UserError as error:
        click.echo(str(error), err=True)
        sys.exit(BAD_INPUT)


def print_lines(lines: Iterable[str], *, err: bool = False) -> None:
    """Print the lines."""
    for line in lines:
        click.echo(line, err=err)
