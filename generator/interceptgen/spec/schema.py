"""The JSON Schema of `interceptors.yaml`, for editors."""

import json
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from interceptgen.recipes import RECIPES, Recipe
from interceptgen.spec.model import Spec

__all__ = ["schema_text"]


class _WithoutFieldTitles(GenerateJsonSchema):
    """A title that repeats the key helps no reader of a schema."""

    def field_title_should_be_set(self, schema: object) -> bool:
        """Never."""
        del schema
        return False


def schema_text() -> str:
    """Give the schema (draft 2020-12) as text, the same at every call."""
    described = _schema_of(Spec)
    _describe_recipes(described["$defs"])
    schema = {
        "$schema": GenerateJsonSchema.schema_dialect,
        **described,
        "title": "interceptors.yaml",
    }
    return json.dumps(schema, indent=2, ensure_ascii=True) + "\n"


def _describe_recipes(parts: dict[str, Any]) -> None:
    """Let `use:` offer the recipes, and let each say what its `with:` takes."""
    entry = parts["InterceptorSpec"]
    entry["properties"]["use"]["anyOf"] = [
        *(
            {"const": recipe.name, "description": recipe.description}
            for recipe in RECIPES.values()
        ),
        {"type": "null"},
    ]
    entry["allOf"] = [_with(recipe) for recipe in RECIPES.values()]
    for recipe in RECIPES.values():
        settings = _schema_of(recipe.settings)
        parts |= settings.pop("$defs", {})
        parts[recipe.class_name] = settings


def _with(recipe: Recipe) -> dict[str, Any]:
    fields = recipe.settings.model_fields.values()
    needed = ["with"] if any(field.is_required() for field in fields) else []
    return {
        "if": {"properties": {"use": {"const": recipe.name}}, "required": ["use"]},
        "then": {
            "properties": {"with": {"$ref": f"#/$defs/{recipe.class_name}"}},
            "required": needed,
        },
    }


def _schema_of(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema(schema_generator=_WithoutFieldTitles)
