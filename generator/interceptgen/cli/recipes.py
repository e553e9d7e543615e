"""The commands about ready-made interceptors: recipes, add."""

from collections.abc import Sequence
from pathlib import Path

import click

from interceptgen.cli.running import (
    find,
    print_done,
    print_lines,
    project_argument,
    reported,
)

__all__ = ["add", "recipes"]


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="For people, or for programs.",
)
def recipes(form: str) -> None:
    """List the recipes that `use:` may name, with their seams and parameters."""
    from interceptgen.recipes import RECIPES, listing

    if form == "json":
        click.echo(listing.recipes_as_json(RECIPES.values()))
    else:
        print_lines(listing.recipe_lines(RECIPES.values()))


@click.command()
@click.argument("recipe")
@project_argument
@click.option("--name", help="The interceptor's name; the recipe's by default.")
@click.option(
    "--with",
    "given",
    multiple=True,
    metavar="KEY=VALUE",
    help="A parameter; VALUE is YAML, such as 60, [a, b] or {env: NAME}.",
)
def add(recipe: str, path: Path, name: str | None, given: Sequence[str]) -> None:
    """Add RECIPE to the end of the chain in interceptors.yaml, and generate.

    Nothing that stands in the file is changed, comments included. Nothing is
    written if the spec would have problems.
    """
    from interceptgen import adding

    with reported():
        done = adding.add(find(path), recipe, name, _settings(given))
    click.echo(f"added {name or recipe} to interceptors.yaml")
    print_done(done)


def _settings(given: Sequence[str]) -> dict[str, str]:
    pairs = [item.partition("=") for item in given]
    settings: dict[str, str] = {}
    for key, equals, value in pairs:
        if not equals:
            raise click.UsageError(f"--with {key}: write KEY=VALUE")
        if key in settings:
            raise click.UsageError(f"--with {key} is given twice")
        settings[key] = value
    return settings
