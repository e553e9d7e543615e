"""A message that is sent again runs nothing again."""

import asyncio
from collections.abc import AsyncGenerator
from inspect import signature

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.types import (
    GetTaskRequest,
    Message,
    Role,
    SendMessageRequest,
    Task,
    TaskState,
    TaskStatus,
)

from runtime.recipes.inbound.idempotency import Idempotency
from runtime.recipes.inbound.remembered import hashed
from runtime.seams.exchange import exchange_of
from runtime.seams.rejection import Rejected
from runtime.seams.request import Outcome, OutcomeKind

from .scripted import Named, until

pytestmark = pytest.mark.anyio

DONE = Task(id="t", status=TaskStatus(state=TaskState.TASK_STATE_COMPLETED))


class Handler(DefaultRequestHandler):
    """Runs a message through the hooks, as far as it is told.

    Attributes:
        recipe: The hooks.
        runs: How often it was asked to.
        fails: Whether it does before there are any hooks.
        go_on: Held until the run may go on.
    """

    def __init__(self, *, starts: bool = True) -> None:
        """Run messages, or let none start."""
        self.recipe, self._starts = Idempotency(), starts
        self.kind: OutcomeKind = "completed"
        self.runs, self.sends, self.fails = 0, True, False
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def on_message_send(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> Task:
        """Run it."""
        assert isinstance(params, SendMessageRequest)
        self.runs += 1
        if self.fails:
            raise OSError
        request = RequestContext(context, params, task_id="t", context_id="c")
        request.current_task = DONE
        exchange = exchange_of(request)
        with exchange.entered():
            assert await self.recipe.before_agent(request) is request
            assert context.state["idempotency"].before == hashed(DONE.status)
            await self.go_on.wait()
            exchange.started = self._starts
            if self.sends:
                assert self.recipe.on_send(DONE) is DONE
            await self.recipe.on_exit(Outcome(kind=self.kind, request=exchange.facts))
        exchange.ended = self.kind
        return DONE

    async def on_message_send_stream(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Run it, and give the task."""
        yield await self.on_message_send(params, context)

    async def on_get_task(
        self, params: GetTaskRequest, context: ServerCallContext
    ) -> Task | None:
        """Give the task."""
        assert (params.id, context.user.user_name) == ("t", "ann")
        return DONE


def message(name: str = "m", text: str = "", tenant: str = "") -> SendMessageRequest:
    """Make a message."""
    sent = Message(message_id=name, role=Role.ROLE_USER)
    sent.metadata["text"] = text
    return SendMessageRequest(message=sent, tenant=tenant)


def by(name: str = "ann", *, known: bool = True) -> ServerCallContext:
    """Make the call of a caller."""
    return ServerCallContext(user=Named(name, known=known))


async def send(
    inner: Handler,
    params: SendMessageRequest | None = None,
    call: ServerCallContext | None = None,
    *,
    streaming: bool = False,
) -> object:
    """Send a message, and give what comes back."""
    params, call = params or message(), call or by()
    if not streaming:
        return await inner.recipe.on_message_send(inner, params, call)
    stream = inner.recipe.on_message_send_stream(inner, params, call)
    (task,) = [event async for event in stream]
    return task


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
async def test_a_repeat_gets_the_first_task(*, first: bool, second: bool) -> None:
    """Streamed or not."""
    inner = Handler()

    answers = [await send(inner, streaming=each) for each in (first, second)]

    assert answers == [DONE, DONE]
    assert (inner.runs, len(inner.recipe)) == (1, 1)


async def test_of_many_at_once_one_runs() -> None:
    """The others wait until there is a task."""
    inner = Handler()
    inner.go_on.clear()
    sent = [asyncio.ensure_future(send(inner)) for _ in range(3)]
    await until(lambda: inner.runs > 0)
    assert (inner.runs, [each.done() for each in sent]) == (1, [False] * 3)

    inner.go_on.set()

    assert await asyncio.gather(*sent) == [DONE] * 3
    assert inner.runs == 1


@pytest.mark.parametrize(
    ("params", "call"),
    [
        (message("other"), by()),
        (message(), by("bob")),
        (message(), by("\ud800")),
        (message(), by("ann", known=False)),
    ],
    ids=range(4),
)
async def test_another_message_runs(
    params: SendMessageRequest, call: ServerCallContext
) -> None:
    """By its id, or by its caller."""
    inner = Handler()
    await send(inner)

    await send(inner, params, call)

    assert (inner.runs, len(inner.recipe)) == (2, 2)


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    "params", [message(text="other"), message(tenant="other")], ids=range(2)
)
async def test_an_id_stands_for_one_message(
    params: SendMessageRequest, *, streaming: bool
) -> None:
    """How to be answered isn't part of it."""
    inner = Handler()
    await send(inner)

    with pytest.raises(Rejected) as refused:
        await send(inner, params, streaming=streaming)

    assert refused.value.reason == "duplicate_message"
    assert str(refused.value) == "another message was sent with this id"
    same = message()
    same.configuration.return_immediately = True
    assert await send(inner, same) == DONE
    assert inner.runs == 1


@pytest.mark.parametrize(
    ("kind", "starts", "sends", "runs"),
    [
        ("completed", True, True, 1),
        ("failed", True, False, 1),
        ("rejected", True, True, 1),
        ("rejected", True, False, 2),
        ("rejected", False, False, 2),
        ("canceled", False, False, 2),
    ],
)
@pytest.mark.parametrize("streaming", [False, True])
async def test_what_came_to_nothing_runs_again(
    kind: OutcomeKind, *, starts: bool, sends: bool, runs: int, streaming: bool
) -> None:
    """What began doesn't."""
    inner = Handler(starts=starts)
    inner.kind, inner.sends = kind, sends

    for _ in range(2):
        await send(inner, streaming=streaming)

    assert (inner.runs, len(inner.recipe)) == (runs, 2 - runs)


async def test_what_has_not_come_to_the_hooks_runs_again() -> None:
    """What waits there for its turn doesn't, whether or not its caller does."""
    inner = Handler(starts=False)
    inner.fails = True
    with pytest.raises(OSError, match=r"^$"):
        await send(inner)
    assert len(inner.recipe) == 0
    inner.fails = False
    inner.go_on.clear()
    sent = asyncio.ensure_future(send(inner))
    await asyncio.sleep(0.01)
    sent.cancel()
    await asyncio.wait([sent])

    assert (inner.runs, len(inner.recipe)) == (2, 1)


async def test_a_message_without_an_id_is_left_to_the_sdk() -> None:
    """Nothing is remembered of it."""
    inner = Handler()

    with pytest.raises(Rejected) as refused:
        await send(inner, message(""))

    assert (inner.runs, len(inner.recipe)) == (1, 0)
    assert refused.value.reason == "idempotency_unavailable"
    assert str(refused.value) == "repeats can't be told here"
    with exchange_of(RequestContext(by(), message())).entered():
        assert inner.recipe.on_send(DONE) is DONE


@pytest.mark.parametrize(("window_s", "remembered"), [(0, 1), (1, 0)])
def test_numbers_are_above_zero(window_s: float, remembered: int) -> None:
    """Both of them."""
    defaults = [each.default for each in signature(Idempotency).parameters.values()]
    assert defaults == [600, 10_000]
    assert len(Idempotency(window_s=0.1, remembered=1)) == 0
    with pytest.raises(ValueError, match=r"^window_s and remembered must be above"):
        Idempotency(window_s=window_s, remembered=remembered)
