"""What a request carries is its own, and never another's."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncGenerator

import pytest
from a2a.server.agent_execution import RequestContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.boundary.policy import Policy
from runtime.seams.exchange import current
from runtime.seams.interceptor import (
    A2AEvent,
    AdkEvent,
    AfterAgent,
    AfterEvent,
    BeforeAgent,
    EventResult,
    ExecutorContext,
    OnExit,
    Outcome,
    TaskStatusUpdateEvent,
)
from runtime.seams.rejection import Rejected
from testing.harness import WIRES, Caller, Json, Reply
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)


class Notebook:
    """One request's own object."""

    def __init__(self) -> None:
        self.words: list[str] = []


class Notes(BeforeAgent, AfterEvent, AfterAgent, OnExit):
    """Writes the message's text down in each hook, and compares at the end."""

    def __init__(self) -> None:
        self.finished: list[list[str]] = []

    async def before_agent(self, context: RequestContext) -> RequestContext:
        self._note(context.get_user_input())
        await asyncio.sleep(random.random() / 100)
        return context

    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        self._note("event")
        return event

    async def after_agent(
        self, context: ExecutorContext, final_event: TaskStatusUpdateEvent
    ) -> TaskStatusUpdateEvent:
        self._note("end")
        return final_event

    async def on_exit(self, outcome: Outcome) -> None:
        self._note(outcome.kind)
        assert outcome.request is current().facts
        self.finished.append(current().state("notes", Notebook, Notebook).words)

    def _note(self, word: str) -> None:
        current().state("notes", Notebook, Notebook).words.append(word)


async def answers(_: InvocationContext) -> AsyncGenerator[Event, None]:
    await asyncio.sleep(random.random() / 100)
    yield adk_event("an answer")


@each_cell
async def test_the_hooks_of_a_request_share_an_object(cell: Cell) -> None:
    notes = Notes()
    async with served(Setup(script=answers, hooks={"n": notes}, pin=cell.pin)) as it:
        sent = (
            it.send(str(number), cell.wire, extension=cell.extension)
            for number in range(20)
        )
        await asyncio.gather(*sent)
    assert sorted(words[0] for words in notes.finished) == sorted(map(str, range(20)))
    for words in notes.finished:
        assert words[1:] == ["event", "end", "completed"]


class Headers(OnExit):
    """Keeps the facts of the last request."""

    async def on_exit(self, outcome: Outcome) -> None:
        self.facts = outcome.request


async def test_the_facts_are_there() -> None:
    headers = Headers()
    async with served(Setup(script=answers, hooks={"h": headers})) as caller:
        reply = await caller.call("SendMessage", message("hi"), headers={"X-One": "1"})
    facts = headers.facts
    assert facts.headers["x-one"] == "1"
    assert facts.caller is None
    assert facts.repeated_headers == frozenset()
    assert facts.context_id in str(reply.answers)
    assert facts.task_id in str(reply.answers)
    assert "x-one" not in repr(facts)


async def test_a_header_sent_twice_is_named() -> None:
    headers = Headers()
    async with served(Setup(script=answers, hooks={"h": headers})) as caller:
        await caller.http.post(
            "/",
            json={
                "jsonrpc": "2.0",
                "id": 1,
                "method": "SendMessage",
                "params": message("hi"),
            },
            headers=[("A2A-Version", "1.0"), ("X-Key", "a"), ("x-key", "b")],
        )
    assert headers.facts.repeated_headers == {"x-key"}


def message(text: str) -> dict[str, Json]:
    return {
        "message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"text": text}]}
    }


# --- a storm -----------------------------------------------------------------

REQUESTS, AT_ONCE = 1000, 50


class Slots(BeforeAgent, OnExit):
    """Takes a slot for each request, and gives it back."""

    def __init__(self) -> None:
        self.taken: Counter[str] = Counter()
        self.given_back: Counter[str] = Counter()
        self.most = 0

    async def before_agent(self, context: RequestContext) -> RequestContext:
        self.taken[current().facts.correlation_id] += 1
        self.most = max(self.most, self.open)
        return context

    async def on_exit(self, outcome: Outcome) -> None:
        await asyncio.sleep(0)
        self.given_back[outcome.request.correlation_id] += 1

    @property
    def open(self) -> int:
        """How many slots are taken."""
        return self.taken.total() - self.given_back.total()


