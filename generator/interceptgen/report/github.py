"""A plan as annotations of a GitHub workflow run."""

from collections.abc import Iterator

from interceptgen.diagnostics import SpecError
from interceptgen.plan import Plan
from interceptgen.report.findings import State, findings

__all__ = ["as_annotations", "spec_annotations"]


def as_annotations(
    plan: Plan | None, *, folder: str = "", template: str | None = None
) -> Iterator[str]:
    """Tell what is not as the spec wants it, as workflow commands.

    Args:
        plan: The plan; None for a project that is up to date.
        folder: The project's folder in the repository; empty for its root.
        template: What is to be said of the template, if anything.
    """
    for found in findings(plan) if plan else ():
        level = "notice" if found.state is State.LEFT_OUT else "error"
        about = f"{found.function}: " if found.function else ""
        hint = f"; {found.hint}" if found.hint else ""
        yield _command(
            level,
            {
                "file": _join(folder, found.path),
                "line": str(found.line or 1),
                "title": f"interceptgen: {found.state}",
            },
            f"{about}{found.reason}{hint}",
        )
    if template:
        yield _command("notice", {"title": "interceptgen: template"}, template)


def spec_annotations(error: SpecError, *, folder: str = "") -> Iterator[str]:
    """Tell the problems of a spec in the same way."""
    for found in error.diagnostics:
        hint = f"; {found.hint}" if found.hint else ""
        yield _command(
            "error",
            {
                "file": _join(folder, found.path),
                "line": str(found.line),
                "col": str(found.column),
                "title": f"interceptgen: {found.code}",
            },
            f"{found.message}{hint}",
        )


def _command(level: str, properties: dict[str, str], message: str) -> str:
    named = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{level} {named}::{_data(message)}"


def _data(text: str) -> str:
    """Escape as the runner's own toolkit does; the percent sign first."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _join(folder: str, path: str) -> str:
    return f"{folder}/{path}" if folder else path
