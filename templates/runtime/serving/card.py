"""The agent card: ADK's own, made readable for clients of A2A 1.0 and 0.3."""

from typing import TypeAlias

from a2a.types import AgentCapabilities, AgentCard, AgentInterface
from google.adk.a2a.utils.agent_card_builder import AgentCardBuilder
from google.adk.agents.base_agent import BaseAgent
from google.adk.apps.app import App
from google.adk.workflow import Workflow

__all__ = ["RootAgent", "build_card", "root_node"]

RootAgent: TypeAlias = BaseAgent | Workflow | App


async def build_card(agent: RootAgent, *, description: str, url: str) -> AgentCard:
    """Describe the agent for its callers.

    Args:
        agent: What the service runs.
        description: What the service does, from the spec.
        url: The address that clients reach the JSON-RPC endpoint at.

    Returns:
        A card with one interface for each protocol version; without the
        second, clients of A2A 0.3 can't read it.
    """
    card = await AgentCardBuilder(
        agent=root_node(agent),
        capabilities=AgentCapabilities(streaming=True, push_notifications=False),
    ).build()
    card.description = description
    del card.supported_interfaces[:]
    card.supported_interfaces.extend(
        AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version=version)
        for version in ("1.0", "0.3")
    )
    return card


def root_node(agent: RootAgent) -> BaseAgent | Workflow:
    """Give the agent or workflow that an app wraps, or the agent itself.

    Raises:
        TypeError: If there is none that a card can describe.
    """
    root = agent.root_agent if isinstance(agent, App) else agent
    if isinstance(root, BaseAgent | Workflow):
        return root
    message = (
        f"the agent must be a BaseAgent, Workflow or App, not {type(root).__name__}"
    )
    raise TypeError(message)
