"""What fails outside the executor is hidden, and what never started is settled."""

from collections.abc import AsyncGenerator
from unittest.mock import Mock, create_autospec

import pytest
from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import RequestHandler
from a2a.types import AgentCard, CancelTaskRequest, Message, SendMessageRequest, Task
from a2a.utils.errors import (
    InternalError,
    InvalidRequestError,
    PushNotificationNotSupportedError,
)

from runtime.boundary.executor import BoundaryExecutor
from runtime.seams.chain import guarded
from runtime.seams.exchange import Exchange, begin_exchange
from runtime.seams.interceptor import OnExit, Outcome
from runtime.seams.protocols import OnMessage
from runtime.seams.rejection import Rejected
from runtime.serving.handler import BoundaryHandler

from .scripted import Factory

pytestmark = pytest.mark.anyio

METHODS = [name for name in vars(BoundaryHandler) if name.startswith("on_")]
SENT = ["on_message_send", "on_message_send_stream"]
STREAMED = ["on_message_send_stream", "on_subscribe_to_task"]
EVENT, OTHER = Message(message_id="a"), Message(message_id="b")


class Inside(OnExit, OnMessage):
    """What the handler stands around, and one call that it gets.

    It may stand in the chain too: then it answers messages, and asks before.

    Attributes:
        inner: The SDK's handler.
        boundary: The executor.
        call: The call.
        outcomes: How requests ended.
        kinds: The kinds of these ends.
        closed: The methods whose streams were closed.
    """

    def __init__(self, factory: Factory) -> None:
        """Begin with no request."""
        self.inner: Mock = create_autospec(RequestHandler, instance=True)
        chain = [guarded("exits", self)]
        self.boundary = BoundaryExecutor(runner=factory, interceptors=chain)
        self.call = ServerCallContext()
        self.outcomes: list[Outcome] = []
        self.kinds: list[str] = []
        self.closed: list[str] = []

    async def on_exit(self, outcome: Outcome) -> None:
        """Remember an end."""
        self.outcomes.append(outcome)
        self.kinds.append(outcome.kind)

    async def on_message_send(
        self,
        inner: RequestHandler,
        params: SendMessageRequest,
        context: ServerCallContext,
    ) -> Message | Task:
        """Answer a message."""
        assert await inner.on_message_send(params, context) == EVENT
        return OTHER

    async def on_message_send_stream(
        self,
        inner: RequestHandler,
        params: SendMessageRequest,
        context: ServerCallContext,
    ) -> AsyncGenerator[Event, None]:
        """Answer a message in a stream."""
        async for event in inner.on_message_send_stream(params, context):
            assert event == EVENT
            yield OTHER

    def let_in(self, call: ServerCallContext, task_id: str = "t") -> Exchange:
        """Begin the request of a call, as the gate does."""
        begun = begin_exchange(call, task_id=task_id, context_id="c", is_reply=True)
        self.boundary.ledger.open(begun)
        return begun

    def gives(self, name: str, *given: object) -> None:
        """Let a method of the SDK's handler give these, or raise them."""

        async def stream(_: object, __: object) -> AsyncGenerator[object, None]:
            try:
                for each in given:
                    if isinstance(each, Exception):
                        raise each
                    yield each
            finally:
                self.closed.append(name)

        getattr(self.inner, name).side_effect = stream if name in STREAMED else given

    async def asked(
        self, name: str, params: object = None, *, who: str = "", pushes: bool = False
    ) -> list[object]:
        """Give what a method of the handler gives, whoever answers messages."""
        card = AgentCard()
        card.capabilities.push_notifications = pushes
        chain = [guarded(who, self)] if who else []
        handler = BoundaryHandler(self.inner, self.boundary, card, chain)
        called = getattr(handler, name)(params or params_of(name), self.call)
        if name in STREAMED:
            return [event async for event in called]
        return [await called]


def params_of(name: str) -> SendMessageRequest | CancelTaskRequest:
    """Make what a method takes, or what is as good."""
    if name not in SENT:
        return CancelTaskRequest(id="t")
    return SendMessageRequest(message=Message(task_id="t", context_id="c"))


@pytest.fixture
def inside(factory: Factory) -> Inside:
    """What the handler stands around."""
    return Inside(factory)


