"""Mine."""

from orders.hooks import quota as module
from orders.hooks.quota import COSTS, Quota
from orders.service.contracts.quota import Config


def test_mine() -> None:
    hooks = Quota(Config())
    assert hooks.config.most
    assert module.COSTS is COSTS
