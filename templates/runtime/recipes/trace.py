"""The recipe `trace`: one trace a request, the caller's if it sends one.

Only OpenTelemetry's API is used, which ADK depends on: where spans go is the
service's own choice, and without a provider none are made.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from a2a.server.agent_execution import RequestContext
from a2a.types import AgentCard, TaskStatusUpdateEvent
from google.adk.a2a.converters.request_converter import AgentRunRequest
from opentelemetry import context as otel
from opentelemetry import trace as spans
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from ..boundary.outgoing import PAUSED, TERMINAL
from ..seams.exchange import Exchange, current, exchange_of
from ..seams.interceptor import BeforeAgent, OnExit
from ..seams.protocols import OnRequest, OnSend, Outgoing, Perimeter
from ..seams.request import Outcome

__all__ = ["Trace"]

_CALLERS = TraceContextTextMapPropagator()
_FAILED = frozenset({"failed", "timed_out"})


@dataclass(slots=True)
class _Traced:
    """The span that everything of a request stands in."""

    span: Span


@dataclass(kw_only=True, eq=False)
class Trace(Perimeter, BeforeAgent, OnRequest, OnSend, OnExit):
    """Joins the caller's trace, and names it on the last status.

    Attributes:
        key: The key of the trace's id in metadata.
    """

    key: str = "trace_id"

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Put what the SDK does into the trace as well."""

        async def traced(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            with _tracer().start_as_current_span(
                "a2a.http",
                context=_parent(_single(Headers(scope=scope))),
                kind=SpanKind.SERVER,
                # An exception's text may be secret.
                record_exception=False,
                set_status_on_exception=False,
            ):
                await app(scope, receive, send)

        return traced

    def describe(self, card: AgentCard) -> None:
        """Demand nothing of a caller."""

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Begin the request's span."""
        self._traced(exchange_of(context))
        return context

    def on_request(
        self, context: RequestContext, request: AgentRunRequest
    ) -> AgentRunRequest:
        """Let the agent's spans stand in the request's.

        A run has a task of its own, and with it a context that ends as it does;
        so there is nothing to detach, also when it is canceled.
        """
        span = self._traced(exchange_of(context)).span
        otel.attach(spans.set_span_in_context(span))
        return request

    def on_send(self, event: Outgoing) -> Outgoing:
        """Name the trace on the status that ends the request, however that is."""
        if not isinstance(event, TaskStatusUpdateEvent):
            return event
        found = self._traced(current()).span.get_span_context()
        if found.is_valid and event.status.state in TERMINAL | PAUSED:
            event.metadata.update({self.key: spans.format_trace_id(found.trace_id)})
        return event

    async def on_exit(self, outcome: Outcome) -> None:
        """End the span, with an error if the request failed."""
        span = self._traced(current()).span
        span.set_attribute("a2a.outcome", outcome.kind)
        span.set_attribute("a2a.correlation_id", outcome.request.correlation_id)
        if outcome.kind in _FAILED:
            span.set_status(Status(StatusCode.ERROR, outcome.error_code))
        span.end()

    def _traced(self, exchange: Exchange) -> _Traced:
        return exchange.state(
            f"trace {id(self)}", _Traced, lambda: _Traced(_begun(exchange))
        )


def _begun(exchange: Exchange) -> Span:
    facts = exchange.facts
    headers = {
        name: value
        for name, value in facts.headers.items()
        if name not in facts.repeated_headers
    }
    return _tracer().start_span("a2a.request", context=_parent(headers))


def _parent(headers: Mapping[str, str]) -> Context:
    """Give the context that stands already, or else the caller's.

    The former is that of `wrap`, or of what the service has put around it.
    """
    around = otel.get_current()
    if spans.get_current_span(around).get_span_context().is_valid:
        return around
    return _CALLERS.extract(headers, around)


def _single(headers: Headers) -> dict[str, str]:
    """Give the headers that came once: of two traces neither is the caller's."""
    return {name: headers[name] for name in headers if len(headers.getlist(name)) == 1}


def _tracer() -> spans.Tracer:
    # Asked for each time, since a provider may be set after the start.
    return spans.get_tracer(__name__)
