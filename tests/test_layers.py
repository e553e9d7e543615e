"""The tree reads as the pipeline, and no module looks back.

The arrows are read off the source, imports inside functions included.
"""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "generator" / "interceptgen"
RUNTIME = ROOT / "templates" / "runtime"

# Left may import right, and nothing else of ours. Modules of one package may
# import each other, as long as there is no cycle.
ARROWS: dict[str, frozenset[str]] = {
    "__init__": frozenset(),
    "__main__": frozenset({"cli"}),
    "adding": frozenset(
        {"diagnostics", "pipeline", "plan", "project", "recipes", "snapshot"}
        | {"spec.insertion", "spec.problem", "spec.syntax", "write"}
    ),
    "baseline": frozenset({"resources"}),
    "cli": frozenset(
        {
            *("pipeline", "ownership", "template", "report", "resources", "project"),
            *("adding", "baseline", "diagnostics", "ejection", "plan", "recipes"),
            "update",
        }
    ),
    "contract": frozenset({"files", "render", "service", "spec.names"}),
    "diagnostics": frozenset(),
    "edited": frozenset({"contract", "files", "plan", "shortcut", "snapshot"}),
    "ejection": frozenset({"baseline", "files", "handover", "lock", "plan"}),
    "errors": frozenset(),
    "files": frozenset(),
    "fingerprint": frozenset({"resources"}),
    "handover": frozenset({"files", "lock", "plan"}),
    "lock": frozenset({"files"}),
    "environment": frozenset({"service"}),
    "lower": frozenset(
        {"environment", "lower_recipe", "spec.model", "spec.names", "service"}
    ),
    "lower_recipe": frozenset({"environment", "recipes", "service", "spec.model"}),
    "merge": frozenset({"files"}),
    "ownership": frozenset(
        {"ejection", "handover", "lock", "pipeline", "plan", "snapshot", "write"}
    ),
    "pipeline": frozenset(
        {
            "edited",
            "files",
            "fingerprint",
            "lower",
            "plan",
            "project",
            "render",
            "requirements",
            "service",
            "shortcut",
            "snapshot",
            "spec",
            "write",
        }
    ),
    "plan": frozenset({"files", "merge", "requirements", "snapshot", "lock"}),
    "project": frozenset(),
    "recipes": frozenset(
        {"spec.config_field", "spec.fields", "spec.part", "spec.problem"}
    ),
    "render": frozenset({"service", "files", "resources"}),
    "report": frozenset({"plan", "diagnostics", "files", "lock", "merge", "service"}),
    "requirements": frozenset(),
    "resources": frozenset(),
    "service": frozenset(),
    "shortcut": frozenset({"files", "lock", "snapshot"}),
    "snapshot": frozenset({"lock"}),
    "spec": frozenset({"diagnostics", "recipes"}),
    "template": frozenset({"baseline", "resources"}),
    "update": frozenset(
        {"baseline", "lock", "pipeline", "plan", "project", "resources", "template"}
    ),
    "write": frozenset({"plan", "lock", "snapshot"}),
}
# What a person can mend is said by every stage in the same way.
EVERYWHERE = frozenset({"__init__", "errors"})
# Heavy libraries and the only units that may pay for them.
HEAVY: dict[str, frozenset[str]] = {
    "copier": frozenset({"template"}),
    "jinja2": frozenset(),
    "libcst": frozenset({"merge", "render"}),
    "pydantic": frozenset({"environment", "lower_recipe", "recipes", "spec"}),
    "tomlkit": frozenset({"requirements"}),
    "yaml": frozenset({"spec", "template"}),
}
# The packages of a service's runtime, in the same way.
RUNTIME_ARROWS: dict[str, frozenset[str]] = {
    "seams": frozenset(),
    "boundary": frozenset({"seams"}),
    "serving": frozenset({"boundary", "seams"}),
    "recipes": frozenset({"boundary", "seams"}),
}
SERVICE_SIDE = frozenset({"a2a", "google", "starlette", "uvicorn", "runtime"})
VAGUE = frozenset({"utils", "util", "helpers", "helper", "common", "misc"})
BUDGET = 250


