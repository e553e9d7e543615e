import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Any

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from opentelemetry import context as otel
from opentelemetry import trace as spans
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.runtime.messages import answer_to, asks_twice, begun_task
from tests.runtime.serving import CELLS, Cell, Exits, Setup, served

from runtime.boundary.policy import Policy
from runtime.recipes.outbound.stamp import Stamp
from runtime.recipes.trace import Trace
from runtime.seams.interceptor import BeforeAgent, RequestContext
from runtime.seams.rejection import Rejected
from testing.harness import Content, Reply
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
each_pin = pytest.mark.parametrize("pin", ["legacy", "new"])
ID = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{ID}-00f067aa0ba902b7-01"


class Exporter(InMemorySpanExporter):
    """Keeps spans as long as a test wants them: ADK keeps its tracers for good."""

    wanted = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return super().export(spans if self.wanted else [])


EXPORTER = Exporter()
PROVIDER = TracerProvider()
PROVIDER.add_span_processor(SimpleSpanProcessor(EXPORTER))


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """The spans of a provider that the test owns."""
    monkeypatch.setattr(spans, "_TRACER_PROVIDER", PROVIDER)
    monkeypatch.setattr(EXPORTER, "wanted", True)
    EXPORTER.clear()
    yield EXPORTER
    EXPORTER.clear()


def message(parent: str) -> Content:
    return Content(parts=[{"text": "hello"}], headers={"traceparent": parent})


async def answers(_: InvocationContext) -> AsyncGenerator[Event, None]:
    with spans.get_tracer("test").start_as_current_span("of the agent"):
        pass
    yield adk_event("done")


def setup(script: Any = answers, **more: Any) -> Setup:  # noqa: ANN401
    return Setup(script=script, hooks={"trace": Trace()}, **more)


def named(exporter: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in exporter.get_finished_spans() if span.name == name]


def traces(exporter: InMemorySpanExporter, name: str = "") -> set[str]:
    """Give the traces so far; when the application stops, the SDK begins others."""
    return {
        spans.format_trace_id(span.context.trace_id)
        for span in exporter.get_finished_spans()
        if span.context and name in span.name
    }


@each_cell
async def test_the_callers_trace_holds_every_span_and_the_stamps(
    exporter: InMemorySpanExporter, cell: Cell
) -> None:
    """D1-09: the trace's id, a cost, a time and tags, beside ADK's own keys."""
    stamp = Stamp(prices={"*": "1/1"}, tags=("b", "a"))
    hooks: dict[str, object] = {"trace": Trace(), "stamp": stamp}
    async with served(Setup(script=answers, hooks=hooks, pin=cell.pin)) as it:
        reply = await it.send(message(PARENT), cell.wire, extension=cell.extension)
        found = traces(exporter)
    assert reply.state == "completed"
    assert reply.metadata("trace_id") == [ID]
    assert reply.metadata("adk_app_name") == ["scripted"]
    (told,) = reply.metadata("stamp")
    assert isinstance(told, dict)
    assert told["cost"] == "0.000000"
    assert str(told["started_at"]).endswith("+00:00")
    assert told["tags"] == ["a", "b"]
    assert found == {ID}
    assert len(named(exporter, "of the agent")) == 1
    assert len(named(exporter, "invoke_agent scripted")) == 1
    (request,) = named(exporter, "a2a.request")
    parents = [span.parent for span in exporter.get_finished_spans()]
    of_request = [each for each in parents if each and request.context == each]
    assert of_request, "the agent's spans stand in the request's"


@each_cell
async def test_without_a_trace_of_the_callers_a_request_has_one(
    exporter: InMemorySpanExporter, cell: Cell
) -> None:
    async with served(setup(pin=cell.pin)) as it:
        first = await it.send("hello", cell.wire, extension=cell.extension)
        (of_first,) = traces(exporter)
        exporter.clear()
        second = await it.send("hello", cell.wire, extension=cell.extension)
        (of_second,) = traces(exporter, "invoke_agent")
    assert first.metadata("trace_id") == [of_first]
    assert second.metadata("trace_id") == [of_second] != [of_first]


@pytest.mark.parametrize(
    "parent",
    [
        "",
        "nonsense",
        f"00-{'0' * 32}-00f067aa0ba902b7-01",
        f"00-{ID}-{'0' * 16}-01",
        f"ff-{ID}-00f067aa0ba902b7-01",
        f"{PARENT}-more",
        f"00-{ID[1:]}-00f067aa0ba902b7-01",
        f"{PARENT}, {PARENT}",
    ],
)
async def test_a_malformed_header_is_ignored(
    exporter: InMemorySpanExporter, parent: str
) -> None:
    async with served(setup()) as it:
        reply = await it.send(message(parent))
        (found,) = traces(exporter)
    assert reply.state == "completed"
    assert reply.metadata("trace_id") == [found] != [ID]


