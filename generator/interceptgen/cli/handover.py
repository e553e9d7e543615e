"""The commands that move ownership: fork, unfork, eject."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interceptgen.cli.running import (
    NOT_CURRENT,
    find,
    print_lines,
    project_argument,
    reported,
)

if TYPE_CHECKING:
    from interceptgen.ejection import Ejection

__all__ = ["eject", "fork", "unfork"]


@click.command()
@click.argument("file")
@project_argument
def fork(file: str, path: Path) -> None:
    """Make one of the tool's files yours: no run touches it again.

    FILE keeps every byte, but for the first line that says that it is generated.
    """
    from interceptgen import ownership

    with reported():
        done = ownership.fork(find(path), file)
    click.echo(f"forked {done.steps[0].path}: yours from now on")


@click.command()
@click.argument("file")
@project_argument
@click.option("--yes", "--force", "yes", is_flag=True, help="Your version may go.")
def unfork(file: str, path: Path, *, yes: bool) -> None:
    """Give a forked FILE back to the tool.

    Where yours differs from what the tool would write, the difference is shown
    and nothing is done, unless you say --yes.
    """
    from interceptgen import ownership

    with reported():
        made, done = ownership.unfork(find(path), file, lossy=yes)
    (step,) = made.steps
    if done:
        click.echo(f"unforked {step.path}: the tool's from now on")
        return
    from interceptgen import report

    click.echo(f"{step.path}: yours differs from what interceptgen would write:")
    print_lines(f"  {line}" for line in report.step_diff(step))
    click.echo(
        "nothing was done; to give it back, and lose the lines with '-': "
        f"interceptgen unfork {step.path} --yes",
        err=True,
    )
    sys.exit(NOT_CURRENT)


@click.command()
@project_argument
@click.option("--yes", is_flag=True, help="Don't ask.")
def eject(path: Path, *, yes: bool) -> None:
    """End the tool's ownership of everything; the service stays as it is.

    Removes interceptgen.lock, the lines that say that files are generated, and
    what the template put in to call interceptgen.
    """
    from interceptgen import ownership

    with reported():
        root = find(path)
        _confirm(yes=yes)
        warning = _warning(root)
        done = ownership.eject(root)
    if warning:
        click.echo(warning, err=True)
    print_lines(_told(done))


def _confirm(*, yes: bool) -> None:
    if yes:
        return
    if not is_terminal():
        message = "no terminal to ask at; say --yes to end interceptgen's ownership"
        raise click.UsageError(message)
    click.confirm("End interceptgen's ownership of this project?", abort=True)


def is_terminal() -> bool:
    """Tell whether there is a person to ask."""
    return sys.stdin.isatty()


def _warning(root: Path) -> str:
    """Say where the code is not that of its spec, which no run mends any more."""
    from interceptgen import pipeline
    from interceptgen.diagnostics import SpecError

    try:
        plan = pipeline.check(root)
    except SpecError:
        return "warning: interceptors.yaml has problems; the code is that of before"
    if plan is not None and plan.changes:
        return "warning: the code was not in line with interceptors.yaml"
    return ""


def _told(done: "Ejection") -> Iterator[str]:
    for step in done.plan.changes:
        yield f"{step.action:8} {step.path}"
    yield "delete   interceptgen.lock"
    yield "ejected: every file is yours; nothing reads interceptors.yaml any more"
    if done.by_hand:
        yield "still names interceptgen, to be changed by hand:"
        yield from (f"  {line}" for line in done.by_hand)
