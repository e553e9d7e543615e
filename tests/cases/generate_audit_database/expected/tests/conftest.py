"""Fixtures for all tests: yours to change."""

import pytest

from .generated.scripted import ScriptedAgent


@pytest.fixture
def anyio_backend() -> str:
    """ADK and the SDK run on asyncio."""
    return "asyncio"


@pytest.fixture
def agent() -> ScriptedAgent:
    """An agent that says one line and needs no model."""
    return ScriptedAgent(name="scripted", description="Says its lines.")
