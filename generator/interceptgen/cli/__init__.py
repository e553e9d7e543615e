"""The command line: parses, calls the pipeline, prints, gives the exit code.

A command imports what it needs when it runs: `--help` pays for click alone.
"""

import click

from interceptgen.cli.handover import eject, fork, unfork
from interceptgen.cli.making import new
from interceptgen.cli.project import check, diff, generate, schema
from interceptgen.cli.recipes import add, recipes
from interceptgen.cli.telling import changes, explain
from interceptgen.cli.updating import update

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="interceptgen")
def main() -> None:
    """From a spec of A2A interceptors to a tested Google ADK service."""


for command in (
    *(new, generate, check, diff, schema, update, recipes, add),
    *(explain, changes, fork, unfork, eject),
):
    main.add_command(command)
