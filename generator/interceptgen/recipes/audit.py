"""The recipe `audit`."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal

from pydantic import Field

from interceptgen.recipes.chain import Chain
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings, TextOrEnv, bad_value
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["AUDIT"]

_NAME: Final = "audit"
_CHANGE_WHAT_LEAVES: Final = ("redact", "outbound_allowlist")


def _path_problem(path: object) -> Problem | None:
    if not isinstance(path, str) or (path.strip() and path.isprintable()):
        return None
    return bad_value(f"{shown(path)} is no path of a file", "such as audit.jsonl")


class Audit(Settings):
    """The parameters of `audit`."""

    path: Annotated[TextOrEnv, rule(_path_problem)] = Field(
        description="The file, made if need be; a relative path begins where the"
        " service is started.",
    )
    sink: Literal["jsonl", "sqlite"] = Field(
        default="jsonl",
        description="What the file is: a JSON object in each line, or a SQLite"
        " database.",
    )
    hash_chain: bool = Field(
        default=True,
        description="Whether each row holds the hash of the one before it.",
    )
    on_sink_error: Literal["closed", "open"] = Field(
        default="closed",
        description="Whether messages are refused or let in while the file can't be"
        " written.",
    )
    sink_timeout_s: float = Field(
        default=2,
        gt=0,
        description="Seconds after which a file that doesn't answer is down.",
    )
    queue: int = Field(
        default=10_000,
        ge=1,
        description="How many rows may wait to be written.",
    )


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


def _start(_: str) -> Mapping[str, object]:
    return {"path": "audit.jsonl"}


AUDIT: Final = Recipe(
    name=_NAME,
    description="Writes down how each request ended, without a text of it.",
    seams=("before_agent", "send", "on_exit"),
    settings=Audit,
    class_name="Audit",
    module="recipes.auditing.audit",
    relations=(_measures_what_leaves,),
    start=_start,
)
