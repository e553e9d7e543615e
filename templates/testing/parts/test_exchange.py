"""A request's exchange is found wherever the request is, and nowhere else."""

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import Task

from runtime.seams.exchange import (
    ADDRESS,
    REPEATED_HEADERS,
    Exchange,
    begin_exchange,
    current,
    exchange_of,
    find_exchange,
)
from runtime.seams.request import RequestFacts

from .scripted import Named, request_context


def test_it_begins_with_what_is_known_of_the_call() -> None:
    """Which may be nothing but who calls."""
    state = {"headers": {"a": "b"}, ADDRESS: "10.1.2.3", REPEATED_HEADERS: {"a"}}
    call = ServerCallContext(user=Named(), state=state)
    begun = begin_exchange(call, task_id="t", context_id="c", is_reply=True)
    bare = begin_exchange(
        ServerCallContext(user=Named(known=False)),
        task_id="",
        context_id="",
        is_reply=False,
    )

    assert begun.facts == RequestFacts(
        task_id="t",
        context_id="c",
        correlation_id=begun.facts.correlation_id,
        caller="ann",
        address="10.1.2.3",
        headers={"a": "b"},
        repeated_headers=frozenset({"a"}),
        is_reply=True,
    )
    assert bare.facts == RequestFacts(correlation_id=bare.facts.correlation_id)
    assert bare.facts.caller is None
    assert bare.facts.correlation_id != begun.facts.correlation_id


def test_nothing_has_happened_at_its_beginning() -> None:
    """Its run hasn't begun, nor has it ended."""
    begun = exchange_of(request_context())

    assert (begun.started, begun.ended, begun.settled.is_set()) == (False, None, False)
    assert (begun.output, begun.agent_error) == (None, None)


def test_a_context_has_one() -> None:
    """It is begun when it is asked for first, and goes with the call."""
    context, reply = request_context(), request_context()
    reply.current_task = Task()
    assert find_exchange(context.call_context) is None

    begun = exchange_of(context)

    assert exchange_of(context) is find_exchange(context.call_context) is begun
    assert (begun.facts.task_id, begun.facts.context_id) == (
        context.task_id,
        context.context_id,
    )
    assert begun.facts.is_reply is False
    assert exchange_of(reply).facts.is_reply is True
    facts = exchange_of(RequestContext(ServerCallContext())).facts
    assert (facts.task_id, facts.context_id) == ("", "")


def test_it_goes_with_a_context_that_stands_in_for_the_first() -> None:
    """A hook may have made that; what another has put there is no exchange."""
    begun, other = exchange_of(request_context()), request_context()
    begun.go_with(other)
    assert exchange_of(other) is begun

    other.call_context.state.update(
        dict.fromkeys(other.call_context.state, "something else")
    )
    assert find_exchange(other.call_context) is None


def test_it_is_current_as_long_as_it_is_handled() -> None:
    """One within another, too."""
    outer, inner = Exchange(RequestFacts()), Exchange(RequestFacts())
    with outer.entered():
        with inner.entered():
            assert current() is inner
        assert current() is outer

    with pytest.raises(LookupError):
        current()


def test_each_interceptor_has_an_object_of_its_own_in_it() -> None:
    """Made when it is asked for first, and anew if it is of another class."""
    begun, other = Exchange(RequestFacts()), Exchange(RequestFacts())
    mine = begun.state("mine", set, set[str])

    assert begun.state("mine", set, set[str]) is mine
    assert begun.state("yours", set, set[str]) is not mine
    assert other.state("mine", set, set[str]) is not mine
    anew = begun.state("mine", dict, dict[str, str])
    assert begun.state("mine", dict, dict[str, str]) is anew
