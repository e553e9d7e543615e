"""The recipe `idempotency`: a message that is sent again runs the agent once."""

from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from hashlib import sha256

from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import RequestHandler
from a2a.types import Message, SendMessageRequest, Task

from ...seams.exchange import Exchange, current, exchange_of, find_exchange
from ...seams.interceptor import BeforeAgent, OnExit
from ...seams.protocols import OnMessage, OnSend, Outgoing
from ...seams.rejection import Rejected
from ...seams.request import Outcome
from .following import Following
from .remembered import MessageRun, Remembered, hashed

__all__ = ["Idempotency"]

_KEY = "idempotency"


@dataclass(slots=True)
class _Held:
    """What a request knows of the run that it is; None for one without an id."""

    run: MessageRun | None = None


class Idempotency(OnMessage, BeforeAgent, OnSend, OnExit):
    """Answers a repeated message with the task of the first one.

    A message is the same if its caller and its id are. It is settled before
    anything is made of it, so a repeat meets no other hook.
    """

    def __init__(self, *, window_s: float = 600, remembered: int = 10_000) -> None:
        """Start with nothing remembered.

        Args:
            window_s: For how many seconds after its end a message is remembered.
            remembered: How many that have ended.

        Raises:
            ValueError: If a number isn't above zero.
        """
        if remembered < 1 or window_s <= 0:
            raise ValueError("window_s and remembered must be above zero")
        self._runs = Remembered(window_s=window_s, most=remembered)

    def __len__(self) -> int:
        """How many messages are remembered."""
        return len(self._runs)

    async def on_message_send(
        self,
        inner: RequestHandler,
        params: SendMessageRequest,
        context: ServerCallContext,
    ) -> Message | Task:
        """Send the message, or wait for what came of the first one.

        Raises:
            Rejected: With `duplicate_message`.
        """
        earlier = await self._earlier(params, context)
        if earlier is not None:
            return await Following(inner, earlier, params.configuration, context).task()
        with self._forgetting(context):
            return await inner.on_message_send(params, context)

    async def on_message_send_stream(
        self,
        inner: RequestHandler,
        params: SendMessageRequest,
        context: ServerCallContext,
    ) -> AsyncGenerator[Event, None]:
        """Send the message, or give the further events of the first one.

        Raises:
            Rejected: With `duplicate_message`.
        """
        earlier = await self._earlier(params, context)
        if earlier is not None:
            following = Following(inner, earlier, params.configuration, context)
            stream = following.events()
        else:
            stream = inner.on_message_send_stream(params, context)
        with self._forgetting(context):
            async with aclosing(stream):
                async for event in stream:
                    yield event

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Note the task of the message.

        Raises:
            Rejected: With `idempotency_unavailable` where ADK's `to_a2a` wires the
                executor: there nothing sees a message before its task is made.
        """
        run = _run_of(context.call_context)
        if run is None:
            message = "repeats can't be told here"
            raise Rejected("idempotency_unavailable", message=message)
        exchange = exchange_of(context)
        _held(exchange).run = run
        run.task_id = exchange.facts.task_id
        if context.current_task is not None:
            run.before = hashed(context.current_task.status)
        return context

    def on_send(self, event: Outgoing) -> Outgoing:
        """Note that there is a task, or is about to be."""
        run = _held(current()).run
        if run is not None and not run.has_sent:
            run.has_sent = True
            run.decided.set()
        return event

    async def on_exit(self, outcome: Outcome) -> None:
        """Remember the message from here on, or forget it if nothing came of it."""
        exchange = current()
        run = _held(exchange).run
        if run is None:
            return
        refused = outcome.kind == "rejected" and not run.has_sent
        if refused or not exchange.started:
            self._runs.forget(run)
        else:
            self._runs.end(run)

    async def _earlier(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> MessageRun | None:
        """Give the run that the message has, or None if it is the first."""
        if not params.message.message_id:
            # The SDK refuses it.
            return None
        key, digest = _key(params, context), _digest(params)
        # Nothing awaits between looking and beginning: of many one is the first.
        while (run := self._runs.find(key)) is not None:
            if run.digest != digest:
                message = "another message was sent with this id"
                raise Rejected("duplicate_message", message=message)
            await run.decided.wait()
            if not run.is_forgotten:
                return run
        context.state[_KEY] = self._runs.begin(key, digest)
        return None

    @contextmanager
    def _forgetting(self, context: ServerCallContext) -> Generator[None, None, None]:
        """Forget a message that didn't come as far as this recipe's hooks."""
        try:
            yield
        finally:
            run, exchange = _run_of(context), find_exchange(context)
            # One that was let in and waits for its turn is settled by its exit.
            is_over = exchange is None or exchange.ended is not None
            if run is not None and is_over and not (exchange and exchange.started):
                self._runs.forget(run)


def _held(exchange: Exchange) -> _Held:
    return exchange.state(_KEY, _Held, _Held)


def _run_of(context: ServerCallContext) -> MessageRun | None:
    found = context.state.get(_KEY)
    return found if isinstance(found, MessageRun) else None


def _key(params: SendMessageRequest, context: ServerCallContext) -> bytes:
    """Hash whose message it is, as the task store tells callers apart, and its id."""
    user = context.user
    caller = f"{user.is_authenticated}:{user.user_name}".encode(errors="surrogatepass")
    return sha256(sha256(caller).digest() + params.message.message_id.encode()).digest()


def _digest(params: SendMessageRequest) -> bytes:
    """Hash what the agent would be run with; how to be answered isn't part of it."""
    told = hashed(params.message) + hashed(params.metadata)
    return sha256(told + params.tenant.encode()).digest()
