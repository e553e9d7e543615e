"""The command that makes a service."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from interceptgen.cli.running import reported

__all__ = ["answers_of", "new"]


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--defaults", is_flag=True, help="Take the default of what isn't given.")
@click.option(
    "--data", multiple=True, metavar="KEY=VALUE", help="Answer a question beforehand."
)
def new(folder: Path, *, defaults: bool, data: Sequence[str]) -> None:
    """Make a service in FOLDER, complete with generated code."""
    from interceptgen import pipeline, template

    with reported():
        root = template.new_service(
            folder,
            data=answers_of(data),
            defaults=defaults,
            interactive=sys.stdin.isatty() and not defaults,
        )
        pipeline.generate(root)
    click.echo(f"made {folder}; next: cd {folder} && uv run pytest")


def answers_of(data: Sequence[str]) -> dict[str, str]:
    """Read the answers that stand on a command line.

    Raises:
        click.UsageError: If one isn't KEY=VALUE.
    """
    pairs = [item.partition("=") for item in data]
    for key, equals, _ in pairs:
        if not equals:
            message = f"--data {key}: write KEY=VALUE"
            raise click.UsageError(message)
    return {key: value for key, _, value in pairs}
