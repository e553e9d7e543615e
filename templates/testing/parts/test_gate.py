"""A message is let in by the chain, before there is a task for it."""

import asyncio
import gc

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryTaskStore
from a2a.types import Message, Role, SendMessageRequest, Task
from a2a.utils.errors import (
    A2AError,
    InternalError,
    InvalidParamsError,
    InvalidRequestError,
    TaskNotFoundError,
)

from runtime.boundary.executor import BoundaryExecutor
from runtime.seams.chain import Interceptor, guarded
from runtime.seams.exchange import Exchange, current, exchange_of
from runtime.seams.interceptor import BeforeAgent, OnExit, Outcome
from runtime.seams.rejection import Rejected
from runtime.seams.request import OutcomeKind
from runtime.serving.gate import Gate

from .scripted import Factory, request_context, until

pytestmark = pytest.mark.anyio


class Door(BeforeAgent, OnExit):
    """Lets in what it is told to, and remembers what came and how it ended.

    Attributes:
        came: The context of each message, and the request that it belongs to.
        outcomes: How the requests ended.
        error: What it raises, if anything.
        answer: What it goes on with in the place of what came.
        waits_s: For how long it thinks.
    """

    def __init__(self) -> None:
        """Let everybody in."""
        self.came: list[tuple[RequestContext, Exchange]] = []
        self.outcomes: list[Outcome] = []
        self.error: BaseException | None = None
        self.answer: RequestContext | None = None
        self.waits_s = 0.0

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Let a message in, or don't."""
        self.came.append((context, current()))
        await asyncio.sleep(self.waits_s)
        if self.error is not None:
            raise self.error
        return self.answer or context

    async def on_exit(self, outcome: Outcome) -> None:
        """Remember an end."""
        self.outcomes.append(outcome)

    @property
    def kinds(self) -> list[str]:
        """How the requests ended."""
        return [outcome.kind for outcome in self.outcomes]


@pytest.fixture
def call() -> ServerCallContext:
    """The call that a message comes with."""
    return ServerCallContext()


@pytest.fixture
def doors() -> list[Door]:
    """Two interceptors."""
    return [Door(), Door()]


@pytest.fixture
def tasks() -> InMemoryTaskStore:
    """Where tasks are kept."""
    return InMemoryTaskStore()


@pytest.fixture
def chain(doors: list[Door]) -> list[Interceptor]:
    """The chain of both."""
    return [guarded("door", door) for door in doors]


@pytest.fixture
def boundary(chain: list[Interceptor], factory: Factory) -> BoundaryExecutor:
    """The executor behind the gate."""
    return BoundaryExecutor(runner=factory, interceptors=chain)


@pytest.fixture
def gate(
    chain: list[Interceptor], tasks: InMemoryTaskStore, boundary: BoundaryExecutor
) -> Gate:
    """The gate."""
    return Gate(chain, tasks, boundary)


def message() -> SendMessageRequest:
    """Make a message."""
    return SendMessageRequest(message=Message(message_id="m", role=Role.ROLE_USER))


async def test_a_message_goes_down_the_chain(
    gate: Gate, doors: list[Door], call: ServerCallContext
) -> None:
    """Each hook gets what the one before gave, and finds its request."""
    other = request_context()
    doors[0].answer = other
    params = message()

    given = await gate.build(call, params, context_id="c")

    ((context, exchange),) = doors[0].came
    assert (context.message, context.context_id) == (params.message, "c")
    assert context.call_context is call
    assert doors[1].came == [(other, exchange)]
    assert given is other
    assert exchange_of(given) is exchange is exchange_of(context)
    assert exchange.facts.task_id == context.task_id != ""
    assert not exchange.facts.is_reply
    with pytest.raises(LookupError):
        current()


