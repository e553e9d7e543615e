"""The recipe `artifacts`."""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from interceptgen.recipes.chain import Chain
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings, bad_value
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["ARTIFACTS"]

_NAME: Final = "artifacts"


def _name_problem(text: str) -> Problem | None:
    if text.strip() and text.isprintable():
        return None
    hint = "such as report.pdf, *.pdf or user:*"
    return bad_value(f"{shown(text)} is no name of an artifact", hint)


_ArtifactName: TypeAlias = Annotated[str, rule(_name_problem)]


class Artifacts(Settings):
    """The parameters of `artifacts`."""

    max_bytes: int = Field(
        default=1_000_000,
        ge=1,
        description="Most bytes of one artifact, decoded.",
    )
    over_cap: Literal["reference", "fail"] = Field(
        default="reference",
        description="What becomes of a larger one: a note in its place, or a task that"
        " fails.",
    )
    names: tuple[_ArtifactName, ...] = Field(
        default=("*",),
        description="Which are delivered, by name; * stands for any text.",
    )


def _delivers_something(chain: Chain) -> Iterator[Finding]:
    for use in chain.uses(_NAME):
        if isinstance(use.settings, Artifacts) and not use.settings.names:
            problem = bad_value("'names' is empty", 'leave it out, or write ["*"]')
            yield Finding(loc=use.setting("names"), problem=problem)


def _samples(settings: Settings) -> Mapping[str, object]:
    """Give a name for each that is delivered, and one that isn't, if there is one."""
    if not isinstance(settings, Artifacts):
        return {}
    patterns = [name.replace("[", "[[]").replace("?", "[?]") for name in settings.names]
    others = ("not-listed", "user:not-listed", "~")
    return {
        "LISTED": tuple(name.replace("*", "a") for name in settings.names),
        "UNLISTED": tuple(
            name
            for name in others
            if not any(fnmatchcase(name, pattern) for pattern in patterns)
        ),
    }


ARTIFACTS: Final = Recipe(
    name=_NAME,
    description="Delivers what the agent saves as artifacts, up to a size.",
    seams=("adk_event", "after_event"),
    settings=Artifacts,
    class_name="Artifacts",
    module="recipes.outbound.artifacts",
    relations=(_delivers_something,),
    samples=_samples,
)