@pytest.mark.parametrize("name", METHODS)
async def test_a_call_is_passed_on(inside: Inside, name: str) -> None:
    """And its answer comes back, if it has one."""
    answers = [None] if "delete" in name else [EVENT]
    inside.gives(name, *answers)

    assert await inside.asked(name) == answers

    getattr(inside.inner, name).assert_called_once_with(params_of(name), inside.call)
    assert inside.kinds == []


@pytest.mark.parametrize("name", METHODS)
async def test_what_fails_is_hidden(inside: Inside, name: str) -> None:
    """The caller may name the request, if there is one."""
    inside.gives(name, *[ConnectionError("secret")] * 2)

    with pytest.raises(InternalError, match="The request failed") as unknown:
        await inside.asked(name)
    begun = inside.let_in(inside.call)
    with pytest.raises(InternalError, match="The request failed") as known:
        await inside.asked(name)

    assert vars(unknown.value)["data"]["correlation_id"]
    assert vars(known.value)["data"]["correlation_id"] == begun.facts.correlation_id
    assert known.value.__cause__ is None
    assert known.value.__suppress_context__
    assert inside.kinds == (["never_started"] if name in SENT else [])


@pytest.mark.parametrize("name", STREAMED)
async def test_a_stream_is_closed_with_its_reader(inside: Inside, name: str) -> None:
    """At once."""
    inside.gives(name, EVENT, OTHER)
    handler = BoundaryHandler(inside.inner, inside.boundary, AgentCard(), [])
    stream = getattr(handler, name)(params_of(name), inside.call)

    assert await anext(stream) == EVENT
    assert inside.closed == []
    await stream.aclose()
    assert inside.closed == [name]


@pytest.mark.parametrize("name", SENT)
async def test_a_webhook_needs_a_service_that_pushes(inside: Inside, name: str) -> None:
    """The SDK would drop it in silence."""
    params = SendMessageRequest()
    params.configuration.task_push_notification_config.url = "https://a.example"
    inside.gives(name, EVENT)

    with pytest.raises(PushNotificationNotSupportedError) as refused:
        await inside.asked(name, params)
    getattr(inside.inner, name).assert_not_called()

    assert refused.value.message == "Push notifications are not supported by the agent"
    assert await inside.asked(name, params, pushes=True) == [EVENT]


@pytest.mark.parametrize("name", SENT)
async def test_what_started_settles_itself(inside: Inside, name: str) -> None:
    """Nobody else does, whatever becomes of the call."""
    inside.let_in(inside.call).started = True
    inside.gives(name, Rejected("too_late"))

    with pytest.raises(InvalidRequestError):
        await inside.asked(name)

    assert inside.kinds == []


@pytest.mark.parametrize("task_id", ["t", ""])
@pytest.mark.parametrize(
    ("who", "policy"), [("answers", None), ("answers", "own"), ("", None)]
)
@pytest.mark.parametrize("name", SENT)
async def test_what_is_refused_before_the_gate_is_settled_too(
    inside: Inside, name: str, who: str, policy: str | None, task_id: str
) -> None:
    """By the name of what refused it, if that has one."""
    refusal = Rejected("seen", policy=policy)
    inside.gives(name, refusal)
    params = SendMessageRequest(message=Message(task_id=task_id, context_id="c"))

    with pytest.raises(InvalidRequestError):
        await inside.asked(name, params, who=who)

    (outcome,) = inside.outcomes
    assert (outcome.kind, outcome.error_code) == ("rejected", "seen")
    assert outcome.error is refusal
    assert refusal.policy == (policy or who)
    facts = outcome.request
    assert (facts.task_id, facts.context_id) == (task_id, "c")
    assert facts.is_reply is bool(task_id)


@pytest.mark.parametrize("name", SENT)
async def test_one_may_answer_for_the_rest(inside: Inside, name: str) -> None:
    """It is given the rest, which it may ask."""
    inside.gives(name, EVENT)

    assert await inside.asked(name, who="answers") == [OTHER]


async def test_a_cancel_settles_what_waits(inside: Inside) -> None:
    """Only that of its task, and before it is answered."""
    inside.let_in(inside.call)
    other = inside.let_in(ServerCallContext(), "other")
    inside.gives("on_cancel_task", Task(id="t"))

    assert await inside.asked("on_cancel_task") == [Task(id="t")]

    assert inside.kinds == ["canceled"]
    assert other.ended is None
