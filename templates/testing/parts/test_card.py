"""What a card can describe, and what runs it in a process."""

import pytest
from google.adk.agents import BaseAgent
from google.adk.apps.app import App
from google.adk.workflow import Workflow

from runtime.serving.card import RootAgent, build_card, root_node
from runtime.serving.in_memory import in_memory_runner

pytestmark = pytest.mark.anyio

AGENT = BaseAgent(name="clerk", description="Answers.")


def roots() -> list[RootAgent]:
    """Give each kind of thing that a service can run."""
    return [AGENT, Workflow(name="clerk"), App(name="clerk", root_agent=AGENT)]


@pytest.mark.parametrize("root", roots(), ids=lambda root: type(root).__name__)
async def test_each_root_has_a_card_and_a_runner(root: RootAgent) -> None:
    """Both protocol versions find their interface."""
    card = await build_card(root, description="Told.", url="http://a/svc")
    runner = in_memory_runner(root, app_name="orders")

    assert (card.name, card.description) == ("clerk", "Told.")
    assert card.capabilities.streaming
    assert not card.capabilities.push_notifications
    assert [
        (each.url, each.protocol_binding, each.protocol_version)
        for each in card.supported_interfaces
    ] == [("http://a/svc", "JSONRPC", "1.0"), ("http://a/svc", "JSONRPC", "0.3")]
    assert runner.app_name == ("clerk" if isinstance(root, App) else "orders")
    assert root_node(root).name == "clerk"
    await runner.close()


def test_something_else_is_refused_by_its_type() -> None:
    """When the service starts."""
    app = App.model_construct(name="clerk", root_agent="an agent")

    with pytest.raises(TypeError, match="not str"):
        root_node(app)
