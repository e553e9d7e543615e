"""One trace a request: the caller's, or one that is named to the caller."""

from collections.abc import AsyncGenerator, Iterator
from time import time_ns

import pytest
from a2a.server.agent_execution import RequestContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from opentelemetry import trace as spans
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from .harness import WIRES, Caller, Content, Wire
from .scripted import ScriptedAgent
from .subject import Interceptor, app, whole_chain

NAME = "trace"
KEY = "trace_id"

ID = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{ID}-00f067aa0ba902b7-01"
OF_AGENT = "of the agent"
EXPORTER = InMemorySpanExporter()
PROVIDER = TracerProvider()
PROVIDER.add_span_processor(SimpleSpanProcessor(EXPORTER))

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


class TracedAgent(ScriptedAgent):
    """Says its lines within a span."""

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        with spans.get_tracer("tests").start_as_current_span(OF_AGENT):
            pass
        async for event in super()._run_async_impl(ctx):
            yield event


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> TracedAgent:
    """An agent that makes a span."""
    return TracedAgent(name="scripted", description="Makes a span.")


@pytest.fixture(autouse=True)
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The tests own where spans go; nobody else's provider is touched."""
    monkeypatch.setattr(spans, "_TRACER_PROVIDER", PROVIDER)
    EXPORTER.clear()
    yield
    EXPORTER.clear()


class Clock:
    """Stands below the recipe in the chain, and remembers when it was asked."""

    asked_ns = 0

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Let the message in."""
        self.asked_ns = time_ns()
        return context


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Another interceptor, which takes its time."""
    clock = Clock()
    below = Interceptor(name="clock", hooks=clock, before_agent=clock.before_agent)
    tracing = [each for each in whole_chain() if each.name == NAME]
    monkeypatch.setattr(app, "build_interceptors", lambda: [*tracing, below])
    return clock


def message(parent: str = "") -> Content:
    """Make a message with this header."""
    headers = {"traceparent": parent} if parent else {}
    return Content(parts=[{"text": "hello"}], headers=headers)


def found(name: str = "") -> list[ReadableSpan]:
    """Give the spans so far, all or those of a name."""
    return [span for span in EXPORTER.get_finished_spans() if name in span.name]


def traces(name: str = "") -> list[str]:
    """Give the ids of the traces that they stand in."""
    ids = {span.context.trace_id for span in found(name) if span.context}
    return [spans.format_trace_id(each) for each in ids]


@each_wire
async def test_every_span_stands_in_the_callers_trace(
    caller: Caller, wire: Wire
) -> None:
    """Those of the SDK, of ADK and of the agent; and the caller is told so."""
    reply = await caller.send(message(PARENT), wire)

    assert reply.state == "completed"
    assert reply.metadata(KEY) == [ID]
    assert traces() == [ID]
    assert traces(OF_AGENT) == [ID]
    (request,) = found("a2a.request")
    # A run of ADK's stands in the request, not beside it.
    assert request.context in [span.parent for span in found("invoke")]


@each_wire
async def test_the_time_of_interceptors_below_counts(
    clock: Clock, caller: Caller, wire: Wire
) -> None:
    """The request's span begins before they are asked."""
    await caller.send(message(PARENT), wire)

    (request,) = found("a2a.request")
    assert 0 < (request.start_time or 0) <= clock.asked_ns


@each_wire
@pytest.mark.parametrize("parent", ["", "nonsense", f"00-{'0' * 32}-{'1' * 16}-01"])
async def test_without_one_the_request_has_its_own(
    caller: Caller, wire: Wire, parent: str
) -> None:
    """A header that can't be read is none."""
    reply = await caller.send(message(parent), wire)

    assert reply.state == "completed"
    assert traces() == reply.metadata(KEY)
    assert traces(OF_AGENT) == traces()
    assert traces() != [ID]


@each_wire
@pytest.mark.parametrize("ends", ["raises", "reports"])
async def test_a_failure_names_its_trace(
    caller: Caller, agent: TracedAgent, wire: Wire, ends: str
) -> None:
    """And its span is an error that tells no text of it."""
    setattr(agent, ends, "it broke")

    reply = await caller.send(message(PARENT), wire)

    assert reply.state == "failed"
    assert reply.metadata(KEY) == [ID]
    (span,) = found("a2a.request")
    assert span.status.status_code == spans.StatusCode.ERROR
    assert "it broke" not in span.to_json()


@each_wire
async def test_a_pause_names_its_trace(
    caller: Caller, agent: TracedAgent, wire: Wire
) -> None:
    """A task that waits isn't one that failed."""
    agent.pauses = True

    reply = await caller.send(message(PARENT), wire)

    assert reply.state == "input-required"
    assert reply.metadata(KEY) == [ID]
    (span,) = found("a2a.request")
    assert span.status.status_code == spans.StatusCode.UNSET


async def test_without_a_provider_the_callers_trace_is_named(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service brings none of its own."""
    monkeypatch.setattr(spans, "_TRACER_PROVIDER", None)

    named = await caller.send(message(PARENT))
    unnamed = await caller.send(message())

    assert named.metadata(KEY) == [ID]
    assert unnamed.state == "completed"
    assert unnamed.metadata(KEY) == []
    assert found("a2a.request") == []
