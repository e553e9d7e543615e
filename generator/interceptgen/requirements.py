"""What a service has to depend on: looked for in its pyproject.toml, and added.

A requirement counts by its name: which version, and which extras, is the user's
choice. Nothing is ever changed or removed.
"""

import re
from collections.abc import Iterable, Iterator, MutableSequence
from typing import TypeAlias, cast

__all__ = ["PYPROJECT", "missing_requirements", "with_requirements"]

PYPROJECT = "pyproject.toml"

_Toml: TypeAlias = "dict[str, _Toml] | list[_Toml] | str | int | float | bool | None"


def missing_requirements(
    pyproject: bytes | None, wanted: Iterable[str]
) -> tuple[str, ...]:
    """Name the requirements that a project doesn't state.

    Args:
        pyproject: The project's pyproject.toml; None for none.
        wanted: Requirements, such as `pyjwt[crypto]>=2.10`.

    Returns:
        Those that are missing; none where that can't be told, because another
        tool than the standard's tables says what the project depends on.
    """
    stated = None if pyproject is None else _stated(pyproject)
    if stated is None:
        return ()
    names = {_name(text) for text in stated if isinstance(text, str)}
    return tuple(each for each in wanted if _name(each) not in names)


def with_requirements(pyproject: bytes, new: Iterable[str]) -> bytes:
    """State further requirements; every byte that stands there stays.

    Args:
        pyproject: A pyproject.toml that `missing_requirements` could tell of.
        new: The requirements.
    """
    # Imported here: a project that is current needs none of it.
    import tomlkit  # noqa: PLC0415
    from tomlkit.items import Array, Table  # noqa: PLC0415

    document = tomlkit.parse(pyproject.decode())
    project = document["project"]
    if not isinstance(project, Table):
        raise TypeError("[project] is no table")
    if "dependencies" not in project:
        project["dependencies"] = tomlkit.array().multiline(multiline=True)
    listed = project["dependencies"]
    if not isinstance(listed, Array):
        raise TypeError("project.dependencies is no list")
    texts = cast("MutableSequence[str]", listed)
    for requirement in new:
        texts.append(requirement)
    return document.as_string().encode()


def _stated(pyproject: bytes) -> "list[_Toml] | None":
    # Imported here, as tomlkit above.
    import tomllib  # noqa: PLC0415

    try:
        content: dict[str, _Toml] = tomllib.loads(pyproject.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return None
    project = content.get("project")
    if not isinstance(project, dict) or "dependencies" in _dynamic(project):
        return None
    listed = project.get("dependencies", [])
    return listed if isinstance(listed, list) else None


def _dynamic(project: "dict[str, _Toml]") -> "Iterator[_Toml]":
    named = project.get("dynamic")
    yield from named if isinstance(named, list) else ()


def _name(requirement: str) -> str:
    name = re.match(r"[A-Za-z0-9._-]*", requirement.strip())
    return re.sub(r"[-_.]+", "-", name[0]).lower() if name else ""
