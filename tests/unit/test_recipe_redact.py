"""The spec judges `redact` as its class in the runtime does."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from interceptgen.recipes.bounded_patterns import BoundedPattern, width_of
from interceptgen.recipes.entities import EXAMPLES, WIDTHS, Entity
from runtime.recipes.redaction.bounded_pattern import bounded
from runtime.recipes.redaction.entities import ENTITIES, EntityName
from runtime.recipes.redaction.masks import Mask
from runtime.recipes.redaction.redact import Redact
from runtime.recipes.redaction.scanning import Scanner
from runtime.recipes.redaction.whole_text import WholeText

PATTERN: TypeAdapter[str] = TypeAdapter(BoundedPattern)


def test_entities_are_those_of_the_runtime() -> None:
    assert get_args(Entity) == get_args(EntityName) == tuple(ENTITIES)


@pytest.mark.parametrize("name", ENTITIES)
def test_widths_are_those_of_the_runtime(name: EntityName) -> None:
    assert WIDTHS[name] == max(form.width for form in ENTITIES[name])


@pytest.mark.parametrize("name", ENTITIES)
def test_examples_are_found(name: EntityName) -> None:
    scanner = Scanner([(name, form) for form in ENTITIES[name]])
    text = f"It is {EXAMPLES[name]}, he said."
    assert WholeText(scanner, Mask()).redact(text) == f"It is [{name}], he said."


PATTERNS = st.lists(
    st.sampled_from(
        [
            *("a", "b", ".", r"\d", r"\w", "[ab]", "[^a]", "(", "(?:", ")", "|", "é"),
            *("?", "*", "+", "{2}", "{1,3}", "{,3}", "{2,}", "{1,2000}", "*?", "*+"),
            *(r"\b", r"\B", "^", "$", r"\A", r"\Z", "(?=", "(?<!", r"\1", "(?P<n>"),
            *("(?i)", "(?a)", "(?x)", "(?s:", "(?#c)", r"\u0041", r"[\u0041]", r"\x41"),
            *(
                "(?>",
                "(?(1)a|b)",
                r"\n",
                r"\$",
                "[$^]",
                r"\N{DIGIT ONE}",
                "[[:alpha:]]",
            ),
        ]
    ),
    min_size=1,
    max_size=6,
).map("".join)


def _accepts(pattern: str) -> bool:
    try:
        PATTERN.validate_python(pattern)
    except ValidationError:
        return False
    return True


@pytest.mark.filterwarnings("ignore:Possible nested set:FutureWarning")
@given(PATTERNS)
def test_spec_and_start_up_judge_a_pattern_alike(pattern: str) -> None:
    try:
        width: int | None = bounded(pattern)
    except ValueError:
        width = None
    assert _accepts(pattern) == (width is not None)
    if width is not None:
        assert width_of(pattern) == width


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("a(?=b)", "has a look-around"),
        (r"(a)\1", "has a reference"),
        ("^a", "has an anchor"),
        ("a++", "has a possessive repeat"),
        (r"\u0041", "Python's"),
        ("a{,3}b", "Python's"),
        ("a*", "matches nothing"),
        ("a+", "has no longest match"),
        ("(a+)+", "repeats what repeats"),
    ],
)
def test_why_a_pattern_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        PATTERN.validate_python(pattern)
    with pytest.raises(ValueError, match=r".+"):
        Redact(patterns=(pattern,))