async def test_of_two_headers_neither_counts(exporter: InMemorySpanExporter) -> None:
    body: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "SendMessage",
        "params": {
            "message": {
                "messageId": "m",
                "role": "ROLE_USER",
                "parts": [{"text": "hello"}],
            }
        },
    }
    headers = [("A2A-Version", "1.0"), ("traceparent", PARENT), ("traceparent", PARENT)]
    async with served(setup()) as it:
        response = await it.http.post("/", json=body, headers=headers)
        (found,) = traces(exporter)
    assert ID not in response.text
    assert found != ID
    assert found in response.text


@each_pin
async def test_a_reply_is_in_its_own_trace(
    exporter: InMemorySpanExporter, pin: str
) -> None:
    """Though the SDK may run it in a task that the first message began."""
    other = "a" * 32
    async with served(setup(asks_twice, pin=pin)) as it:
        asked = await it.send(message(PARENT))
        exporter.clear()
        answer = Content(
            parts=[answer_to("call-1")],
            headers={"traceparent": PARENT.replace(ID, other)},
        )
        again = await it.send(answer, task_id=asked.task_id)
    assert asked.metadata("trace_id") == [ID]
    assert again.metadata("trace_id")[-1] == other
    assert traces(exporter, "invoke_agent") == {other}


@each_pin
@pytest.mark.parametrize(
    ("does", "code"),
    [
        ("raise", "internal_error"),
        ("report", "agent_error"),
        ("wait", "deadline_exceeded"),
    ],
)
async def test_a_failure_is_named_and_its_span_an_error(
    exporter: InMemorySpanExporter, pin: str, does: str, code: str
) -> None:
    async def script(_: InvocationContext) -> AsyncGenerator[Event, None]:
        yield adk_event("begun")
        if does == "raise":
            text = "a secret"
            raise ConnectionError(text)
        if does == "report":
            yield Event(author="scripted", error_code="500", error_message="a secret")
        else:
            await asyncio.sleep(3600)

    async with served(setup(script, pin=pin, policy=Policy(deadline_s=0.2))) as it:
        reply = await it.send(message(PARENT))
    assert reply.state == "failed"
    assert reply.metadata("trace_id") == [ID]
    (span,) = named(exporter, "a2a.request")
    assert span.status.status_code == spans.StatusCode.ERROR
    assert span.status.description == code
    assert not span.events
    assert "secret" not in span.to_json()


async def test_a_refusal_is_no_error_of_the_service(
    exporter: InMemorySpanExporter,
) -> None:
    class Refusing(BeforeAgent):
        async def before_agent(self, context: RequestContext) -> RequestContext:
            reason = "no"
            raise Rejected(reason)

    hooks: dict[str, object] = {"trace": Trace(), "no": Refusing()}
    async with served(Setup(script=answers, hooks=hooks)) as it:
        reply = await it.send(message(PARENT))
    assert reply.error_data["reason"] == "no"
    (span,) = named(exporter, "a2a.request")
    assert span.status.status_code == spans.StatusCode.UNSET
    assert span.attributes is not None
    assert span.attributes["a2a.outcome"] == "rejected"


@each_pin
async def test_a_cancel_leaves_nothing_to_detach(
    exporter: InMemorySpanExporter, caplog: pytest.LogCaptureFixture, pin: str
) -> None:
    async def waits(_: InvocationContext) -> AsyncGenerator[Event, None]:
        with spans.get_tracer("test").start_as_current_span("of the agent"):
            yield adk_event("begun")
            await asyncio.sleep(3600)

    exits = Exits()
    hooks: dict[str, object] = {"trace": Trace(), "exits": exits}
    before = otel.get_current()
    async with served(Setup(script=waits, hooks=hooks, pin=pin)) as it:
        begun = await it.send(message(PARENT), wait=False)
        await asyncio.sleep(0.1)
        canceled = await it.call("CancelTask", {"id": begun_task(begun)})
    assert canceled.metadata("trace_id") == [ID]
    assert exits.kinds == ["canceled"]
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]
    (span,) = named(exporter, "a2a.request")
    assert span.status.status_code == spans.StatusCode.UNSET
    assert otel.get_current() == before


async def test_without_a_provider_the_callers_trace_is_named() -> None:
    async with served(setup()) as it:
        named_ = await it.send(message(PARENT))
        unnamed: Reply = await it.send("hello")
    assert named_.metadata("trace_id") == [ID]
    assert unnamed.state == "completed"
    assert unnamed.metadata("trace_id") == []


async def test_the_trace_around_the_service_is_the_one(
    exporter: InMemorySpanExporter,
) -> None:
    """As with an instrumentation of the service's own, around its application."""
    async with served(setup()) as it:
        with spans.get_tracer("around").start_as_current_span("around") as around:
            reply = await it.send(message(PARENT))
        found = traces(exporter)
    own = spans.format_trace_id(around.get_span_context().trace_id)
    assert reply.metadata("trace_id") == [own]
    assert found == {own}
