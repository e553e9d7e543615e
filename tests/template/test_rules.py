"""The rules of the questions agree with Python's and with the spec's."""

import ast
import json
import keyword
import re
import sys
import tomllib
from collections.abc import Callable

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.requirements import Requirement
from tests.template.copies import ROOT, RULES

from interceptgen.pipeline import read_service
from interceptgen.recipes.registry import RECIPES


def test_the_lists_hold_what_python_holds() -> None:
    assert set(keyword.kwlist) <= set(RULES.KEYWORDS)
    assert set(keyword.softkwlist) <= {*RULES.SOFT_KEYWORDS, "_"}
    public = {name for name in sys.stdlib_module_names if not name.startswith("_")}
    assert public <= set(RULES.STANDARD_LIBRARY)


def test_the_task_needs_what_the_generator_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tree = ast.parse((ROOT / "templates" / "complete.py").read_text(encoding="utf-8"))
    requirements, python = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id in {"REQUIREMENTS", "MINIMUM_PYTHON"}
    )
    wanted = {
        name
        for name in project["project"]["dependencies"]
        if Requirement(name).name != "copier"
    }
    assert set(requirements) == wanted
    assert project["project"]["requires-python"] == f">={'.'.join(map(str, python))}"


def test_each_recipe_starts_with_settings_or_asks_for_them() -> None:
    known = {*RULES.STARTERS, *RULES.WANTING, "safe_errors", "trace"}
    assert known == set(RECIPES)
    for name in RULES.WANTING:
        assert "--with" in RULES.interceptors_problem([name])
    assert not RULES.interceptors_problem([*RULES.STARTERS])


def test_the_spec_takes_what_recipes_start_with() -> None:
    # audit has to stand below what it is to see the result of.
    starters = sorted(RULES.STARTERS.items(), key=lambda item: item[0] == "audit")
    chain = [
        {"name": name, "use": name, "with": yaml.safe_load(f"{{{given}}}")}
        for name, given in starters
    ]
    head = {"package": "orders", "description": "Orders."}
    spec = {"version": 1, "service": head, "agent": "a:b", "interceptors": chain}
    read_service("interceptors.yaml", json.dumps(spec).encode())


@settings(deadline=None)
@given(st.text(max_size=100))
def test_any_title_gives_a_package_name(title: str) -> None:
    assert RULES.package_problem(RULES.slug(title)) == ""


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_folder_gives_a_title(folder: str) -> None:
    assert RULES.text_problem(RULES.title(folder), 80) == ""


NAMES = [
    *("orders", "a", "a1_b2", "user", "packaging", "orders_agent", "a" * 60),
    *("", "Orders", "_a", "a_", "a__b", "1a", "a-b", "é", "a\n", "a" * 61),
    *("class", "match", "json", "google", "tests", "src", "aux", "lpt1"),
    *("config", "hooks", "a2a_event", "execution", "hooks_", "executor_context"),
]
REFERENCES = [
    *("a:b", "a.b:c", "a.b.c:D", "_a:_b", "a" * 198 + ":b", "match.case:type"),
    *("", "a", "a.b", "a:b:c", "a/b:c", "a.:b", ".a:b", "a:b\n", "a.class:b", "é:b"),
    "a" * 199 + ":b",
]
TEXTS = ["x", "é 😀", "", " ", "a\tb", "\x7f", "\u200b", "\u202e", "\ufeff", "\ud800"]


@pytest.mark.parametrize(
    ("values", "macro", "module", "function"),
    [
        (NAMES, "package_problem", "names", "package_name_problem"),
        (NAMES, "name_or_taken", "names", "interceptor_name_problem"),
        (REFERENCES, "reference_problem", "texts", "reference_problem"),
        (TEXTS, "short_text_problem", "texts", "description_problem"),
    ],
)
def test_what_a_question_takes_the_spec_takes(
    values: list[str], macro: str, module: str, function: str
) -> None:
    spec = pytest.importorskip(f"interceptgen.spec.{module}")
    judge: Callable[[str], object] = getattr(spec, function)
    ask: dict[str, Callable[[str], str]] = {
        "package_problem": RULES.package_problem,
        "name_or_taken": lambda name: RULES.interceptor_problem(name, []),
        "reference_problem": RULES.reference_problem,
        "short_text_problem": lambda text: RULES.text_problem(text, 500),
    }
    taken = [value for value in values if not ask[macro](value)]
    assert taken
    assert [value for value in taken if judge(value) is not None] == []


def test_each_question_has_a_help_a_default_and_a_rule() -> None:
    questions = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
    for key, question in questions.items():
        if key.startswith("_"):
            continue
        assert re.fullmatch(r".*[?.]", question["help"])
        # An agent of one's own is the only thing that can't be guessed.
        assert ("default" in question) == (key != "agent_ref")
        ruled = {"validator", "choices"} & question.keys()
        assert ruled or question["type"] == "bool", key
