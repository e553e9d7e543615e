"""Mine."""

from orders.hooks import allowance as module
from orders.hooks.allowance import COSTS, Allowance
from orders.service.contracts.allowance import Config


def test_mine() -> None:
    hooks = Allowance(Config())
    assert hooks.config.most
    assert module.COSTS is COSTS
