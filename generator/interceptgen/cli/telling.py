"""The commands that only tell: explain, changes."""

from pathlib import Path

import click

from interceptgen.cli.running import find, print_lines, project_argument, reported

__all__ = ["changes", "explain"]


@click.command()
@click.argument("item")
@project_argument
def explain(item: str, path: Path) -> None:
    """Tell what ITEM owns, in which state, and what the next run does to it.

    ITEM is an interceptor, one of its hooks (house_style.after_event), or a file.
    """
    from interceptgen import ownership, pipeline, report

    with reported():
        root = find(path)
        found = pipeline.survey(root)
        plan = found.plan()
        paths = {step.path for step in plan.steps}
        lines = report.explain(
            ownership.named(root, item, paths) or item,
            service=found.service,
            files=found.files,
            records=found.snapshot.records,
            plan=plan,
        )
    print_lines(lines)


@click.command()
@click.option(
    "--since", default="HEAD", metavar="REV", help="The git revision to compare with."
)
@project_argument
def changes(path: Path, since: str) -> None:
    """Tell in words what an edit of interceptors.yaml means.

    Compares with the spec as it was committed; fit for a pull request.
    """
    from interceptgen import pipeline, report
    from interceptgen.cli.history import committed
    from interceptgen.project import SPEC_NAME

    with reported():
        root = find(path)
        before = committed(root, SPEC_NAME, since)
        old = (
            None
            if before is None
            else pipeline.read_service(f"{since}:{SPEC_NAME}", before)
        )
        new = pipeline.read_service(SPEC_NAME, (root / SPEC_NAME).read_bytes())
    told = report.describe_changes(old, new)
    print_lines(f"- {line}" for line in told)
    if not told:
        click.echo(f"{SPEC_NAME} means the same as at {since}")