class Weather(BeforeAgent, AfterEvent, AfterAgent, OnExit):
    """Fails in one hook of four, as the message says; checks whose request it is."""

    def __init__(self) -> None:
        self.crossed = 0

    async def before_agent(self, context: RequestContext) -> RequestContext:
        text = context.get_user_input()
        current().state("weather", Notebook, Notebook).words.append(text)
        self._maybe_fail("before")
        return context

    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        said = adk_event.content.parts if adk_event.content else None
        if said and said[0].text and said[0].text != self._text():
            self.crossed += 1
        self._maybe_fail("event")
        return event

    async def after_agent(
        self, context: ExecutorContext, final_event: TaskStatusUpdateEvent
    ) -> TaskStatusUpdateEvent:
        self._maybe_fail("end")
        return final_event

    async def on_exit(self, outcome: Outcome) -> None:
        self._maybe_fail("exit")

    def _text(self) -> str:
        words = current().state("weather", Notebook, Notebook).words
        return words[0] if words else ""

    def _maybe_fail(self, hook: str) -> None:
        kind = self._text().partition(" ")[0]
        if kind == f"refuse-{hook}":
            raise Rejected("bad_weather")
        if kind == f"fail-{hook}":
            raise ConnectionError(kind)
        if kind == f"cancel-{hook}":
            raise asyncio.CancelledError


async def does_as_told(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    content = ctx.user_content
    text = (content.parts or [])[0].text if content else None
    kind = (text or "").partition(" ")[0]
    yield adk_event(text or "")
    if kind == "crash":
        raise ConnectionError
    if kind == "wait":
        await asyncio.sleep(3600)
    if kind == "hang":
        await asyncio.sleep(3600)
    if kind == "pause":
        call = types.FunctionCall(id="call", name="approve", args={})
        asked = types.Content(role="model", parts=[types.Part(function_call=call)])
        yield Event(author="scripted", content=asked, long_running_tool_ids={"call"})
    await asyncio.sleep(random.random() / 50)


KINDS = (
    *("fine", "fine", "fine", "crash", "pause", "wait", "hang"),
    *(f"{how}-{hook}" for how in ("refuse", "fail") for hook in ("before", "event")),
    *("refuse-end", "fail-end", "fail-exit", "cancel-before", "cancel-event"),
    *("cancel-exit", "drop", "drop"),
)
ENDS = {"completed", "failed", "canceled", "input-required"}


@pytest.mark.parametrize("pin", ["legacy", "new"])
async def test_a_storm_settles(pin: str) -> None:
    """1,000 mixed requests, 50 at once, with failures, refusals, cancels and drops."""
    slots, weather = Slots(), Weather()
    hooks: dict[str, object] = {"slots": slots, "weather": weather}
    policy = Policy(deadline_s=2)
    dice = random.Random(20261130)
    setup = Setup(script=does_as_told, hooks=hooks, pin=pin, policy=policy)
    gate = asyncio.Semaphore(AT_ONCE)
    async with served(setup) as caller:

        async def one(number: int, kind: str) -> Reply | None:
            async with gate:
                return await play(caller, f"{kind} {number}", dice)

        told = [dice.choice(KINDS) for _ in range(REQUESTS)]
        replies = await asyncio.gather(*(one(n, kind) for n, kind in enumerate(told)))
        await asyncio.sleep(2.5)
        listed = await caller.call("ListTasks", {"pageSize": 100})
        assert slots.open == 0
    assert slots.taken == slots.given_back
    assert set(slots.given_back.values()) == {1}
    assert len(slots.taken) == REQUESTS
    assert weather.crossed == 0
    assert 1 < slots.most <= AT_ONCE + 1
    for reply in replies:
        assert reply is None or reply.error is not None or reply.state in ENDS
    states = {reply.state for reply in replies if reply and reply.error is None}
    assert states == ENDS
    assert "TASK_STATE_WORKING" not in str(listed.answers)


async def play(caller: Caller, text: str, dice: random.Random) -> Reply | None:
    """Send a message as its first word says; None where the caller hung up."""
    wire = dice.choice(WIRES)
    if text.startswith("drop"):
        sending = asyncio.create_task(caller.send(text, wire))
        await asyncio.sleep(dice.random() / 50)
        sending.cancel()
        # The SDK swallows the cancel in places, and then the answer is cut short.
        await asyncio.gather(sending, return_exceptions=True)
        return None
    if not text.startswith("wait"):
        return await caller.send(text, wire)
    begun = await caller.send(text, wait=False)
    if begun.error is not None:
        return begun
    await asyncio.sleep(dice.random() / 50)
    return await caller.call("CancelTask", {"id": str(begun.metadata("id")[0])})
