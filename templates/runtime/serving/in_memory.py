"""A runner whose sessions, artifacts and memory live in this process."""

from google.adk.apps.app import App
from google.adk.runners import InMemoryRunner, Runner
from google.adk.workflow import Workflow

from .card import RootAgent

__all__ = ["in_memory_runner"]


def in_memory_runner(agent: RootAgent, *, app_name: str) -> Runner:
    """Make a runner for an agent, a workflow or an app.

    Args:
        agent: What to run.
        app_name: The name that sessions are kept under; an app has its own.
    """
    if isinstance(agent, App):
        return InMemoryRunner(app=agent)
    if isinstance(agent, Workflow):
        return InMemoryRunner(node=agent, app_name=app_name)
    return InMemoryRunner(agent=agent, app_name=app_name)
