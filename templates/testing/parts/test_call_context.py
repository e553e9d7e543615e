"""What the service keeps of an HTTP request, and who reads it."""

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.types import Message, Role, SendMessageRequest
from starlette.requests import Request

from runtime.seams.exchange import Exchange, current, exchange_of, find_exchange
from runtime.serving.call_context import CallContextBuilder

from .harness import Content
from .scripted import request_context


def request(*headers: tuple[bytes, bytes], client: bool = True) -> Request:
    """Make a request as the server gives it."""
    return Request(
        {
            "type": "http",
            "headers": list(headers),
            "client": ("192.0.2.1", 1) if client else None,
        }
    )


def received(made: Request) -> Exchange:
    """Give what is kept of a message that came so."""
    call = CallContextBuilder().build(made)
    message = Message(message_id="m", role=Role.ROLE_USER)
    return exchange_of(RequestContext(call, SendMessageRequest(message=message)))


def test_where_it_came_from_and_what_came_twice_is_known() -> None:
    """Of which the SDK shows one value."""
    made = request((b"a", b"1"), (b"b", b"1"), (b"b", b"2"), (b"c", b"1"), (b"c", b"1"))

    facts = received(made).facts

    assert facts.address == "192.0.2.1"
    assert facts.repeated_headers == {"b", "c"}
    assert facts.headers["a"] == "1"
    assert (facts.caller, facts.is_reply) == (None, False)
    assert received(request((b"a", b"1"))).facts.repeated_headers == set()
    assert received(request(client=False)).facts.address == ""


def test_a_request_keeps_what_was_made_for_it() -> None:
    """An object for each interceptor, found wherever the context goes."""
    context, other = request_context(), request_context()
    exchange = exchange_of(context)
    assert find_exchange(other.call_context) is None

    exchange.go_with(other)

    assert exchange_of(context) is exchange is find_exchange(other.call_context)
    made = exchange.state("mine", Content, Content)
    assert exchange.state("mine", Content, Content) is made
    assert exchange.state("yours", Content, Content) is not made
    assert exchange.facts.task_id == context.task_id
    assert exchange.facts.context_id == context.context_id
    assert (exchange.facts.headers, exchange.facts.address) == ({}, "")
    assert (exchange.started, exchange.ended, exchange.output) == (False, None, None)


def test_hooks_find_their_request_while_it_is_handled() -> None:
    """And no other one."""
    outer, inner = exchange_of(request_context()), exchange_of(request_context())

    with outer.entered():
        with inner.entered():
            assert current() is inner
        assert current() is outer
    with pytest.raises(LookupError):
        current()
