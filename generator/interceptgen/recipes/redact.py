"""The recipe `redact`."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field

from interceptgen.recipes.bounded_patterns import BoundedPattern, width_of
from interceptgen.recipes.chain import Chain, Use
from interceptgen.recipes.entities import EXAMPLES, WIDTHS, Entity
from interceptgen.recipes.patterns import example_of
from interceptgen.recipes.recipe import Recipe, Variant
from interceptgen.recipes.settings import Secret, Settings, bad_value
from interceptgen.recipes.values import PublicText
from interceptgen.spec.fields import Reference, rule
from interceptgen.spec.problem import Finding, Problem, shown

__all__ = ["REDACT"]

_NAME: Final = "redact"


def _presidio_problem(name: str) -> Problem | None:
    if name == "EMAIL_ADDRESS":
        message = "to find 'EMAIL_ADDRESS', Presidio loads a list from the network"
        return bad_value(message, "write email under entities:")
    if re.fullmatch(r"[A-Z][A-Z0-9_]*", name):
        return None
    hint = "such as PERSON or LOCATION"
    return bad_value(f"{shown(name)} is no entity of Presidio", hint)


PresidioEntity: TypeAlias = Annotated[str, rule(_presidio_problem)]
"""The name of an entity, as Presidio's documentation has it."""


class Redact(Settings):
    """The parameters of `redact`."""

    entities: tuple[Entity, ...] = Field(
        default=("email", "card", "iban", "phone", "secret"),
        description="What is looked for.",
    )
    patterns: tuple[BoundedPattern, ...] = Field(
        default=(),
        description="Further regular expressions to look for, in the syntax of RE2.",
    )
    presidio: tuple[PresidioEntity, ...] = Field(
        default=(),
        description="What Presidio looks for besides, by its names, such as PERSON.",
    )
    analyzer: Reference | None = Field(
        default=None,
        description="What gives Presidio's AnalyzerEngine, as module:function; one"
        " without a language model, for English, if left out.",
    )
    presidio_timeout_s: float = Field(
        default=5,
        gt=0,
        description="Seconds after which an event that Presidio reads fails its task.",
    )
    mask: Literal["fixed", "keep_last", "hash"] = Field(
        default="fixed",
        description="What stands in its place: a text, what it ends in, or a keyed"
        " hash.",
    )
    text: PublicText = Field(
        default="[{entity}]",
        description="The text of mask: fixed; {entity} in it is what was found.",
    )
    keep: int = Field(
        default=4,
        ge=1,
        description="How many characters mask: keep_last keeps, of what is three times"
        " as long.",
    )
    hash_key: Secret | None = Field(
        default=None,
        description="The key of mask: hash; 16 characters or more.",
    )
    files: Literal["drop", "pass"] = Field(
        default="drop",
        description="What becomes of a file that isn't text, so can't be searched.",
    )
    hold_back: int = Field(
        default=160,
        ge=1,
        description="Most characters to hold back of a text that comes in chunks.",
    )


def _looks_for_something(chain: Chain) -> Iterator[Finding]:
    for use, settings in _uses(chain):
        if not settings.entities and not settings.patterns:
            problem = bad_value("'entities' is empty", "name one, or add patterns:")
            yield Finding(loc=use.setting("entities"), problem=problem)


def _can_wait_for_all(chain: Chain) -> Iterator[Finding]:
    """Report what a stream would let out before it could be told."""
    for use, settings in _uses(chain):
        most = settings.hold_back
        for at, name in enumerate(settings.entities):
            if WIDTHS[name] > most:
                yield _too_wide(use, ("entities", at), shown(name), WIDTHS[name], most)
        for at, pattern in enumerate(settings.patterns):
            if width_of(pattern) > most:
                width = width_of(pattern)
                yield _too_wide(use, ("patterns", at), shown(pattern), width, most)


def _too_wide(
    use: Use, where: tuple[str, int], what: str, width: int, most: int
) -> Finding:
    message = f"{what} has up to {width} characters, and hold_back is {most}"
    problem = bad_value(message, f"write hold_back: {width}")
    # A default has no place of its own in the spec.
    given = use.settings is not None and where[0] in use.settings.model_fields_set
    loc = use.setting(*where) if given else use.setting("hold_back")
    return Finding(loc=loc, problem=problem)


def _presidio_reads_all(chain: Chain) -> Iterator[Finding]:
    """Report what Presidio can't do with a stream, and what it isn't asked for."""
    for use, settings in _uses(chain):
        given = settings.model_fields_set
        if settings.presidio and "hold_back" not in given:
            message = (
                "Presidio reads whole texts, so one that comes in chunks is held back"
                " to its end"
            )
            hint = "write how long it may be, such as hold_back: 20000"
            problem = bad_value(message, hint)
            yield Finding(loc=use.setting("presidio"), problem=problem)
        for name in ("analyzer", "presidio_timeout_s"):
            if not settings.presidio and name in given:
                hint = "add presidio: with names of entities"
                problem = bad_value(f"{shown(name)} is never used", hint)
                yield Finding(loc=use.setting(name), problem=problem, at_key=True)


def _has_a_key(chain: Chain) -> Iterator[Finding]:
    for use, settings in _uses(chain):
        if settings.mask == "hash" and settings.hash_key is None:
            message = "mask: hash has no key, and anybody could guess what was hashed"
            problem = bad_value(message, "add hash_key: {env: NAME}")
            yield Finding(loc=use.setting("mask"), problem=problem)
        if settings.mask != "hash" and settings.hash_key is not None:
            problem = bad_value("'hash_key' is never used", "add mask: hash")
            yield Finding(loc=use.setting("hash_key"), problem=problem, at_key=True)


def _uses(chain: Chain) -> Iterator[tuple[Use, Redact]]:
    for use in chain.uses(_NAME):
        if isinstance(use.settings, Redact):
            yield use, use.settings


def _samples(settings: Settings) -> Mapping[str, object]:
    """Give a text for all that is looked for, and some for what isn't."""
    if not isinstance(settings, Redact):
        return {}
    own = [(pattern, example_of(pattern)) for pattern in settings.patterns]
    found: list[tuple[str, str]]
    found = [(name, EXAMPLES[name]) for name in settings.entities]
    found += [("redacted", text) for _, text in own if text is not None]
    # Presidio may find them.
    others = (
        ()
        if settings.presidio
        else tuple(
            EXAMPLES[name]
            for name in ("email", "card", "iban", "secret")
            if name not in settings.entities
        )
    )
    return {
        "SECRETS": tuple(found),
        "OTHERS": tuple(
            text
            for text in others
            if not any(re.search(pattern, text) for pattern in settings.patterns)
        ),
    }


def _environment(_: Settings) -> Mapping[str, str]:
    return {"hash_key": "a-key-of-the-tests-for-hashes"}


REDACT: Final = Recipe(
    name=_NAME,
    description="Masks secrets in all that leaves, and so in all that is stored.",
    seams=("after_event", "send"),
    settings=Redact,
    class_name="Redact",
    module="recipes.redaction.redact",
    requires=("google-re2>=1.1.20251105", "python-stdnum>=2.2"),
    variants=(
        Variant(
            parameter="presidio",
            class_name="RedactWithPresidio",
            module="recipes.redaction.redact_presidio",
            requires=("presidio-analyzer>=2.2.366",),
        ),
    ),
    relations=(
        _looks_for_something,
        _can_wait_for_all,
        _presidio_reads_all,
        _has_a_key,
    ),
    samples=_samples,
    environment=_environment,
)
