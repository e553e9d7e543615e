"""What audit does; yours to change with its hooks."""

import pytest

from orders.hooks.audit import Audit
from orders.service.contracts.audit import Config, Outcome, RequestFacts

pytestmark = pytest.mark.anyio


async def test_it_takes_an_end() -> None:
    """The end of a request is no error to it."""
    hooks = Audit(Config(ledger="value"))
    outcome = Outcome(kind="completed", request=RequestFacts())

    await hooks.on_exit(outcome)
