"""What quota does; yours to change with its hooks."""

import pytest

from orders.hooks.quota import Quota
from orders.service.contracts.quota import Outcome, RequestFacts

from .generated.scripted import request_context

pytestmark = pytest.mark.anyio


async def test_it_lets_a_message_in() -> None:
    """The context goes on as it came."""
    hooks = Quota()
    context = request_context("hello")

    assert await hooks.before_agent(context) is context


async def test_it_takes_an_end() -> None:
    """The end of a request is no error to it."""
    hooks = Quota()
    outcome = Outcome(kind="completed", request=RequestFacts())

    await hooks.on_exit(outcome)