async def test_a_reply_is_known_by_its_task(
    gate: Gate, doors: list[Door], tasks: InMemoryTaskStore, call: ServerCallContext
) -> None:
    """It runs in the conversation of the task, and in no other one."""
    kept = Task(id="t", context_id="c")
    await tasks.save(kept, call)
    other = Task(id="t", context_id="other")

    alone = await gate.build(call, message(), "t", None, other)
    named = await gate.build(ServerCallContext(), message(), "t", "c")
    with pytest.raises(InvalidParamsError, match="bad context id"):
        await gate.build(ServerCallContext(), message(), "t", "d")

    for request in (alone, named):
        assert request.current_task == kept
        assert (request.task_id, request.context_id) == ("t", "c")
        assert exchange_of(request).facts.is_reply
    assert len(doors[0].came) == 2


async def test_a_task_of_no_name_is_taken_as_it_is_given(
    gate: Gate, call: ServerCallContext
) -> None:
    """There is nothing to look it up by; a name that nobody knows has no task."""
    task = Task(id="t", context_id="c")

    request = await gate.build(call, message(), task=task)
    unknown = await gate.build(ServerCallContext(), message(), "t")

    assert request.current_task is task
    assert request.context_id == "c"
    assert unknown.current_task is None
    assert unknown.task_id == "t"
    assert unknown.context_id not in {None, "", "c"}


@pytest.mark.parametrize(
    ("raised", "told", "end"),
    [
        (Rejected("not_you"), InvalidRequestError, ("rejected", "not_you")),
        (TaskNotFoundError("t"), TaskNotFoundError, ("rejected", None)),
        (ConnectionError("secret"), InternalError, ("failed", None)),
    ],
    ids=["refused", "as the SDK refuses", "failed"],
)
async def test_what_is_not_let_in_is_settled(
    gate: Gate,
    doors: list[Door],
    raised: Exception,
    told: type[A2AError],
    end: tuple[OutcomeKind, str | None],
) -> None:
    """Once, and the caller learns no cause."""
    doors[0].error = raised

    with pytest.raises(told) as answered:
        await gate.build(ServerCallContext(), message())

    assert type(answered.value) is told
    assert "secret" not in str(answered.value)
    assert answered.value.__cause__ is None
    assert answered.value.__suppress_context__
    assert doors[1].came == []
    facts = doors[0].came[0][1].facts
    ended = Outcome(kind=end[0], request=facts, error_code=end[1], error=raised)
    assert doors[0].outcomes == doors[1].outcomes == [ended]
    if told is not TaskNotFoundError:
        assert facts.correlation_id in str(vars(answered.value)["data"])


async def test_who_hangs_up_cancels_the_request(gate: Gate, doors: list[Door]) -> None:
    """While a hook thinks."""
    doors[1].waits_s = 9
    building = asyncio.ensure_future(gate.build(ServerCallContext(), message()))
    await asyncio.sleep(0.01)
    assert doors[1].kinds == []

    building.cancel()

    with pytest.raises(asyncio.CancelledError):
        await building
    assert doors[0].kinds == doors[1].kinds == ["canceled"]


async def test_a_hook_that_cancels_itself_has_failed(
    gate: Gate, doors: list[Door]
) -> None:
    """Nobody canceled the request, and its caller waits for an answer."""
    doors[0].error = asyncio.CancelledError()

    with pytest.raises(InternalError):
        await gate.build(ServerCallContext(), message())

    (outcome,) = doors[0].outcomes
    assert outcome.kind == "failed"
    assert isinstance(outcome.error, RuntimeError)
    assert str(outcome.error) == "a before_agent hook raised CancelledError"
    assert outcome.error.__cause__ is doors[0].error


async def test_what_is_let_in_is_open(
    gate: Gate, doors: list[Door], boundary: BoundaryExecutor
) -> None:
    """Until its context is thrown away, or the service stops."""
    kept = await gate.build(ServerCallContext(), message())
    dropped = await gate.build(ServerCallContext(), message())
    for door in doors:
        door.came.clear()

    del dropped
    gc.collect()
    await until(lambda: doors[0].kinds == ["never_started"])

    await boundary.ledger.close()
    assert doors[0].kinds == ["never_started", "shut_down"]
    assert exchange_of(kept).ended == "shut_down"
