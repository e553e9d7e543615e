"""The runner: how the agent runs, and where its sessions live."""

from google.adk.runners import Runner

from orders.agent import root_agent
from orders.service.serving.in_memory import in_memory_runner


def build_runner() -> Runner:
    """Build the runner; its sessions live in this process and end with it."""
    return in_memory_runner(root_agent, app_name="orders")
