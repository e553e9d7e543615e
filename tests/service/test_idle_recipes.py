"""A recipe that does nothing turns one of its own tests red."""

import re
from collections.abc import Collection, Mapping
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.service.forking import Forge
from tests.service.making import Template
from tests.service.recipe_sets import RecipeSet, alone

from interceptgen.recipes import RECIPES
from testing.harness import WIRES

pytestmark = pytest.mark.service

FAILED = 1
# What lets everything through, seam by seam.
IDLE = {
    "perimeter": "def wrap(self, app): return app\ndef describe(self, card): pass\n",
    "message": """\
async def on_message_send(self, inner, params, context):
    return await inner.on_message_send(params, context)
def on_message_send_stream(self, inner, params, context):
    return inner.on_message_send_stream(params, context)
""",
    "before_agent": "async def before_agent(self, context): return context\n",
    "request": "def on_request(self, context, request): return request\n",
    "adk_event": """\
def on_adk_event(self, event): pass
def wants(self, event): return False
""",
    "after_event": "async def after_event(self, _, event, __): return event\n",
    "after_agent": "async def after_agent(self, _, final_event): return final_event\n",
    "send": "def on_send(self, event): return event\n",
    # The SDK's own, which ask nobody.
    "push": """\
def push(self, name):
    import httpx
    from a2a.server import tasks
    configs = tasks.InMemoryPushNotificationConfigStore()
    sender = tasks.BasePushNotificationSender(httpx.AsyncClient(), configs)
    return configs, sender
""",
    "failure": "def public_text(self, error): return str(error)\n",
    "on_exit": "async def on_exit(self, outcome): pass\n",
}
# Parameters without which a seam of a recipe has nothing to do.
BUSY: Mapping[tuple[str, str], dict[str, Any]] = {
    ("rate_limit", "send"): {"limit": "3/minute", "action": "warn"},
    ("token_budget", "send"): {"limit": "100/day", "on_store_error": "open"},
    ("concurrency", "send"): {"most": 2, "on_store_error": "open"},
    # The new implementation tells of events without content by itself.
    ("artifacts", "adk_event"): {"pin": "legacy"},
    # The new implementation says of an artifact itself whether it goes on.
    ("redact", "after_event"): {"pin": "legacy"},
}
SEAMS = [(name, seam) for name, each in RECIPES.items() for seam in each.seams]


class Services:
    """A service for each set of one recipe, made when asked for."""

    def __init__(self, template: Template, forge: Forge, folder: Path) -> None:
        """Make services from the template, in the folder."""
        self._template, self._forge, self._folder = template, forge, folder

    def try_idle(
        self, chain: RecipeSet, seams: Collection[str], *words: str
    ) -> tuple[int, str]:
        """Run the recipe's own tests where it does nothing at some of its seams."""
        folder = self._folder / sha256(chain.spec().encode()).hexdigest()
        if not folder.exists():
            self._template.make(folder, chain.spec(), package_name="orders")
        (entry,) = chain.entries
        recipe = RECIPES[entry.recipe]
        module = Path("src", "orders", "service", *recipe.module.split("."))
        path = folder / module.with_suffix(".py")
        text = path.read_text(encoding="utf-8")
        idle = "".join(_idle(recipe.class_name, seam) for seam in seams)
        path.write_text(f"{text}\n{idle}", "utf-8")
        try:
            return self._forge.pytest(
                folder, f"tests/generated/test_recipe_{entry.name}.py", *words
            )
        finally:
            path.write_text(text, "utf-8")


def _idle(class_name: str, seam: str) -> str:
    # A seam may be one of two protocols.
    names = re.findall(r"^(?:async )?def (\w+)", IDLE[seam], re.MULTILINE)
    has = [f"hasattr({class_name}, {name!r})" for name in names]
    replaced = [
        f"if {found}: {class_name}.{name} = {name}\n"
        for name, found in zip(names, has, strict=True)
    ]
    return f"{IDLE[seam]}assert {' or '.join(has)}\n{''.join(replaced)}"


@pytest.fixture(scope="session")
def services(
    template: Template, forge: Forge, tmp_path_factory: pytest.TempPathFactory
) -> Services:
    """Give services of a recipe each."""
    return Services(template, forge, tmp_path_factory.mktemp("idle"))


@pytest.mark.parametrize("recipe", RECIPES)
def test_an_idle_recipe_is_seen(services: Services, recipe: str) -> None:
    seams = RECIPES[recipe].seams
    code, output = services.try_idle(alone(recipe), seams, "--maxfail=1")
    assert code == FAILED, output
    assert "ERROR collecting" not in output, output


@pytest.mark.parametrize(("recipe", "seam"), SEAMS)
def test_a_recipe_that_is_idle_at_one_seam_is_seen(
    services: Services, recipe: str, seam: str
) -> None:
    chain = alone(recipe, **BUSY.get((recipe, seam), {}))
    code, output = services.try_idle(chain, [seam], "--maxfail=1")
    assert code == FAILED, output
    assert "ERROR collecting" not in output, output


@pytest.mark.parametrize("pin", ["new", "legacy", "client"])
def test_without_redact_a_test_fails_for_each_caller(
    services: Services, pin: str
) -> None:
    chain, seams = alone("redact", pin), RECIPES["redact"].seams
    words = ("-k", "secret_in_a_text or asks_for_the_new")
    code, output = services.try_idle(chain, seams, *words)
    assert code == FAILED, output
    found = re.findall(
        r"^FAILED .*::test_(a_secret|who_asks)\S*\[([^-]+-\w+)", output, re.MULTILINE
    )
    assert set(found) == set(product(("a_secret", "who_asks"), map(str, WIRES)))
