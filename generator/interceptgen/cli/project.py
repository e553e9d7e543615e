"""The commands of every day: generate, check, diff, schema."""

import sys
from pathlib import Path

import click

from interceptgen.cli.running import (
    NOT_CURRENT,
    find,
    in_workspace,
    print_done,
    print_lines,
    project_argument,
    reported,
)

__all__ = ["check", "diff", "generate", "schema"]


@click.command()
@project_argument
@click.option("--force", is_flag=True, help="Discard edits of the tool's own files.")
def generate(path: Path, *, force: bool) -> None:
    """Bring the service in line with its interceptors.yaml."""
    from interceptgen import pipeline

    with reported():
        done = pipeline.generate(find(path), force=force)
    print_done(done)


@click.command()
@project_argument
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    help="For people, for programs, or as annotations of a GitHub workflow.",
)
def check(path: Path, form: str) -> None:
    """Tell whether the service is in line with its interceptors.yaml.

    Exits with 0 if it is, 1 if something is stale, edited, missing or an
    orphan, 2 if the spec has problems. Writes nothing.
    """
    from interceptgen import pipeline
    from interceptgen.baseline import template_state

    with reported(annotated=path if form == "github" else None):
        root = find(path)
        found = pipeline.check(root)
        template = template_state(root)
    if found is None and template is None:
        click.echo('{"files": []}' if form == "json" else "up to date")
        return
    from interceptgen import report

    if form == "json":
        click.echo(report.as_json(found, template=template))
    elif form == "github":
        folder = in_workspace(root)
        print_lines(report.as_annotations(found, folder=folder, template=template))
    else:
        print_lines(report.as_lines(found, template=template))
    if found is not None and report.is_news(found):
        sys.exit(NOT_CURRENT)
    if form != "json":
        click.echo("up to date")


@click.command()
@project_argument
def diff(path: Path) -> None:
    """Print what generate would do, as a unified diff; exits with 1 if anything."""
    from interceptgen import pipeline

    with reported():
        found = pipeline.check(find(path))
    if found is None:
        return
    from interceptgen import report

    print_lines(report.as_diff(found))
    sys.exit(NOT_CURRENT if found.changes or found.conflicts else 0)


@click.command()
def schema() -> None:
    """Print the JSON Schema of interceptors.yaml, for editors."""
    from interceptgen.resources import schema_text

    click.echo(schema_text(), nl=False)
