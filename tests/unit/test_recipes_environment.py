"""What a recipe takes from the environment: never in the spec, never in the code."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import libcst as cst
import pytest
from pydantic import Field

from interceptgen import lower_recipe
from interceptgen.lower import lower
from interceptgen.recipes import RECIPES, Settings
from interceptgen.recipes.settings import EnvRef, Secret, TextOrEnv
from interceptgen.render.app import render_settings
from interceptgen.render.recipes import render_recipe
from interceptgen.render.subject import render_subject
from interceptgen.service import Service
from interceptgen.spec.config_checks import check_configs
from interceptgen.spec.model import Spec
from interceptgen.spec.problem import Finding
from interceptgen.spec.recipe_checks import check_recipes
from interceptgen.spec.tree import read_tree


class Keys(Settings):
    """Parameters of a recipe that isn't there."""

    secret: Secret = Field(description="A key.")
    url: TextOrEnv = Field(default="https://a.b", description="An address.")


def no_samples(_: Settings) -> Mapping[str, object]:
    return {}


def environment(_: object) -> dict[str, str]:
    """Give the sample of the secret."""
    return {"secret": "a-long-secret"}


FAKE = replace(
    RECIPES["input_guard"],
    name="keys",
    class_name="Keys",
    settings=Keys,
    samples=no_samples,
    environment=environment,
)


def spec(settings: str) -> bytes:
    return f"interceptors: [{{name: keys, use: keys, with: {settings}}}]\n".encode()


def found(settings: str) -> list[Finding]:
    return list(check_recipes(read_tree(spec(settings)), {"keys": FAKE}))


def lowered(monkeypatch: pytest.MonkeyPatch, **settings: object) -> Service:
    monkeypatch.setattr(lower_recipe, "RECIPES", MappingProxyType({"keys": FAKE}))
    values = {
        "version": 1,
        "service": {"package": "orders", "description": "Answers."},
        "agent": "orders.agent:root_agent",
        "interceptors": ({"name": "keys", "use": "keys", "with": settings},),
    }
    return lower(Spec.model_validate(values))


def test_both_forms_of_a_deployment_value_are_accepted() -> None:
    assert found("{secret: {env: KEY}, url: {env: URL}}") == []
    assert found("{secret: {env: KEY}, url: 'https://c.d'}") == []


def test_a_secret_in_the_spec_is_refused_with_the_way_out() -> None:
    (one,) = found("{secret: hunter2}")
    assert one.loc == ("interceptors", 0, "with", "secret")
    assert one.problem.code == "E005"
    assert "must be {env: NAME}" in one.problem.message
    assert one.problem.hint == "a secret stands in the environment, not in the spec"


@pytest.mark.parametrize(
    ("settings", "code", "inside"),
    [
        ("{secret: {env: key}}", "E052", ("secret", "env")),
        ("{secret: {env: 3}}", "E005", ("secret", "env")),
        ("{secret: {}}", "E004", ("secret", "env")),
        ("{secret: {env: A, name: B}}", "E002", ("secret", "name")),
        ("{secret: {env: A}, url: {env: b}}", "E052", ("url", "env")),
        ("{secret: {env: A}, url: 3}", "E005", ("url",)),
        ("{}", "E004", ("secret",)),
    ],
)
def test_mistake_is_placed(settings: str, code: str, inside: tuple[str, ...]) -> None:
    (one,) = found(settings)
    assert (one.problem.code, one.loc[3:]) == (code, inside)


def test_names_clash_with_those_of_hooks() -> None:
    data = b"""\
service: {package: orders}
interceptors:
  - {name: keys, use: keys, with: {secret: {env: KEY}, url: {env: ORDERS_PORT}}}
  - name: quota
    config: {limit: {type: int, default: {env: KEY}}}
"""
    codes = sorted(one.problem.code for one in check_configs(read_tree(data)))
    assert codes == ["E053", "E054"]


def test_code_reads_the_setting_and_not_the_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service = lowered(monkeypatch, secret={"env": "ORDERS_KEY"}, url={"env": "URL"})
    (use,) = service.recipes
    assert cst.Module([]).code_for_node(render_recipe(use)) == (
        "guarded('keys', Keys(secret = settings.orders_key.get_secret_value(), "
        "url = settings.url.get_secret_value()))"
    )
    text = render_settings(service).text
    assert "orders_key: SecretStr = Field(validation_alias='ORDERS_KEY')" in text


def test_generated_tests_find_a_value_that_the_recipe_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service = lowered(monkeypatch, secret={"env": "KEY"}, url={"env": "URL"})
    subject = render_subject(service)
    assert "{'KEY': 'a-long-secret', 'URL': 'value'}" in subject


def test_only_what_differs_from_the_default_is_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service = lowered(monkeypatch, secret={"env": "KEY"}, url="https://a.b")
    (use,) = service.recipes
    assert [each.name for each in use.arguments if each.is_given] == ["secret"]


def test_no_text_of_the_spec_becomes_code(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "'); __import__('os').abort() #\n\\"
    service = lowered(monkeypatch, secret=EnvRef(env="KEY"), url=text)
    (use,) = service.recipes
    call = cst.ensure_type(render_recipe(use), cst.Call)
    made = cst.ensure_type(call.args[1].value, cst.Call)
    literal = cst.ensure_type(made.args[1].value, cst.SimpleString)
    assert literal.evaluated_value == text
