"""The ledger, where a request through the application can't reach."""

import asyncio
import gc
from collections.abc import Awaitable

import pytest
from a2a.server.agent_execution import RequestContext
from tests.runtime.serving import Exits

from runtime.boundary.ledger import Ledger
from runtime.seams.chain import Interceptor, guarded
from runtime.seams.exchange import exchange_of
from runtime.seams.interceptor import OnExit, Outcome
from testing.scripted import request_context

pytestmark = [pytest.mark.service, pytest.mark.anyio]


def ledger_of(exits: OnExit) -> Ledger:
    return Ledger([guarded("x", exits)])


async def test_a_request_is_settled_once() -> None:
    exits = Exits()
    ledger, exchange = ledger_of(exits), exchange_of(request_context())
    ledger.open(exchange)
    await asyncio.gather(*(ledger.settle(exchange, "failed") for _ in range(3)))
    await ledger.settle(exchange, "completed")
    await ledger.close()
    assert exits.kinds == ["failed"]


async def test_a_request_whose_context_is_thrown_away_never_started() -> None:
    """The SDK drops a queued message in silence."""
    exits = Exits()
    ledger = ledger_of(exits)

    def let_in() -> None:
        context = request_context()
        exchange = exchange_of(context)
        ledger.open(exchange)
        ledger.watch(context, exchange)

    let_in()
    gc.collect()
    await asyncio.sleep(0.01)
    assert exits.kinds == ["never_started"]


async def test_a_request_whose_context_is_kept_stays_open() -> None:
    exits = Exits()
    ledger, context = ledger_of(exits), request_context()
    exchange = exchange_of(context)
    ledger.open(exchange)
    ledger.watch(context, exchange)
    gc.collect()
    await asyncio.sleep(0.01)
    assert exits.kinds == []
    await ledger.close()
    assert exits.kinds == ["shut_down"]


async def test_hooks_run_to_their_end_when_the_caller_of_settle_is_canceled() -> None:
    class Slow(Exits):
        async def on_exit(self, outcome: Outcome) -> None:
            await asyncio.sleep(0.05)
            await super().on_exit(outcome)

    slow = Slow()
    ledger, exchange = ledger_of(slow), exchange_of(request_context())
    ledger.open(exchange)
    settling = asyncio.create_task(ledger.settle(exchange, "completed"))
    await asyncio.sleep(0.01)
    settling.cancel()
    await asyncio.gather(settling, return_exceptions=True)
    await ledger.close()
    assert slow.kinds == ["completed"]


async def test_a_hook_that_does_not_return_holds_nobody_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Stuck(OnExit):
        async def on_exit(self, outcome: Outcome) -> None:
            await asyncio.sleep(3600)

    monkeypatch.setattr("runtime.boundary.ledger._EXIT_SECONDS", 0.01)
    ledger, exchange = ledger_of(Stuck()), exchange_of(request_context())
    ledger.open(exchange)
    await asyncio.wait_for(ledger.settle(exchange, "completed"), 1)
    await asyncio.wait_for(ledger.close(), 1)


async def test_a_hook_that_is_not_async_is_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Sync(OnExit):
        def on_exit(self, outcome: Outcome) -> Awaitable[None]:  # type: ignore[override]
            return None  # type: ignore[return-value]

    ledger, exchange = ledger_of(Sync()), exchange_of(request_context())
    ledger.open(exchange)
    await ledger.settle(exchange, "completed")
    assert "interceptor 'x': on_exit in " in caplog.text
    assert "must be 'async def'" in caplog.text


async def test_without_hooks_nothing_is_scheduled() -> None:
    ledger, exchange = Ledger(list[Interceptor]()), exchange_of(request_context())
    ledger.open(exchange)
    before = len(asyncio.all_tasks())
    await ledger.settle(exchange, "completed")
    assert len(asyncio.all_tasks()) == before
    assert exchange.settled.is_set()


async def test_a_replaced_context_keeps_the_exchange() -> None:
    first, second = request_context(), request_context()
    exchange = exchange_of(first)
    exchange.go_with(second)
    assert isinstance(second, RequestContext)
    assert exchange_of(second) is exchange
