"""Each request is settled once, however it ends."""

import asyncio
import gc
import logging

import pytest

from runtime.boundary import ledger as module
from runtime.boundary.ledger import Ledger
from runtime.seams.chain import Interceptor, guarded
from runtime.seams.exchange import Exchange, begin_exchange, exchange_of
from runtime.seams.interceptor import OnExit, Outcome

from .scripted import request_context

pytestmark = pytest.mark.anyio


class Exits(OnExit):
    """Remembers how requests ended.

    Attributes:
        kinds: The kinds of their ends.
        go_on: Held until it may remember one.
    """

    def __init__(self, *, held: bool = False) -> None:
        """Begin with none."""
        self.kinds: list[str] = []
        self.go_on = asyncio.Event()
        if not held:
            self.go_on.set()

    async def on_exit(self, outcome: Outcome) -> None:
        """Remember an end."""
        await self.go_on.wait()
        self.kinds.append(outcome.kind)


def opened(ledger: Ledger) -> Exchange:
    """Let a request in."""
    exchange = exchange_of(request_context())
    ledger.open(exchange)
    return exchange


def ledger_of(exits: OnExit) -> Ledger:
    """Make a ledger with one hook."""
    chain: list[Interceptor] = [guarded("x", exits)]
    return Ledger(chain)


async def test_a_request_is_settled_once() -> None:
    """The first end counts."""
    exits = Exits()
    ledger = ledger_of(exits)
    exchange = opened(ledger)

    await asyncio.gather(*(ledger.settle(exchange, "failed") for _ in range(3)))
    await ledger.settle(exchange, "completed")
    await ledger.close()

    assert exits.kinds == [exchange.ended] == ["failed"]
    assert exchange.settled.is_set()


async def test_without_hooks_a_request_is_settled_too() -> None:
    """Whoever waits for it goes on."""
    ledger = Ledger([])
    exchange = opened(ledger)
    ledger.cancel(exchange.facts.task_id)

    await ledger.settle(exchange, "completed")

    assert exchange.settled.is_set()
    assert not ledger.is_canceled(exchange)


@pytest.mark.parametrize("hooks", [True, False])
async def test_a_request_that_was_not_let_in_is_settled_too(*, hooks: bool) -> None:
    """Its task may have ended before it came."""
    exits = Exits()
    ledger = ledger_of(exits) if hooks else Ledger([])
    exchange = exchange_of(request_context())

    await ledger.settle(exchange, "never_started")

    assert exchange.settled.is_set()
    assert exits.kinds == (["never_started"] if hooks else [])


async def test_two_requests_of_a_task_are_two() -> None:
    """One stays open when the other ends, and the cancel holds for both."""
    exits = Exits()
    ledger = ledger_of(exits)
    exchange = opened(ledger)
    task_id = exchange.facts.task_id
    call = request_context().call_context
    reply = begin_exchange(call, task_id=task_id, context_id="c", is_reply=True)
    ledger.open(reply)
    assert ledger.running(task_id) is ledger.running("unknown") is None
    reply.started = True
    assert ledger.running(task_id) is reply
    ledger.cancel(task_id)

    await ledger.settle(exchange, "completed")

    assert (reply.ended, ledger.is_canceled(reply)) == (None, True)
    await ledger.close()
    assert exits.kinds == ["completed", "shut_down"]
    assert ledger.running(task_id) is None
    ledger.cancel(task_id)
    assert not ledger.is_canceled(reply)


async def test_a_request_whose_context_is_thrown_away_never_started() -> None:
    """The SDK drops a queued message without a word."""
    exits = Exits()
    ledger = ledger_of(exits)

    def let_in(*, started: bool) -> Exchange:
        context = request_context()
        exchange = exchange_of(context)
        exchange.started = started
        ledger.open(exchange)
        ledger.watch(context, exchange)
        return exchange

    running, dropped = let_in(started=True), let_in(started=False)
    gc.collect()
    await asyncio.wait_for(dropped.settled.wait(), 9)
    assert (running.ended, dropped.ended) == (None, "never_started")
    await ledger.close()
    assert exits.kinds == ["never_started", "shut_down"]


async def test_a_request_whose_context_is_kept_stays_open() -> None:
    """Until the service shuts down."""
    exits = Exits()
    ledger, context = ledger_of(exits), request_context()
    exchange = exchange_of(context)
    ledger.open(exchange)
    ledger.watch(context, exchange)

    gc.collect()
    await asyncio.sleep(0.02)

    assert exits.kinds == []
    await ledger.close()
    assert exits.kinds == ["shut_down"]
    assert context.task_id


async def test_who_is_canceled_does_not_cancel_the_hooks() -> None:
    """And the shutdown waits for them."""
    exits = Exits(held=True)
    ledger = ledger_of(exits)
    settling = asyncio.ensure_future(ledger.settle(opened(ledger), "completed"))
    await asyncio.sleep(0.01)

    settling.cancel()
    await asyncio.gather(settling, return_exceptions=True)
    assert exits.kinds == []
    closing = asyncio.ensure_future(ledger.close())
    await asyncio.sleep(0.01)
    assert not closing.done()
    exits.go_on.set()
    await closing

    assert exits.kinds == ["completed"]


async def test_a_hook_that_hangs_holds_nobody_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither who settles, nor who cancels, nor the shutdown."""
    monkeypatch.setattr(module, "_EXIT_SECONDS", 0.01)
    exits = Exits(held=True)
    ledger = ledger_of(exits)
    exchange = opened(ledger)

    async with asyncio.timeout(5):
        await ledger.settle(exchange, "completed")
        await ledger.settle_canceled(exchange.facts.task_id)
        await ledger.close()

    assert not exchange.settled.is_set()


async def test_a_cancel_settles_what_has_not_started_and_waits_for_the_rest() -> None:
    """Only those of its task."""
    exits = Exits()
    ledger = ledger_of(exits)
    first, other = opened(ledger), opened(ledger)
    task_id = first.facts.task_id
    ledger.cancel(task_id)
    ledger.cancel("unknown")

    await ledger.settle_canceled(task_id)
    await ledger.settle_canceled("unknown")

    assert exits.kinds == ["canceled"]
    assert not ledger.is_canceled(other)
    other.started = True
    ledger.cancel(other.facts.task_id)
    assert ledger.is_canceled(other)
    waiting = asyncio.ensure_future(ledger.settle_canceled(other.facts.task_id))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    await ledger.settle(other, "canceled")
    await waiting
    assert not ledger.is_canceled(other)


async def test_what_a_hook_raises_stays_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The others still run, last interceptor first."""
    seen: list[tuple[str, Outcome]] = []

    class Named(OnExit):
        def __init__(self, name: str) -> None:
            """Have a name."""
            self._name = name

        async def on_exit(self, outcome: Outcome) -> None:
            """Break, if it is the second."""
            seen.append((self._name, outcome))
            if self._name == "second":
                raise RuntimeError(outcome.error_code)

    ledger = Ledger([guarded(name, Named(name)) for name in ("first", "second")])
    exchange, error = opened(ledger), ConnectionError()

    await ledger.settle(exchange, "failed", error_code="out of order", error=error)

    outcome = Outcome(
        kind="failed", request=exchange.facts, error_code="out of order", error=error
    )
    assert seen == [("second", outcome), ("first", outcome)]
    ((logger, level, told),) = caplog.record_tuples
    assert (logger, level) == (module.__name__, logging.ERROR)
    first, *_, last = told.split("\n")
    request = f"request {exchange.facts.correlation_id}"
    assert first == f"{request}: on_exit of interceptor 'second' failed"
    assert last == "RuntimeError: out of order"