@cache
def modules() -> dict[str, Path]:
    """Map each module's name inside the package to its file."""
    found: dict[str, Path] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        named = parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts
        found[".".join(named)] = path
    return found


def imported(name: str) -> Iterator[str]:
    """Give the dotted names that a module imports, wherever it does so."""
    for node in ast.walk(ast.parse(modules()[name].read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} has a relative import"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(name: str) -> Iterator[str]:
    """Give the modules of ours that a module imports."""
    for target in imported(name):
        head, _, inner = target.partition(".")
        if head != "interceptgen":
            continue
        while inner and inner not in modules():
            inner = inner.rpartition(".")[0]
        yield inner or "__init__"


def unit(name: str) -> str:
    """Give the row that speaks for a module."""
    return name if name in ARROWS else name.partition(".")[0]


def allowed(source: str, target: str) -> bool:
    """Tell whether the table has an arrow between two modules."""
    if target in EVERYWHERE or unit(source) == unit(target):
        return True
    return bool({target, unit(target), target.partition(".")[0]} & ARROWS[unit(source)])


def test_every_module_has_a_row() -> None:
    missing = sorted(name for name in modules() if unit(name) not in ARROWS)
    assert missing == []


@pytest.mark.parametrize("name", modules())
def test_arrows(name: str) -> None:
    wrong = sorted({to for to in own_imports(name) if not allowed(name, to)})
    assert wrong == [], f"{name} may import {sorted(ARROWS[unit(name)])} only"


def test_no_cycle() -> None:
    graph = {
        name: {target for target in own_imports(name) if target != name}
        for name in modules()
    }
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("name", modules())
def test_heavy_libraries_stay_where_they_belong(name: str) -> None:
    heads = {target.partition(".")[0] for target in imported(name)}
    owners = {head: HEAVY[head] for head in heads & set(HEAVY)}
    wrong = sorted(
        head
        for head, units in owners.items()
        if not {unit(name), name.partition(".")[0]} & units
    )
    assert wrong == []


@pytest.mark.parametrize("name", modules())
def test_the_generator_knows_no_service_library(name: str) -> None:
    heads = {target.partition(".")[0] for target in imported(name)}
    assert heads & SERVICE_SIDE == set()


def test_the_runtime_knows_no_generator() -> None:
    wrong = [
        path.name
        for path in RUNTIME.rglob("*.py")
        if "interceptgen" in path.read_text(encoding="utf-8")
    ]
    assert wrong == []


def runtime_imports(path: Path) -> Iterator[Path]:
    """Give the modules of the runtime that one of them imports."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.module is not None
            package = path.parents[node.level - 1]
            yield package.joinpath(*node.module.split(".")).with_suffix(".py")


def test_the_packages_of_the_runtime_look_one_way() -> None:
    found: dict[str, set[str]] = {name: set() for name in RUNTIME_ARROWS}
    for path in RUNTIME.rglob("*/*.py"):
        package = path.relative_to(RUNTIME).parts[0]
        for target in runtime_imports(path):
            assert target.is_file(), f"{path} imports {target}, which is not there"
            found[package].add(target.relative_to(RUNTIME).parts[0])
    wrong = {
        name: sorted(targets - RUNTIME_ARROWS[name] - {name})
        for name, targets in found.items()
        if targets - RUNTIME_ARROWS[name] - {name}
    }
    assert wrong == {}


def test_no_cycle_in_the_runtime() -> None:
    TopologicalSorter(
        {path: set(runtime_imports(path)) for path in RUNTIME.rglob("*.py")}
    ).prepare()


@pytest.mark.parametrize("root", [PACKAGE, RUNTIME], ids=["generator", "runtime"])
def test_modules_are_small_and_well_named(root: Path) -> None:
    for path in root.rglob("*.py"):
        lines = path.read_bytes().count(b"\n")
        assert lines <= BUDGET, f"{path.name} has {lines} lines"
        assert path.stem not in VAGUE
        assert path.parent.name not in VAGUE


@pytest.mark.parametrize("name", modules())
def test_every_module_says_what_is_public(name: str) -> None:
    tree = ast.parse(modules()[name].read_bytes())
    targets = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    holds_nothing = len(tree.body) <= 1
    assert "__all__" in targets or holds_nothing or name == "__main__"
