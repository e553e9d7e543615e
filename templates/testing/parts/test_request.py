"""What isn't known of a request is nothing, and no secret is shown."""

from runtime.seams.request import Outcome, RequestFacts


def test_of_a_request_nothing_is_known_at_first() -> None:
    """But for its name in the logs, which is its own."""
    facts = RequestFacts()

    assert (facts.task_id, facts.context_id, facts.address) == ("", "", "")
    assert (facts.caller, facts.is_reply, facts.headers) == (None, False, {})
    assert facts.repeated_headers == frozenset()
    assert len(facts.correlation_id) == 32
    assert facts.correlation_id != RequestFacts().correlation_id


def test_neither_headers_nor_errors_are_shown() -> None:
    """They may hold what is secret."""
    facts = RequestFacts(headers={"authorization": "hidden"})
    outcome = Outcome(kind="failed", request=facts, error=ValueError("hidden"))

    assert Outcome(kind="paused", request=facts).error_code is None
    assert "hidden" not in repr(outcome)
