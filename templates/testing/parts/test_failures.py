"""The detail goes to the log, and the safe part to the caller."""

import logging

import pytest
from a2a.types import Role, TaskState
from a2a.utils.errors import (
    A2AError,
    InternalError,
    InvalidParamsError,
    TaskNotFoundError,
)

from runtime.boundary import failures as module
from runtime.boundary.failures import (
    Failures,
    failed_update,
    is_refusal,
    kind_of,
    reason_of,
)
from runtime.boundary.safe_errors import SafeErrors
from runtime.seams.rejection import Rejected
from runtime.seams.request import RequestFacts

FACTS = RequestFacts(task_id="t", context_id="c", correlation_id="id-1")
FAILURES = Failures(
    SafeErrors(message="It failed.", pass_through=("builtins:KeyError",))
)


def data_of(error: A2AError) -> object:
    """Give what an error says to a program; the SDK's type of it is open."""
    found: object = vars(error)["data"]
    return found


class Own(InvalidParamsError):
    """A subclass, of which the SDK would give the text away."""


def test_what_was_raised_is_hidden(caplog: pytest.LogCaptureFixture) -> None:
    """Unless its class may pass; the log has where it was, once."""
    error = ConnectionError("password=hunter2")

    failure = FAILURES.of(error, FACTS)
    logged = FAILURES.of(error, FACTS, logged=True)

    assert (failure.code, failure.text) == ("internal_error", "It failed.")
    assert failure.error is error
    assert logged == failure
    line = "ConnectionError: password=***"
    told = [f"request id-1 failed: {line}\n{line}", f"request id-1 failed: {line}"]
    assert caplog.record_tuples == [
        (module.__name__, logging.ERROR, text) for text in told
    ]
    assert FAILURES.of(KeyError("a"), FACTS).text == "'a'"
    assert FAILURES.public_message == "It failed."


def test_a_refusal_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """In one line, without a traceback."""
    refused = Rejected("not_you", message="not you", policy="door")

    with caplog.at_level(logging.INFO):
        failure = FAILURES.of(refused, FACTS)

    assert (failure.code, failure.text, failure.error) == (
        "not_you",
        "not you",
        refused,
    )
    assert caplog.messages == ["request id-1 rejected: reason=not_you policy=door"]
    assert kind_of(failure) == "rejected"


def test_what_nothing_was_raised_for_is_told_by_its_code(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The detail is masked too."""
    failure = FAILURES.without_error("late", "password=hunter2", FACTS)

    assert (failure.code, failure.text, failure.error) == ("late", "It failed.", None)
    assert caplog.messages == ["request id-1 failed: late: password=***"]
    assert (kind_of(failure), kind_of(None)) == ("failed", None)


def test_the_error_for_the_caller_is_the_sdk_s(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Exactly its classes are passed on as they are."""
    missing, refused = TaskNotFoundError("t"), Rejected("not_you")

    assert FAILURES.as_sdk_error(missing, FACTS) is missing
    told = FAILURES.as_sdk_error(refused, FACTS)
    assert data_of(told) == {
        "reason": "not_you",
        "policy": "",
        "correlation_id": "id-1",
    }
    for error in (Own("secret"), ConnectionError("secret")):
        hidden = FAILURES.as_sdk_error(error, FACTS)
        assert type(hidden) is InternalError
        assert hidden.message == "It failed."
        assert data_of(hidden) == {"reason": "internal_error", "correlation_id": "id-1"}
        assert f"failed: {type(error).__name__}: secret" in caplog.messages[-1]
    assert is_refusal(missing)
    assert is_refusal(refused)
    assert not is_refusal(Own("a"))
    assert (reason_of(refused), reason_of(missing)) == ("not_you", None)


def test_the_update_says_what_to_ask_with() -> None:
    """And ends the task."""
    update = failed_update(FAILURES.without_error("late", "", FACTS), FACTS)

    assert (update.task_id, update.context_id) == ("t", "c")
    assert update.status.state == TaskState.TASK_STATE_FAILED
    assert update.status.message.message_id == "failure-id-1"
    assert update.status.message.role == Role.ROLE_AGENT
    assert [part.text for part in update.status.message.parts] == ["It failed."]
    assert dict(update.metadata) == {"error_code": "late", "correlation_id": "id-1"}
