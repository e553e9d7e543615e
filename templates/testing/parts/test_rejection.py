"""What a refusal tells a caller."""

import pytest
from a2a.utils.errors import A2AError

from runtime.seams.rejection import Rejected


def data_of(error: A2AError) -> object:
    """Give what an error says to a program; the SDK's type of it is open."""
    found: object = vars(error)["data"]
    return found


def test_a_refusal_tells_its_reason_as_texts() -> None:
    """A2A 1.0 takes no others in an error's data."""
    refused = Rejected("too_many", message="wait", policy="quota", retry_after_s=7)

    error = refused.as_error("id-1")

    assert str(refused) == error.message == "wait"
    assert data_of(error) == {
        "reason": "too_many",
        "policy": "quota",
        "correlation_id": "id-1",
        "retry_after_s": "7",
    }


def test_a_refusal_needs_no_more_than_a_reason() -> None:
    """No wait is below a second."""
    refused = Rejected("not_you")
    waiting = Rejected("not_you", retry_after_s=0)

    assert str(refused) == "refused: not you"
    assert data_of(refused.as_error("id-1")) == {
        "reason": "not_you",
        "policy": "",
        "correlation_id": "id-1",
    }
    assert data_of(waiting.as_error("id-2")) == {
        "reason": "not_you",
        "policy": "",
        "correlation_id": "id-2",
        "retry_after_s": "1",
    }


@pytest.mark.parametrize("reason", ["", "Not you", "not-you", "not you", "a\n", "A"])
def test_a_reason_is_a_token(reason: str) -> None:
    """A program acts on it."""
    with pytest.raises(ValueError, match="a reason is a token"):
        Rejected(reason)
