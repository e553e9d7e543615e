"""A test that the whole chain of a set answers, to be put beside its own tests.

A service's generated tests try each recipe by itself; here all stand in the chain.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import jwt
from tests.service.making import write
from tests.service.recipe_sets import RecipeSet

from interceptgen.recipes import RECIPES, Recipe, Settings
from interceptgen.spec.loader import load_spec

__all__ = ["whole_chain"]

_MODULE = """\
import httpx
import pytest

from .harness import WIRES, Caller, Content
from .subject import PATH, app, create_app, executor, whole_chain

pytestmark = pytest.mark.anyio
ASKED = {asked}
EXPECTED = {expected}


@pytest.fixture
def _chain(monkeypatch):
    for module in (app, executor):
        monkeypatch.setattr(module, "build_interceptors", whole_chain)


@pytest.fixture
async def caller(agent, factory):
    app = create_app(agent=agent, runner_factory=factory)
    transport = httpx.ASGITransport(app, client=({address!r}, 1))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://service") as http,
    ):
        yield Caller(http, PATH)


def hello():
    return Content(parts=[{{"text": {text!r}}}], **ASKED)


async def test_it_is_the_chain_of_the_spec():
    assert [each.name for each in app.build_interceptors()] == {names}


@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_a_message_passes_or_is_refused_with_a_reason(caller, agent, wire):
    reply = await caller.send(hello(), wire)

    if EXPECTED:
        told = str(reply.answers)
        assert any(reason in told for reason in EXPECTED), told
        assert "-32603" not in told
        assert agent.runs == 0
        return
    assert reply.error is None, reply.error
    assert reply.state == "completed"
    assert "one" in reply.text
    read = await caller.call(
        "GetTask", {{"id": reply.task_id}}, headers=ASKED["headers"]
    )
    assert read.state == "completed"


@pytest.mark.skipif(bool(EXPECTED), reason="nothing gets in")
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_a_failure_stays_in_the_log(caller, agent, wire):
    agent.raises = "db.internal is down"

    reply = await caller.send(hello(), wire)

    assert reply.state == "failed"
    assert "db.internal" not in str(reply.answers)


@pytest.mark.skipif(bool(EXPECTED), reason="nothing gets in")
async def test_a_pause_can_be_canceled(caller, agent):
    agent.pauses = True

    reply = await caller.send(hello())
    canceled = await caller.call(
        "CancelTask", {{"id": reply.task_id}}, headers=ASKED["headers"]
    )

    assert reply.state == "input-required"
    assert canceled.state == "canceled"
"""


@contextmanager
def whole_chain(service: Path, recipes: RecipeSet) -> Generator[str]:
    """Put the test into a service of the set, as long as the block lasts.

    Args:
        service: The service.
        recipes: What it was made of.

    Yields:
        The test's path in the service.
    """
    asked = _Asked()
    for entry in load_spec("interceptors.yaml", recipes.spec().encode()).interceptors:
        recipe = RECIPES[entry.use or ""]
        asked.satisfy(recipe, recipe.settings.model_validate(dict(entry.with_)))
    place = "tests/generated/test_whole_chain.py"
    text = _MODULE.format(
        asked={"headers": asked.headers, "metadata": asked.metadata},
        expected=tuple(asked.refusals),
        address=asked.address,
        text=_TEXT,
        names=[entry.name for entry in recipes.entries],
    )
    write(service / place, text)
    try:
        yield place
    finally:
        (service / place).unlink()


@dataclass
class _Asked:
    """What a caller sends who does all that the recipes demand.

    Attributes:
        headers: The HTTP headers.
        metadata: The metadata of the request.
        address: Where the request comes from.
        refusals: Why it is refused all the same, if it is; one of these.
    """

    headers: dict[str, str] = field(default_factory=dict[str, str])
    metadata: dict[str, object] = field(default_factory=dict[str, object])
    address: str = "127.0.0.1"
    refusals: list[str] = field(default_factory=list[str])

    def satisfy(self, recipe: Recipe, settings: Settings) -> None:
        """Add what a recipe demands."""
        given: dict[str, Any] = settings.model_dump()
        samples: Mapping[str, Any] = recipe.samples(settings)
        texts = recipe.environment(settings)
        header: str | None = given.get("header")
        if recipe.name == "api_key" and header:
            self.headers[header] = texts["keys"].split(",")[0].partition(":")[2]
        elif recipe.name == "bearer_jwt":
            self._bear(given, texts.get("key", ""))
        elif recipe.name == "trusted_header" and header:
            self.headers |= {header: "ann", **samples["PROOF"]}
            self.address = next(iter(samples["GATEWAYS"]), self.address)
        elif recipe.name == "request_state":
            value = samples["VALUE"]
            if header:
                self.headers[header] = str(value).lower()
            elif given["metadata"]:
                self.metadata[given["metadata"]] = value
        elif recipe.name == "input_guard":
            self.metadata |= dict.fromkeys(given["required_metadata"], "given")
            searched = given["deny_max_chars"] if given["deny"] else _SMALL
            if given["max_bytes"] < _SMALL or searched < len(_TEXT):
                self.refusals.append("too_large")
        elif header:
            self.headers[header] = "first"

    def _bear(self, given: dict[str, Any], secret: str) -> None:
        if given["algorithms"] != ("HS256",):
            self.refusals.append("unauthorized")
            return
        of_skills: dict[str, tuple[str, ...]] = given["skill_scopes"] or {}
        claims = {
            "iss": given["issuers"][0],
            "aud": given["audiences"][0],
            str(given["subject_claim"]): "ann",
            "scope": " ".join(chain(given["scopes"], *of_skills.values())),
            "exp": 4_000_000_000,
        }
        token = jwt.encode(claims, secret, algorithm="HS256")
        self.headers["Authorization"] = f"Bearer {token}"


_SMALL = 300
_TEXT = "hello"
