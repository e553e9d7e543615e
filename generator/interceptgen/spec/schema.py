"""The JSON Schema of `interceptors.yaml`, for editors."""

import json

from pydantic.json_schema import GenerateJsonSchema

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
    schema = {
        "$schema": GenerateJsonSchema.schema_dialect,
        **Spec.model_json_schema(schema_generator=_WithoutFieldTitles),
        "title": "interceptors.yaml",
    }
    return json.dumps(schema, indent=2, ensure_ascii=True) + "\n"
