"""What house_style does; yours to change with its hooks."""

import pytest

from orders.hooks.house_style import HouseStyle

from .generated.scripted import request_context

pytestmark = pytest.mark.anyio


async def test_it_lets_a_message_in() -> None:
    """The context goes on as it came."""
    hooks = HouseStyle()
    context = request_context("hello")

    assert await hooks.before_agent(context) is context
