"""Where the files lie that the generator copies: a checkout or an installed wheel."""

from functools import cache
from pathlib import Path

__all__ = [
    "part_test_source",
    "recipe_test_source",
    "runtime_source",
    "schema_text",
    "template_root",
    "testing_source",
]

_PACKAGE = Path(__file__).parent


@cache
def template_root() -> Path:
    """Find the folder that holds `copier.yml` beside `templates/`.

    Returns:
        The checkout that this package is run from, else the copy in the wheel.
    """
    checkout = _PACKAGE.parent.parent
    if (checkout / "copier.yml").is_file() and (checkout / "templates").is_dir():
        return checkout
    return _PACKAGE / "_template"


@cache
def runtime_source(name: str) -> str:
    """Read a module that services receive as it is.

    Args:
        name: The module's file below that folder, such as `serving/gate.py`.
    """
    return _read(template_root() / "templates" / "runtime" / name)


@cache
def testing_source(name: str) -> str:
    """Read a test module that services receive as it is.

    Args:
        name: The module's file name, such as `harness.py`.
    """
    return _read(template_root() / "templates" / "testing" / name)


@cache
def part_test_source(name: str) -> str | None:
    """Read the test module of a module that services receive as it is.

    Args:
        name: The module's file name, such as `folding.py`.

    Returns:
        The tests, or None for a module that is tested as a part of others only.
    """
    path = template_root() / "templates" / "testing" / "parts" / f"test_{name}"
    return _read(path) if path.is_file() else None


@cache
def recipe_test_source(recipe: str) -> str:
    """Read the test module that services receive for a recipe, with their values."""
    folder = template_root() / "templates" / "testing" / "recipes"
    return _read(folder / f"test_{recipe}.py")


@cache
def schema_text() -> str:
    """Read the JSON Schema of the spec."""
    return _read(_PACKAGE / "spec" / "interceptors.schema.json")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
