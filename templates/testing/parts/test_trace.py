"""A request has one trace, the caller's if it sends one, and names it at the end."""

from collections.abc import Iterator, MutableMapping

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.types import (
    AgentCard,
    Artifact,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from google.adk.a2a.converters.request_converter import AgentRunRequest
from opentelemetry import context as otel
from opentelemetry import trace as spans
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from starlette.types import Message, Receive, Scope, Send

from runtime.recipes.trace import Trace
from runtime.seams.exchange import begin_exchange, exchange_of
from runtime.seams.request import Outcome, OutcomeKind

from .scripted import request_context

pytestmark = pytest.mark.anyio

ID = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = f"00-{ID}-00f067aa0ba902b7-01"
EXPORTER = InMemorySpanExporter()
PROVIDER = TracerProvider()
PROVIDER.add_span_processor(SimpleSpanProcessor(EXPORTER))


@pytest.fixture(autouse=True)
def _provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(spans, "get_tracer", PROVIDER.get_tracer)
    EXPORTER.clear()
    yield
    EXPORTER.clear()


def context_with(
    repeated: frozenset[str] = frozenset(), **headers: str
) -> RequestContext:
    """Make a request that came with headers."""
    context = request_context()
    call = context.call_context
    call.state["headers"] = headers
    call.state["repeated_headers"] = repeated
    begin_exchange(call, task_id="t", context_id="c", is_reply=False)
    return context


def trace_id(span: ReadableSpan) -> str:
    """Give the trace that a span is of."""
    assert span.context is not None
    return spans.format_trace_id(span.context.trace_id)


async def ended(
    trace: Trace, context: RequestContext, kind: OutcomeKind = "completed"
) -> ReadableSpan:
    """Let a request begin and end, and give its span."""
    exchange = exchange_of(context)
    with exchange.entered():
        await trace.on_exit(
            Outcome(kind=kind, request=exchange.facts, error_code="late")
        )
    (span,) = EXPORTER.get_finished_spans()
    return span


async def test_a_request_joins_the_trace_of_its_caller() -> None:
    """In a span of its own, which ends with it."""
    trace, context = Trace(), context_with(traceparent=PARENT)
    assert await trace.before_agent(context) is context
    assert EXPORTER.get_finished_spans() == ()

    span = await ended(trace, context)

    assert (span.name, trace_id(span)) == ("a2a.request", ID)
    assert span.parent is not None
    correlation_id = exchange_of(context).facts.correlation_id
    assert dict(span.attributes or {}) == {
        "a2a.outcome": "completed",
        "a2a.correlation_id": correlation_id,
    }
    assert span.status.status_code is StatusCode.UNSET
    assert span.instrumentation_scope is not None
    assert span.instrumentation_scope.name.endswith(".trace")


@pytest.mark.parametrize(
    "context",
    [
        context_with(),
        context_with(traceparent="nonsense"),
        context_with(frozenset({"traceparent"}), traceparent=PARENT),
    ],
    ids=range(3),
)
async def test_without_one_trace_of_the_caller_it_has_its_own(
    context: RequestContext,
) -> None:
    """Of two neither is the caller's."""
    span = await ended(Trace(), context)

    assert trace_id(span) != ID
    assert span.parent is None


@pytest.mark.parametrize(
    ("kind", "is_error"),
    [
        ("completed", False),
        ("failed", True),
        ("timed_out", True),
        ("canceled", False),
        ("rejected", False),
    ],
)
async def test_a_failure_is_an_error_of_its_span(
    kind: OutcomeKind, *, is_error: bool
) -> None:
    """With the token that the caller got."""
    span = await ended(Trace(), context_with(), kind)

    code = StatusCode.ERROR if is_error else StatusCode.UNSET
    assert (span.status.status_code, span.status.description) == (
        code,
        "late" if is_error else None,
    )


async def test_what_the_agent_does_stands_in_the_requests_span() -> None:
    """As long as the run lasts."""
    trace, context = Trace(), context_with(traceparent=PARENT)
    request = AgentRunRequest(user_id="u", session_id="s")
    before = otel.attach(otel.get_current())
    try:
        assert trace.on_request(context, request) is request
        inner = spans.get_current_span().get_span_context()
        span = await ended(trace, context)
    finally:
        otel.detach(before)

    assert span.context == inner


@pytest.mark.parametrize(
    ("state", "is_named"),
    [
        (TaskState.TASK_STATE_COMPLETED, True),
        (TaskState.TASK_STATE_REJECTED, True),
        (TaskState.TASK_STATE_INPUT_REQUIRED, True),
        (TaskState.TASK_STATE_WORKING, False),
    ],
)
@pytest.mark.parametrize(
    ("trace", "key"), [(Trace(), "trace_id"), (Trace(key="other"), "other")]
)
async def test_the_trace_is_named_at_the_end(
    trace: Trace, key: str, state: TaskState, *, is_named: bool
) -> None:
    """Beside what the status has, and on nothing else."""
    event = TaskStatusUpdateEvent(status=TaskStatus(state=state))
    event.metadata["own"] = 1
    artifact = TaskArtifactUpdateEvent(artifact=Artifact(artifact_id="a"))
    with exchange_of(context_with(traceparent=PARENT)).entered():
        assert trace.on_send(event) is event
        assert trace.on_send(artifact) is artifact

    assert dict(event.metadata) == {"own": 1, **({key: ID} if is_named else {})}
    assert not artifact.metadata


async def test_where_no_spans_are_made_none_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where they go is the service's choice."""
    monkeypatch.setattr(spans, "get_tracer", spans.NoOpTracerProvider().get_tracer)
    event = TaskStatusUpdateEvent(
        status=TaskStatus(state=TaskState.TASK_STATE_COMPLETED)
    )
    with exchange_of(context_with()).entered():
        assert Trace().on_send(event) is event

    assert not event.metadata


async def receive() -> Message:
    """Receive nothing."""
    return {}


async def send(_: MutableMapping[str, object]) -> None:
    """Send to nobody."""


@pytest.mark.parametrize(
    ("sent", "is_joined"), [([PARENT], True), ([PARENT] * 2, False)]
)
async def test_what_the_sdk_does_stands_in_the_trace_too(
    sent: list[str], *, is_joined: bool
) -> None:
    """With a span around the request's; an exception's text is not in it."""
    trace = Trace()
    headers = [(b"traceparent", each.encode()) for each in sent]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        passed.append((receive, send))
        await ended_inside()
        raise ConnectionError(scope["type"])

    async def ended_inside() -> None:
        inner.append(await ended(trace, context_with()))

    passed: list[object] = []
    inner: list[ReadableSpan] = []
    with pytest.raises(ConnectionError):
        await trace.wrap(app)({"type": "http", "headers": headers}, receive, send)

    of_request, around = EXPORTER.get_finished_spans()
    assert (around.name, around.kind) == ("a2a.http", SpanKind.SERVER)
    assert of_request.parent == around.context
    assert passed == [(receive, send)]
    assert (trace_id(around) == ID) is is_joined
    assert (around.events, around.status.status_code) == ((), StatusCode.UNSET)


async def test_only_requests_have_a_span() -> None:
    """What starts and ends an application has none; nothing is asked of callers."""
    seen: list[object] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.extend((scope["type"], receive, send))

    await Trace().wrap(app)({"type": "lifespan"}, receive, send)

    assert seen == ["lifespan", receive, send]
    assert EXPORTER.get_finished_spans() == ()
    card = AgentCard()
    Trace().describe(card)
    assert card == AgentCard()
