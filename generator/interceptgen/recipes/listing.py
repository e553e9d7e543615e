"""The recipes for people and for programs."""

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from interceptgen.recipes.recipe import Recipe

__all__ = ["recipe_lines", "recipes_as_json"]

_WIDTH = 88


def recipe_lines(recipes: Iterable[Recipe]) -> Iterator[str]:
    """Tell of each recipe what it does, where, and what it takes."""
    for number, recipe in enumerate(recipes):
        if number:
            yield ""
        yield f"{recipe.name}: {recipe.description}"
        more = "; may stand more than once" if recipe.repeatable else ""
        yield f"  acts at {', '.join(recipe.seams)}{more}"
        if recipe.requires:
            yield f"  needs {', '.join(recipe.requires)}"
        for variant in recipe.variants:
            value = f": {variant.value}" if variant.value else ""
            chosen = f"{variant.parameter}{value}"
            yield f"  needs {', '.join(variant.requires)} with {chosen}"
        for each in _parameters(recipe):
            yield f"  {each['name']}: {_kind(each)}"
            yield from _indented(each["description"])


def _indented(text: str) -> list[str]:
    margin = " " * 6
    return textwrap.wrap(text, _WIDTH, initial_indent=margin, subsequent_indent=margin)


def recipes_as_json(recipes: Iterable[Recipe]) -> str:
    """Tell the same to a program."""
    listed = [
        {
            "name": recipe.name,
            "description": recipe.description,
            "seams": recipe.seams,
            "repeatable": recipe.repeatable,
            "requires": recipe.requires,
            **_variants(recipe),
            "parameters": list(_parameters(recipe)),
        }
        for recipe in recipes
    ]
    return json.dumps({"recipes": listed}, indent=1, ensure_ascii=False)


def _variants(recipe: Recipe) -> dict[str, Any]:
    """Tell what else is needed with which value, if there is such a one."""
    told = [
        {
            "parameter": each.parameter,
            "value": each.value,
            "requires": each.requires,
        }
        for each in recipe.variants
    ]
    return {"variants": told} if told else {}


def _parameters(recipe: Recipe) -> Iterator[dict[str, Any]]:
    """Give each parameter in the words of the spec's schema."""
    schema = recipe.settings.model_json_schema()
    required = schema.get("required", [])
    for name, described in schema["properties"].items():
        yield {
            "name": name,
            "type": _type(described),
            "required": name in required,
            **({} if name in required else {"default": described["default"]}),
            "description": described["description"],
        }


def _kind(parameter: Mapping[str, Any]) -> str:
    if parameter["required"]:
        return f"{parameter['type']}, required"
    if parameter["default"] is None:
        return f"{parameter['type']}, optional"
    default = json.dumps(parameter["default"], ensure_ascii=False)
    return f"{parameter['type']}, {default} by default"


def _type(described: Mapping[str, Any]) -> str:
    choices = described.get("anyOf") or described.get("oneOf")
    if choices:
        kinds = [_type(each) for each in choices]
        return " or ".join(kind for kind in kinds if kind != "null")
    if "enum" in described:
        return " or ".join(map(str, described["enum"]))
    if "$ref" in described:
        return "{env: NAME}"
    if described["type"] == "array":
        return f"list of {_type(described['items'])}"
    return _WORDS[described["type"]] + _limits(described)


_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "mapping",
    "null": "null",
}


def _limits(described: Mapping[str, Any]) -> str:
    limits = {
        "from": described.get("minimum"),
        "above": described.get("exclusiveMinimum"),
        "to": described.get("maximum"),
    }
    told = [f" {word} {limit}" for word, limit in limits.items() if limit is not None]
    return "".join(told)
