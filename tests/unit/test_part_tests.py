"""Tests of copied modules, and the services that they are measured on."""

import yaml

from interceptgen.recipes.registry import RECIPES
from interceptgen.resources import template_root

TEMPLATES = template_root() / "templates"
SPECS = template_root() / "tests" / "mutation" / "services" / "specs"


def test_each_test_is_of_a_module() -> None:
    """No service would receive it otherwise."""
    modules = {path.name for path in (TEMPLATES / "runtime").rglob("*.py")}
    tests = [path.name for path in (TEMPLATES / "testing" / "parts").glob("*.py")]
    assert tests
    assert not [name for name in tests if name.removeprefix("test_") not in modules]


def test_each_recipe_is_in_a_measured_service() -> None:
    found = [yaml.safe_load(path.read_bytes()) for path in SPECS.glob("*.yaml")]
    used = {each.get("use") for spec in found for each in spec["interceptors"]}
    assert used - {None} == set(RECIPES)
