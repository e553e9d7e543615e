"""What the tests of the runtime modules share."""

import os

import pytest


@pytest.fixture
def anyio_backend() -> str:
    """ADK and the SDK run on asyncio."""
    return "asyncio"


@pytest.fixture(autouse=True, scope="session")
def _no_notices() -> None:
    """ADK prints a notice for each experimental class unless told not to."""
    os.environ["ADK_SUPPRESS_EXPERIMENTAL_FEATURE_WARNINGS"] = "1"
