"""The schema and the two reference pages say what the model does."""

import importlib
import json
import re
from pathlib import Path
from types import ModuleType

import pytest
import yaml

from interceptgen.diagnostics import CODES, SpecError
from interceptgen.spec import schema
from interceptgen.spec.loader import load_spec
from interceptgen.spec.model import Spec
from interceptgen.spec.schema import schema_text

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "tests" / "specs"
ERRORS = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "spec.md").read_text(encoding="utf-8")
EXAMPLES = [
    block
    for block in re.findall(r"```yaml\n(.*?)```", REFERENCE, re.DOTALL)
    if block.startswith("version")
]
# An editor's "$" is the end of the text, and it knows no merge keys; this
# test's libraries differ.
READ_OTHERWISE = {"E002_merge_key", "E030_newline"}
# Mistakes of shape alone: what an editor can see without our rules.
SHAPES = ("E002", "E003", "E004", "E006", "E007", "E030", "E034", "E035", "E040")


def jsonschema() -> ModuleType:
    # It has no types of its own; google-adk brings it.
    return importlib.import_module("jsonschema")


def editor_accepts(data: bytes) -> bool:
    checked = jsonschema().Draft202012Validator(json.loads(schema_text()))
    return bool(checked.is_valid(yaml.safe_load(data)))


def test_schema_file_is_the_model() -> None:
    file = Path(schema.__file__).with_name("interceptors.schema.json")
    assert file.read_text(encoding="utf-8") == schema_text(), (
        "write schema_text() to this file"
    )


def test_schema_is_a_schema() -> None:
    parsed = json.loads(schema_text())
    assert parsed["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema().Draft202012Validator.check_schema(parsed)


def test_schema_describes_every_key() -> None:
    parsed = json.loads(schema_text())
    parts = [parsed, *parsed["$defs"].values()]
    silent = [
        key
        for part in parts
        for key, value in part["properties"].items()
        if "description" not in value
    ]
    assert silent == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_is_valid_for_the_tool_and_the_editor(example: str) -> None:
    load_spec("spec.md", example.encode())
    assert editor_accepts(example.encode())


def test_first_example_has_every_key() -> None:
    spec = load_spec("spec.md", EXAMPLES[0].encode())
    parts = [spec, spec.service, spec.runner, spec.run, spec.server, spec.converters]
    entry = spec.interceptors[0]
    fields = [entry.config["signature"], entry.state["signed"]]
    for part in [*parts, entry, *fields]:
        left_out = set(type(part).model_fields) - part.model_fields_set
        assert left_out <= {"use", "with_"}


@pytest.mark.parametrize(
    "name",
    sorted(
        path.stem
        for path in SPECS.glob("*.yaml")
        if path.stem[:4] in SHAPES and path.stem not in READ_OTHERWISE
    ),
)
def test_editor_sees_a_mistake_of_shape(name: str) -> None:
    assert not editor_accepts((SPECS / f"{name}.yaml").read_bytes())


def test_every_key_is_in_the_reference() -> None:
    for prefix, part in [
        ("", Spec),
        *((f"{name}.", field.annotation) for name, field in Spec.model_fields.items()),
    ]:
        for name in getattr(part, "model_fields", ()):
            assert f"`{prefix}{name}" in REFERENCE


def test_every_code_is_documented_once_in_order() -> None:
    headings = re.findall(r"^## (E\d{3}): (.*)$", ERRORS, re.MULTILINE)
    assert headings == list(CODES.items())


@pytest.mark.parametrize("code", CODES)
def test_documented_line_is_what_the_tool_says(code: str) -> None:
    (line,) = re.findall(rf"^interceptors\.yaml:.*: {code} .*$", ERRORS, re.MULTILINE)
    if code == "E011":
        with pytest.raises(SpecError) as caught:
            load_spec("interceptors.yaml", b"#" * (1024 * 1024 + 1))
        assert [line] == [str(one) for one in caught.value.diagnostics]
        return
    files = SPECS.glob(f"{code}_*.txt")
    said = {one for file in files for one in file.read_text("utf-8").splitlines()}
    assert line in said
