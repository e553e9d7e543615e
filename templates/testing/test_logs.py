"""What ADK and the SDK log of a request has nobody's words, unless asked for."""

import logging

import pytest

from .harness import WIRES, Caller, Wire, running
from .scripted import Factory, ScriptedAgent
from .subject import PATH, Settings, create_app

pytestmark = pytest.mark.anyio

QUESTION, ANSWER = "where is my quince", "with the medlars"


@pytest.fixture(autouse=True)
def debug_log(caplog: pytest.LogCaptureFixture) -> None:
    """Log as much as there is."""
    for name in ("a2a", "google_adk", "sse_starlette"):
        caplog.set_level(logging.DEBUG, name)


@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_messages_are_not_logged(
    caller: Caller, agent: ScriptedAgent, caplog: pytest.LogCaptureFixture, wire: Wire
) -> None:
    """Neither the question nor the answer, at any level."""
    agent.lines = (ANSWER,)

    await caller.send(QUESTION, wire)

    assert caplog.records
    assert "quince" not in caplog.text
    assert "medlar" not in caplog.text


async def test_they_are_where_the_environment_asks_for_it(
    agent: ScriptedAgent, factory: Factory, caplog: pytest.LogCaptureFixture
) -> None:
    """For a look at one's own machine."""
    agent.lines = (ANSWER,)

    app = create_app(lambda: Settings(log_bodies=True), runner_factory=factory)
    async with running(app, PATH) as caller:
        await caller.send(QUESTION)

    assert "quince" in caplog.text
