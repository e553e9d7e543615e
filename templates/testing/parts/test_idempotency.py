"""A message that is sent again runs nothing again."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from a2a.auth.user import User
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
from runtime.seams.exchange import exchange_of
from runtime.seams.interceptor import Outcome
from runtime.seams.rejection import Rejected
from runtime.seams.request import OutcomeKind

from .scripted import until

pytestmark = pytest.mark.anyio

DONE = Task(id="t", status=TaskStatus(state=TaskState.TASK_STATE_COMPLETED))


class Named(User):
    """A caller with a name, known or not."""

    def __init__(self, name: str, *, known: bool = True) -> None:
        """Have this name."""
        self._name, self._known = name, known

    @property
    def is_authenticated(self) -> bool:
        """Tell whether it is verified."""
        return self._known

    @property
    def user_name(self) -> str:
        """Give the name."""
        return self._name


class Handler(DefaultRequestHandler):
    """Runs a message through the hooks, as far as it is told.

    Attributes:
        runs: How often it was asked to.
        go_on: Held until the run may go on.
    """

    def __init__(self, recipe: Idempotency, *, starts: bool = True) -> None:
        """Run messages, or let none start."""
        self._recipe, self._starts = recipe, starts
        self.runs = 0
        self.kind: OutcomeKind = "completed"
        self.sends = True
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def on_message_send(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> Task:
        """Run it."""
        self.runs += 1
        request = RequestContext(context, params, task_id="t", context_id="c")
        exchange = exchange_of(request)
        with exchange.entered():
            assert await self._recipe.before_agent(request) is request
            await self.go_on.wait()
            exchange.started = self._starts
            if self.sends:
                assert self._recipe.on_send(DONE) is DONE
            await self._recipe.on_exit(Outcome(kind=self.kind, request=exchange.facts))
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
        assert context is not None
        assert params.id == "t"
        return DONE


def message(
    message_id: str = "m", text: str = "", tenant: str = ""
) -> SendMessageRequest:
    """Make a message."""
    sent = Message(message_id=message_id, role=Role.ROLE_USER)
    sent.metadata["text"] = text
    return SendMessageRequest(message=sent, tenant=tenant)


def by(name: str = "ann", *, known: bool = True) -> ServerCallContext:
    """Make the call of a caller."""
    return ServerCallContext(user=Named(name, known=known))


async def send(
    recipe: Idempotency,
    inner: Handler,
    params: SendMessageRequest | None = None,
    call: ServerCallContext | None = None,
    *,
    streaming: bool = False,
) -> object:
    """Send a message, and give what comes back."""
    params, call = params or message(), call or by()
    if not streaming:
        return await recipe.on_message_send(inner, params, call)
    stream = recipe.on_message_send_stream(inner, params, call)
    (task,) = [event async for event in stream]
    return task


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
async def test_a_repeat_gets_the_task_of_the_first(
    *, first: bool, second: bool
) -> None:
    """Streamed or not."""
    recipe = Idempotency()
    inner = Handler(recipe)

    answers = [await send(recipe, inner, streaming=each) for each in (first, second)]

    assert answers == [DONE, DONE]
    assert (inner.runs, len(recipe)) == (1, 1)


async def test_of_many_at_once_one_runs() -> None:
    """The others wait until there is a task."""
    recipe = Idempotency()
    inner = Handler(recipe)
    inner.go_on.clear()
    sent = [asyncio.ensure_future(send(recipe, inner)) for _ in range(3)]
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
        (message(), by("ann", known=False)),
    ],
    ids=range(3),
)
async def test_another_message_runs(
    params: SendMessageRequest, call: ServerCallContext
) -> None:
    """By its id, or by its caller."""
    recipe = Idempotency()
    inner = Handler(recipe)
    await send(recipe, inner)

    await send(recipe, inner, params, call)

    assert (inner.runs, len(recipe)) == (2, 2)


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize(
    "params", [message(text="other"), message(tenant="other")], ids=range(2)
)
async def test_an_id_stands_for_one_message(
    params: SendMessageRequest, *, streaming: bool
) -> None:
    """How to be answered isn't part of it."""
    recipe = Idempotency()
    inner = Handler(recipe)
    await send(recipe, inner)

    with pytest.raises(Rejected) as refused:
        await send(recipe, inner, params, streaming=streaming)

    assert refused.value.reason == "duplicate_message"
    assert str(refused.value) == "another message was sent with this id"
    same = message()
    same.configuration.return_immediately = True
    assert await send(recipe, inner, same) == DONE
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
    recipe = Idempotency()
    inner = Handler(recipe, starts=starts)
    inner.kind, inner.sends = kind, sends

    for _ in range(2):
        await send(recipe, inner, streaming=streaming)

    assert (inner.runs, len(recipe)) == (runs, 2 - runs)


async def test_a_message_without_an_id_is_left_to_the_sdk() -> None:
    """Nothing is remembered of it."""
    recipe = Idempotency()
    inner = Handler(recipe)

    with pytest.raises(Rejected) as refused:
        await send(recipe, inner, message(""))

    assert (inner.runs, len(recipe)) == (1, 0)
    assert refused.value.reason == "idempotency_unavailable"
    assert str(refused.value) == "repeats can't be told here"


@pytest.mark.parametrize(("window_s", "remembered"), [(0, 1), (1, 0)])
def test_numbers_are_above_zero(window_s: float, remembered: int) -> None:
    """Both of them."""
    assert len(Idempotency(window_s=0.1, remembered=1)) == 0
    with pytest.raises(ValueError, match=r"^window_s and remembered must be above"):
        Idempotency(window_s=window_s, remembered=remembered)
