"""What the generator says of a recipe is what its class in the runtime takes."""

import inspect
import json
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from interceptgen.recipes import RECIPES, Recipe, Variant
from interceptgen.recipes.listing import recipes_as_json
from interceptgen.recipes.patterns import example_of
from interceptgen.recipes.values import Pattern
from runtime.recipes.linear_pattern import linear

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "recipes" / "README.md").read_text(encoding="utf-8")
TESTS = ROOT / "templates" / "testing" / "recipes"
each_recipe = pytest.mark.parametrize("recipe", RECIPES.values(), ids=list(RECIPES))
PATTERN: TypeAdapter[str] = TypeAdapter(Pattern)


def keywords(recipe: Recipe | Variant) -> dict[str, Any]:
    """Give the parameters of a recipe's class, with their defaults."""
    made = getattr(import_module(f"runtime.{recipe.module}"), recipe.class_name)
    parameters = inspect.signature(made).parameters.values()
    assert {each.kind for each in parameters} == {inspect.Parameter.KEYWORD_ONLY}
    return {each.name: each.default for each in parameters}


@each_recipe
def test_settings_are_the_keywords_of_the_class(recipe: Recipe) -> None:
    fields = recipe.settings.model_fields
    wanted = {
        name: inspect.Parameter.empty if field.is_required() else field.default
        for name, field in fields.items()
    }
    taken: set[str] = set()
    made: list[Recipe | Variant] = [recipe, *recipe.variants]
    for found in map(keywords, made):
        # What one class can't do without, another doesn't take at all.
        needed = {name for name in found if found[name] is inspect.Parameter.empty}
        apart = {name for name in needed if wanted.get(name, "") is None}
        assert not apart or recipe.variants
        for name in found.keys() - apart:
            assert found[name] == wanted[name]
        assert list(found) == [name for name in fields if name in found]
        taken |= found.keys()
    assert taken == fields.keys()


@each_recipe
def test_what_add_starts_with_is_enough(recipe: Recipe) -> None:
    recipe.settings.model_validate(recipe.start("my_name"))
    for variant in recipe.variants:
        chosen = {variant.parameter: variant.value}
        recipe.settings.model_validate({**variant.start, **chosen})


@each_recipe
def test_generated_tests_hold_the_settings_that_they_name(recipe: Recipe) -> None:
    source = (TESTS / f"test_{recipe.name}.py").read_text(encoding="utf-8")
    constants = set(re.findall(r"^([A-Z_]+)(?:: .*)? = ", source, re.MULTILINE))
    assert "NAME" in constants
    assert {name.upper() for name in recipe.settings.model_fields} & constants


@each_recipe
def test_page_says_what_the_command_says(recipe: Recipe) -> None:
    (told,) = json.loads(recipes_as_json([recipe]))["recipes"]
    assert f"## {recipe.name}\n\n{recipe.description}" in PAGE
    for each in told["parameters"]:
        row = f"| `{each['name']}` | {each['type']} |"
        meaning = f"| {each['description'].removesuffix('.')} |"
        assert any(
            line.startswith(row) and line.endswith(meaning)
            for line in PAGE.splitlines()
        ), f"{row} ... {meaning}"


def test_recipes_are_listed_by_name() -> None:
    assert list(RECIPES) == sorted(RECIPES)
    assert {name: recipe.name for name, recipe in RECIPES.items()} == {
        name: name for name in RECIPES
    }


PATTERNS = st.from_regex(
    r"\A(\(?(\?:)?[ab.]([*+?]|\{2,\}|\{0,1\}|\{,1\}|\{1,200\})?\|?\)?"
    r"([*+?|]|\{2\}|\{0,1\}|\{,1\}[?+]?|\{x)?){1,4}\Z"
)


@pytest.mark.parametrize(
    "pattern", ["(a+)+", "(a+){2}", "(?:a*)*?", "(a|b+)*x", "(?x)(a+) *", "(a{1,200})+"]
)
def test_a_repeat_in_a_repeat_is_refused(pattern: str) -> None:
    with pytest.raises(ValidationError, match="repeats what repeats"):
        PATTERN.validate_python(pattern)
    with pytest.raises(ValueError, match="nested quantifiers"):
        linear(pattern)


@pytest.mark.parametrize(
    "pattern",
    ["(a+)?", "a+b*", "(ab)+", "(a{1,3})+", "[(a+)+]", "(a+){0,1}", "(a+){,1}", "()"],
)
def test_other_repeats_are_accepted(pattern: str) -> None:
    assert PATTERN.validate_python(pattern) == pattern
    assert linear(pattern).pattern == pattern


def refuses(judge: Callable[[str], object], pattern: str) -> bool:
    try:
        judge(pattern)
    except ValueError:
        return True
    return False


@given(PATTERNS)
def test_spec_and_start_up_judge_a_pattern_alike(pattern: str) -> None:
    assert refuses(PATTERN.validate_python, pattern) == refuses(linear, pattern)


def is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


@given(PATTERNS)
def test_an_example_of_a_pattern_matches_it(pattern: str) -> None:
    if not is_pattern(pattern):
        return
    text = example_of(pattern)
    assert text is None or re.search(pattern, text)


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        ("ignore (all )?previous", "ignore previous"),
        (r"(?i)begin [A-Z]+ key", "begin A key"),
        (r"\b\d{3}-\d{2}\b", "111-11"),
        ("a|b", "a"),
        ("(?<=a)b", None),
    ],
)
def test_example_is_the_simplest(pattern: str, example: str | None) -> None:
    assert example_of(pattern) == example
