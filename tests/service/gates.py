"""The gates of made services, each run for many of them at once."""

import json
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.service.making import Run, run, write

__all__ = ["NO_SOCKET", "mypy", "offline", "pyright", "pyright_by", "ruff"]

# An event loop wakes itself through a pair of Unix sockets.
NO_SOCKET = ("--disable-socket", "--allow-unix-socket")


def offline(service: Path, *words: str) -> Run:
    """Run a service's tests with no socket at all, not even to loopback."""
    plugins = ["anyio.pytest_plugin", "pytest_socket", "no:cacheprovider"]
    options = [word for plugin in plugins for word in ("-p", plugin)]
    options += [*NO_SOCKET, "-q", "--tb=short"]
    return run(service, "pytest", *options, *words)


def ruff(folder: Path, services: Sequence[Path]) -> Run:
    """Lint services in a folder, each by its own rules, and look at their format."""
    names = [each.name for each in services]
    linted = run(folder, "ruff", "check", "--no-cache", *names)
    formatted = run(folder, "ruff", "format", "--check", "--no-cache", *names)
    output = linted.output + formatted.output
    return Run(max(linted.code, formatted.code), output)


def mypy(folder: Path, services: Sequence[Path]) -> Run:
    """Check the types of services that stand side by side in a folder."""
    # In one run, for most of its time goes to the libraries.
    settings = _its_own(services, "mypy") | {
        "explicit_package_bases": True,
        "mypy_path": [*(f"{each}/src" for each in services), str(folder)],
        "files": [f"{each}/{part}" for each in services for part in ("src", "tests")],
    }
    lines = [f"{key} = {json.dumps(value)}\n" for key, value in settings.items()]
    config = folder / "pyproject.toml"
    write(config, "[tool.mypy]\n" + "".join(lines))
    return run(folder, "mypy", "--config-file", config)


def pyright(folder: Path, services: Sequence[Path]) -> Run:
    """Check the types of services that stand side by side in a folder."""
    settings = _its_own(services, "pyright") | {
        "include": [str(path.relative_to(folder)) for path in _once(services)],
        "executionEnvironments": [
            {"root": each.name, "extraPaths": [f"{each.name}/src"]} for each in services
        ],
    }
    config = folder / "pyrightconfig.json"
    write(config, json.dumps(settings))
    return pyright_by(folder, config)


def pyright_by(folder: Path, config: Path) -> Run:
    """Run pyright on this environment's libraries."""
    # By name: a configuration in a folder above would win otherwise.
    words = ("--project", str(config), "--pythonpath", sys.executable)
    return run(folder, "pyright", *words)


def _once(services: Sequence[Path]) -> Iterator[Path]:
    """Give the modules of the services, of equal runtime modules only the first.

    They import nothing but each other, so they are as sound in one as in another.
    """
    seen: set[tuple[str, str]] = set()
    for service in services:
        for path in sorted(service.rglob("*.py")):
            _, _, module = path.as_posix().partition("/service/")
            told = (module, path.read_text(encoding="utf-8"))
            if not module or told not in seen:
                yield path
            seen.add(told)


def _its_own(services: Sequence[Path], tool: str) -> dict[str, Any]:
    """Give a tool's settings, which are the same in all services."""
    found: list[dict[str, Any]] = []
    for service in services:
        text = (service / "pyproject.toml").read_text(encoding="utf-8")
        found.append(tomllib.loads(text)["tool"][tool])
    assert all(settings == found[0] for settings in found)
    assert found[0].get("strict") or found[0].get("typeCheckingMode") == "strict"
    return found[0]
