"""The recipe `request_state`."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, SkipValidation

from interceptgen.recipes.chain import Chain, Use
from interceptgen.recipes.patterns import example_of
from interceptgen.recipes.recipe import Recipe
from interceptgen.recipes.settings import Settings, bad_value
from interceptgen.recipes.values import HeaderName, Pattern
from interceptgen.spec.fields import rule
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["REQUEST_STATE"]

_NAME: Final = "request_state"
_SOURCES: Final = ("header", "claim", "metadata")
_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*\Z")


def _key_problem(key: str) -> Problem | None:
    if key.lower().startswith("adk_"):
        message = f"{shown(key)} is a key of ADK's own"
        return bad_value(message, "choose another key")
    if ":" in key:
        message = f"{shown(key)} holds a scope"
        return bad_value(message, "write scope: temp, session or user")
    if not _KEY.match(key):
        hint = "a letter, then letters, digits and any of . _ -"
        return bad_value(f"{shown(key)} is no key of a state", hint)
    return None


_Default: TypeAlias = str | bool | int | float | None


class RequestState(Settings):
    """The parameters of `request_state`."""

    key: Annotated[str, rule(_key_problem)] = Field(
        description="Key in the state, without its scope.",
    )
    header: HeaderName | None = Field(
        default=None,
        description="HTTP header that the value comes from.",
    )
    claim: str | None = Field(
        default=None,
        description="Verified claim of the caller that it comes from.",
    )
    metadata: str | None = Field(
        default=None,
        description="Key of the request's metadata that it comes from.",
    )
    scope: Literal["temp", "session", "user"] = Field(
        default="temp",
        description="Where it lives: this run, the session, or all sessions of the"
        " user.",
    )
    kind: Literal["str", "int", "float", "bool"] = Field(
        default="str",
        description="Type that it is read as.",
    )
    pattern: Pattern | None = Field(
        default=None,
        description="Regular expression that the whole text must match.",
    )
    max_length: int = Field(
        default=1024,
        ge=1,
        description="Most characters that the text may have.",
    )
    on_missing: Literal["reject", "keep", "default"] = Field(
        default="reject",
        description="Without a value: refuse, keep what the state has, or take the"
        " default.",
    )
    default: SkipValidation[_Default] = Field(
        default=None,
        description="The value for on_missing: default.",
    )
    on_repeated: Literal["reject", "first"] = Field(
        default="reject",
        description="With a header sent twice: refuse, or take the first.",
    )


# The shortest that are more than a digit, as they stand in a header.
_WRITTEN: Final = {"int": "7", "float": "1.5", "bool": "false"}


def _samples(settings: Settings) -> Mapping[str, object]:
    if not isinstance(settings, RequestState):
        return {}
    text = "given"[: settings.max_length]
    if settings.pattern is not None:
        example = example_of(settings.pattern)
        text = example if example is not None else text
    values = {"int": 7, "float": 1.5, "bool": True}
    return {"VALUE": values.get(settings.kind, text)}


def _start(name: str) -> Mapping[str, object]:
    header = "-".join(part.capitalize() for part in name.split("_"))
    return {"key": name, "header": f"X-{header}"}


def _one_source(chain: Chain) -> Iterator[Finding]:
    """Report a value that comes from nowhere, or from two places."""
    for use, settings in _uses(chain):
        given = [name for name in _SOURCES if getattr(settings, name) is not None]
        if not given:
            message = f"{shown(use.name)} says nowhere where its value comes from"
            problem = bad_value(message, "add header:, claim: or metadata:")
            yield Finding(loc=use.setting(), problem=problem, at_key=True)
        for second in given[1:]:
            message = f"{given[0]!r} and {second!r} stand in one recipe"
            problem = bad_value(message, "keep one; another value is another recipe")
            yield Finding(loc=use.setting(second), problem=problem, at_key=True)


def _claims_are_verified(chain: Chain) -> Iterator[Finding]:
    """Report a claim where no token is verified: no request has one."""
    for use, settings in _uses(chain):
        if settings.claim is not None and not chain.uses("bearer_jwt"):
            message = f"nothing in the chain verifies the claim {shown(settings.claim)}"
            hint = "add the recipe bearer_jwt, or write header: or metadata:"
            problem = Problem(code="E048", message=message, hint=hint)
            yield Finding(loc=use.setting("claim"), problem=problem)


def _pattern_fits(chain: Chain) -> Iterator[Finding]:
    """Report a pattern for what is no text."""
    for use, settings in _uses(chain):
        if settings.pattern is not None and settings.kind != "str":
            message = f"'pattern' is for texts, not for {settings.kind}"
            problem = bad_value(message, "leave it out, or write kind: str")
            yield Finding(loc=use.setting("pattern"), problem=problem, at_key=True)


def _length_fits(chain: Chain) -> Iterator[Finding]:
    """Report a length that leaves no room for what is asked for."""
    for use, settings in _uses(chain):
        written = _WRITTEN.get(settings.kind, "")
        if settings.max_length < len(written):
            message = (
                f"a {settings.kind} such as {written} has more than"
                f" {settings.max_length} characters"
            )
            problem = bad_value(message, f"write {len(written)} or more")
            yield Finding(loc=use.setting("max_length"), problem=problem)


def _default_fits(chain: Chain) -> Iterator[Finding]:
    """Report a default that is missing, never taken, or of another type."""
    for use, settings in _uses(chain):
        wanted = settings.on_missing == "default"
        if wanted and settings.default is None:
            message = "'default' is missing, which on_missing takes"
            problem = bad_value(message, "add default:")
            yield Finding(loc=use.setting("on_missing"), problem=problem)
        elif settings.default is not None and not wanted:
            problem = bad_value("'default' is never taken", "add on_missing: default")
            yield Finding(loc=use.setting("default"), problem=problem, at_key=True)
        elif wanted and not _is_a(settings.kind, settings.default):
            message = f"'default' is no {settings.kind}"
            hint = "write a value of that type, or another kind:"
            problem = Problem(code="E050", message=message, hint=hint)
            yield Finding(loc=use.setting("default"), problem=problem)


def _is_a(kind: str, value: object) -> bool:
    if kind == "float":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value).__name__ == kind


def _distinct_keys(chain: Chain) -> Iterator[Finding]:
    """Report two recipes that write one key of the state."""
    first: dict[tuple[str, str], str] = {}
    for use, settings in _uses(chain):
        written = (settings.scope, settings.key)
        if written in first:
            message = (
                f"{shown(use.name)} writes the {settings.scope} key"
                f" {shown(settings.key)} that {shown(first[written])} writes"
            )
            problem = Problem(code="E049", message=message, hint="choose another key")
            yield Finding(loc=use.setting("key"), problem=problem)
        first.setdefault(written, use.name)


def _uses(chain: Chain) -> Iterator[tuple[Use, RequestState]]:
    for use in chain.uses(_NAME):
        if isinstance(use.settings, RequestState):
            yield use, use.settings


REQUEST_STATE: Final = Recipe(
    name=_NAME,
    description="Puts a header, a verified claim or a metadata value into the state.",
    seams=("before_agent", "request"),
    settings=RequestState,
    class_name="RequestState",
    module="recipes.inbound.request_state",
    repeatable=True,
    relations=(
        _one_source,
        _claims_are_verified,
        _pattern_fits,
        _length_fits,
        _default_fits,
        _distinct_keys,
    ),
    samples=_samples,
    start=_start,
)
