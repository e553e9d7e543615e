"""The recipe `audit`."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import Field

from interceptgen.recipes.chain import Chain, Use
from interceptgen.recipes.recipe import Recipe, Variant
from interceptgen.recipes.settings import Secret, Settings, TextOrEnv, bad_value
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["AUDIT"]

_NAME: Final = "audit"
_DATABASE: Final = "sqlalchemy"
_CHANGE_WHAT_LEAVES: Final = ("redact", "outbound_allowlist")


def _path_problem(path: object) -> Problem | None:
    if not isinstance(path, str) or (path.strip() and path.isprintable()):
        return None
    return bad_value(f"{shown(path)} is no path of a file", "such as audit.jsonl")


class Audit(Settings):
    """The parameters of `audit`."""

    path: Annotated[TextOrEnv, rule(_path_problem)] | None = Field(
        default=None,
        description="The file of jsonl and sqlite, made if need be; a relative path"
        " begins where the service is started.",
    )
    url: Secret | None = Field(
        default=None,
        description="The database of sqlalchemy, as SQLAlchemy names it.",
    )
    sink: Literal["jsonl", "sqlite", "sqlalchemy"] = Field(
        default="jsonl",
        description="What rows are written to: a JSON object in each line of a file, a"
        " SQLite file, or the table audit of any database that SQLAlchemy knows.",
    )
    hash_chain: bool = Field(
        default=True,
        description="Whether each row holds the hash of the one before it.",
    )
    on_sink_error: Literal["closed", "open"] = Field(
        default="closed",
        description="Whether messages are refused or let in while the sink can't be"
        " written to.",
    )
    sink_timeout_s: float = Field(
        default=2,
        gt=0,
        description="Seconds after which a sink that doesn't answer is down.",
    )
    queue: int = Field(
        default=10_000,
        ge=1,
        description="How many rows may wait to be written.",
    )


def _place_fits(chain: Chain) -> Iterator[Finding]:
    """Report a sink without a place, and a place that nobody writes to."""
    for use in chain.uses(_NAME):
        if isinstance(use.settings, Audit):
            yield from _misplaced(use, use.settings)


def _misplaced(use: Use, settings: Audit) -> Iterator[Finding]:
    sink = settings.sink
    needs, unused = ("url", "path") if sink == _DATABASE else ("path", "url")
    way = {"path": "path: audit.jsonl", "url": "url: {env: AUDIT_URL}"}
    if getattr(settings, needs) is None:
        problem = bad_value(f"sink: {sink} needs {needs!r}", f"add {way[needs]}")
        yield Finding(loc=use.setting(), problem=problem, at_key=True)
    if getattr(settings, unused) is not None:
        message = f"{unused!r} is never read with sink: {sink}"
        problem = bad_value(message, "leave it out, or name another sink")
        yield Finding(loc=use.setting(unused), problem=problem, at_key=True)


def _measures_what_leaves(chain: Chain) -> Iterator[Finding]:
    """Report an audit above a recipe that still changes what it measures."""
    for use in chain.uses(_NAME):
        below = chain.entries[chain.entries.index(use) :]
        changing = [each.name for each in below if each.recipe in _CHANGE_WHAT_LEAVES]
        if changing:
            last = shown(changing[-1])
            message = (
                f"{shown(use.name)} measures what leaves, and {last} below it still"
                " changes that"
            )
            problem = Problem(
                code="E048", message=message, hint=f"move it below {last}"
            )
            yield Finding(loc=(*use.loc, "use"), problem=problem)


def _samples(settings: Settings) -> Mapping[str, object]:
    return {"SINK": settings.sink} if isinstance(settings, Audit) else {}


def _environment(_: Settings) -> Mapping[str, str]:
    # Tests write to a file of their own, wherever the service does.
    return {"url": "sqlite://"}


def _start(_: str) -> Mapping[str, object]:
    return {"path": "audit.jsonl"}


AUDIT: Final = Recipe(
    name=_NAME,
    description="Writes down how each request ended, without a text of it.",
    seams=("before_agent", "send", "on_exit"),
    settings=Audit,
    class_name="Audit",
    module="recipes.auditing.audit",
    variants=(
        Variant(
            parameter="sink",
            value=_DATABASE,
            class_name="DatabaseAudit",
            module="recipes.auditing.database",
            requires=("sqlalchemy>=2",),
            start=MappingProxyType({"url": {"env": "AUDIT_URL"}}),
        ),
    ),
    relations=(_place_fits, _measures_what_leaves),
    samples=_samples,
    environment=_environment,
    start=_start,
)
