"""The command line: parses, calls the pipeline, prints, gives the exit code."""

import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

__all__ = ["main"]

NOT_CURRENT, BAD_INPUT = 1, 2

_project = click.argument(
    "path", required=False, default=".", type=click.Path(path_type=Path)
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="interceptgen")
def main() -> None:
    """From a spec of A2A interceptors to a tested Google ADK service."""


@main.command()
@_project
@click.option("--force", is_flag=True, help="Discard edits of the tool's own files.")
def generate(path: Path, *, force: bool) -> None:
    """Bring the service in line with its interceptors.yaml."""
    from interceptgen import pipeline

    with _reported():
        done = pipeline.generate(_find(path), force=force)
    if done is None:
        click.echo("nothing to do")
        return
    from interceptgen import report

    if done.conflicts:
        _print(report.conflict_lines(done), err=True)
        sys.exit(NOT_CURRENT)
    for step in done.changes:
        click.echo(f"{step.action:8} {step.path}")
    _print(report.as_lines(done, done=True))
    if not done.changes:
        click.echo("nothing to do")


@main.command()
@_project
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    help="For people, or for programs.",
)
def check(path: Path, form: str) -> None:
    """Tell whether the service is in line with its interceptors.yaml.

    Exits with 0 if it is, 1 if something is stale, edited, missing or an
    orphan, 2 if the spec has problems. Writes nothing.
    """
    from interceptgen import pipeline

    with _reported():
        found = pipeline.check(_find(path))
    if found is None:
        click.echo('{"files": []}' if form == "json" else "up to date")
        return
    from interceptgen import report

    if form == "json":
        click.echo(report.as_json(found))
    else:
        _print(report.as_lines(found) if report.is_news(found) else ["up to date"])
    sys.exit(NOT_CURRENT if report.is_news(found) else 0)


@main.command()
@_project
def diff(path: Path) -> None:
    """Print what generate would do, as a unified diff; exits with 1 if anything."""
    from interceptgen import pipeline

    with _reported():
        found = pipeline.check(_find(path))
    if found is None:
        return
    from interceptgen import report

    _print(report.as_diff(found))
    sys.exit(NOT_CURRENT if found.changes or found.conflicts else 0)


@main.command()
def schema() -> None:
    """Print the JSON Schema of interceptors.yaml, for editors."""
    from interceptgen.resources import schema_text

    click.echo(schema_text(), nl=False)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--defaults", is_flag=True, help="Take the default of what isn't given.")
@click.option(
    "--data", multiple=True, metavar="KEY=VALUE", help="Answer a question beforehand."
)
def new(folder: Path, *, defaults: bool, data: Sequence[str]) -> None:
    """Make a service in FOLDER, complete with generated code."""
    from interceptgen import pipeline, template

    with _reported():
        root = template.new_service(
            folder,
            data=_answers(data),
            defaults=defaults,
            interactive=sys.stdin.isatty() and not defaults,
        )
        pipeline.generate(root)
    click.echo(f"made {folder}; next: cd {folder} && uv run pytest")


def _answers(data: Sequence[str]) -> dict[str, str]:
    pairs = [item.partition("=") for item in data]
    for key, equals, _ in pairs:
        if not equals:
            message = f"--data {key}: write KEY=VALUE"
            raise click.UsageError(message)
    return {key: value for key, _, value in pairs}


def _find(path: Path) -> Path:
    from interceptgen.project import find_project

    return find_project(path)


@contextmanager
def _reported() -> Generator[None, None, None]:
    """Show what a person can mend as lines, without a traceback."""
    from interceptgen.errors import UserError

    try:
        yield
    except UserError as error:
        click.echo(str(error), err=True)
        sys.exit(BAD_INPUT)


def _print(lines: Iterable[str], *, err: bool = False) -> None:
    for line in lines:
        click.echo(line, err=err)
