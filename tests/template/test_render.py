"""What copier renders, for every pair of answers."""

import itertools
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

Render = Callable[..., Path]

ANSWERS: dict[str, list[object]] = {
    "agent": ["echo", "gemini", "workflow", "existing"],
    "implementation": ["new", "legacy", "client"],
    "runner": ["lazy", "eager"],
    "interceptors": [[], ["house_style", "journal"], ["redact", "rate_limit"]],
    "docker": [True, False],
    "ci": [True, False],
}
HOSTILE = 'Say "hi", don\'t \\ {{ agent }} {% if %} {# é 😀 # : - `x` $HOME | *b* </b>'
WINDOWS_REFUSES = re.compile(r'[<>:"|?*\\\x00-\x1f]|[ .]$')


def pairwise(options: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Give few combinations that hold each pair of values of two keys."""
    everything = [
        dict(zip(options, values, strict=True))
        for values in itertools.product(*options.values())
    ]

    def pairs(one: dict[str, Any]) -> set[str]:
        return {repr(pair) for pair in itertools.combinations(one.items(), 2)}

    wanted: set[str] = set[str]().union(*map(pairs, everything))
    chosen: list[dict[str, Any]] = []
    while wanted:
        best = max(everything, key=lambda one: len(pairs(one) & wanted))
        chosen.append(best)
        wanted -= pairs(best)
    return chosen


def answers_of(combination: dict[str, Any]) -> dict[str, Any]:
    """Add the answer that only an existing agent needs."""
    extra = {"agent_ref": "shop.agents:root"} if is_existing(combination) else {}
    return combination | extra


def is_existing(combination: dict[str, Any]) -> bool:
    """Tell whether the agent is the user's own."""
    return bool(combination["agent"] == "existing")


def label(combination: dict[str, Any]) -> str:
    """Name a combination."""
    return "-".join(
        "_".join(value) if key == "interceptors" else str(value)
        for key, value in combination.items()
    )


@pytest.mark.parametrize("combination", pairwise(ANSWERS), ids=label)
def test_each_pair_of_answers_renders(
    render: Render, plain: Path, combination: dict[str, Any]
) -> None:
    service = render(**answers_of(combination))
    files = {
        path.relative_to(service).as_posix(): path.read_bytes()
        for path in service.rglob("*")
        if path.is_file()
    }

    spec = yaml.safe_load(files["interceptors.yaml"])
    named = [interceptor["name"] for interceptor in spec["interceptors"]]
    assert named == ["safe_errors", *combination["interceptors"]]
    assert spec["implementation"] == combination["implementation"]
    assert spec["runner"]["resolve"] == combination["runner"]
    assert ("Dockerfile" in files) == combination["docker"]
    assert ("compose.yaml" in files) == combination["docker"]
    assert (".dockerignore" in files) == combination["docker"]
    assert (service / ".github").exists() == combination["ci"]
    assert ("src/orders/agent.py" in files) != is_existing(combination)
    assert tomllib.loads(files["pyproject.toml"].decode())["project"]["name"]
    for name, text in files.items():
        if name.endswith((".yaml", ".yml")):
            yaml.safe_load(text)
        assert text.endswith(b"\n"), name
        assert not text.endswith(b"\n\n"), name
        assert b"\r" not in text, name
        assert str(plain).encode() not in text, name
        assert str(service).encode() not in text, name
        assert sys.prefix.encode() not in text, name


@pytest.mark.parametrize("agent", ["echo", "gemini", "workflow"])
@pytest.mark.parametrize("package_name", ["a", "a" * 60])
def test_python_is_linted_and_formatted(
    render: Render, agent: str, package_name: str
) -> None:
    service = render(agent=agent, package_name=package_name)
    for command in (["check"], ["format", "--check"]):
        run = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--no-cache", "."],
            cwd=service,
            capture_output=True,
            check=False,
            text=True,
        )
        assert run.returncode == 0, run.stdout + run.stderr


def test_text_of_a_person_stays_text(render: Render) -> None:
    service = render(
        project_name=HOSTILE[:80], package_name="orders", description=HOSTILE
    )
    project = tomllib.loads((service / "pyproject.toml").read_text(encoding="utf-8"))
    spec = yaml.safe_load((service / "interceptors.yaml").read_text(encoding="utf-8"))
    answers = yaml.safe_load(
        (service / ".copier-answers.yml").read_text(encoding="utf-8")
    )
    assert project["project"]["description"] == HOSTILE
    assert spec["service"]["description"] == HOSTILE
    assert answers["description"] == HOSTILE
    readme = (service / "README.md").read_text(encoding="utf-8").splitlines()
    for shown, written in ((readme[0], HOSTILE[:80]), (readme[2], HOSTILE)):
        assert re.sub(r"\\(.)", r"\1", shown.removeprefix("# ")) == written


def test_the_spec_names_its_schema_without_a_machine_path(render: Render) -> None:
    first = (render() / "interceptors.yaml").read_text(encoding="utf-8").split("\n")[0]
    assert first == "# yaml-language-server: $schema=./interceptors.schema.json"


def test_an_existing_agent_stands_in_the_spec(render: Render) -> None:
    service = render(agent="existing", agent_ref="shop.agents:root")
    spec = yaml.safe_load((service / "interceptors.yaml").read_text(encoding="utf-8"))
    assert spec["agent"] == "shop.agents:root"


def test_recipes_stand_in_the_spec_with_settings(render: Render) -> None:
    service = render(interceptors=["redact", "house_style", "rate_limit"])
    spec = yaml.safe_load((service / "interceptors.yaml").read_text(encoding="utf-8"))
    assert [one.get("use") for one in spec["interceptors"]] == [
        "safe_errors",
        "redact",
        None,
        "rate_limit",
    ]
    assert spec["interceptors"][-1]["with"] == {"limit": "60/minute"}


def test_file_names_are_valid_on_windows(render: Render, plain: Path) -> None:
    service = render(interceptors=["journal"])
    for root in (plain / "templates", service):
        for path in root.rglob("*"):
            assert not WINDOWS_REFUSES.search(path.name), path
            assert len(str(path.relative_to(root))) < 120, path


def test_formatting_leaves_generated_paths_alone(render: Render) -> None:
    service = render(package_name="orders")
    untidy = "x = {  'a':1 }\n"
    owned = ["src/orders/service/app.py", "tests/generated/test_app.py"]
    for name in [*owned, "src/orders/own.py"]:
        (service / name).parent.mkdir(parents=True, exist_ok=True)
        (service / name).write_text(untidy)
    command = [sys.executable, "-m", "ruff", "format", "--no-cache", "."]
    subprocess.run(command, cwd=service, capture_output=True, check=True)
    assert [(service / name).read_text() for name in owned] == [untidy, untidy]
    assert (service / "src/orders/own.py").read_text() != untidy
