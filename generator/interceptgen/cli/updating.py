"""The command that takes in the template's news."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interceptgen.cli.making import answers_of
from interceptgen.cli.running import (
    NOT_CURRENT,
    find,
    print_lines,
    project_argument,
    reported,
)

if TYPE_CHECKING:
    from interceptgen.update import Outcome

__all__ = ["update"]


@click.command()
@project_argument
@click.option("--defaults", is_flag=True, help="Take the default of what is new.")
@click.option(
    "--data", multiple=True, metavar="KEY=VALUE", help="Change an answer, or give one."
)
@click.option("--vcs-ref", metavar="REF", help="The template's tag or commit to take.")
@click.option("--continue", "go_on", is_flag=True, help="Conflicts are solved: go on.")
@click.option("--abort", is_flag=True, help="Undo the update that is under way.")
def update(  # noqa: PLR0913 - each option is one of the command line's
    path: Path,
    *,
    defaults: bool,
    data: Sequence[str],
    vcs_ref: str | None,
    go_on: bool,
    abort: bool,
) -> None:
    """Take in the template's news, then generate and check: all of it or nothing.

    Your files are merged, never replaced; what can't be merged is left with
    conflict markers. Needs a git repository without uncommitted changes.

    Exits with 1 if there are conflicts, or if a check finds something.
    """
    if (go_on or abort) and (defaults or data or vcs_ref or (go_on and abort)):
        message = "--continue and --abort stand alone"
        raise click.UsageError(message)
    from interceptgen import update as work

    with reported():
        root = find(path)
        if abort:
            work.abort(root)
            click.echo("undone: every file is as it was before the update")
            return
        if go_on:
            outcome = work.resume(root)
        else:
            outcome = work.begin(
                root,
                data=answers_of(data),
                ref=vcs_ref,
                interactive=sys.stdin.isatty() and not defaults,
            )
    _tell(outcome)


def _tell(outcome: "Outcome") -> None:
    from interceptgen import report

    if outcome.blocked:
        print_lines(report.conflict_lines(outcome.blocked), err=True)
        click.echo("then update again", err=True)
        sys.exit(NOT_CURRENT)
    for one in outcome.merges:
        if one.result.value != "same":
            reason = f": {one.reason}" if one.reason else ""
            click.echo(f"{one.result:8} {one.path}{reason}")
    if outcome.conflicts:
        click.echo("\nsolve the conflicts between the markers in:", err=True)
        print_lines((f"  {path}" for path in outcome.conflicts), err=True)
        click.echo("then: interceptgen update --continue", err=True)
        click.echo("or undo all of it: interceptgen update --abort", err=True)
        sys.exit(NOT_CURRENT)
    for step in outcome.generated.changes if outcome.generated else ():
        click.echo(f"{step.action:8} {step.path}")
    if outcome.note:
        click.echo(f"note: {outcome.note}")
    if outcome.left and report.is_news(outcome.left):
        print_lines(report.as_lines(outcome.left))
        sys.exit(NOT_CURRENT)
    click.echo("up to date with the template")
