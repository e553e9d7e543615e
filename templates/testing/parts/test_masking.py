"""What looks like a secret is masked, and nothing else is touched."""

import pytest

from runtime.boundary.masking import masked, masked_traceback


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("redis://:s3cret@cache:6379/0 is down", "redis://***@cache:6379/0 is down"),
        ("at https://user:s3cret@host/path?x=1", "at https://***@host/path?x=1"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: ***"),
        ("sent bearer abc.def-ghi today", "sent bearer *** today"),
        ("Basic YWJj= today", "Basic *** today"),
        ("password=hunter2 user=me", "password=*** user=me"),
        ("PWD: x; a", "PWD: ***; a"),
        ('{"api_key": "a b c", "n": 1}', '{"api_key": ***, "n": 1}'),
        ("client-secret: 'x y'", "client-secret: ***"),
        ("credential=x&cookie=y)", "credential=***&cookie=***)"),
        ("token eyJhbGciOi.eyJzdWIiOi.c2ln is old", "token *** is old"),
        ("key sk-proj-abcdef123 refused", "key *** refused"),
        ("AKIAIOSFODNN7EXAMPLE", "***"),
        ("ghp_0123456789abcdefghij", "***"),
        ("github_pat_0123456789abcdefghij", "***"),
        ("xoxb-12345678", "***"),
        ("AIzaSyA-0123456789abcdefghijklmnopqrs", "***"),
        ("a -----BEGIN PRIVATE KEY-----\nMI-E\n-----END PRIVATE KEY----- b", "a *** b"),
        ("-----BEGIN EC KEY-----\ncut", "***"),
    ],
)
def test_a_secret_is_masked(text: str, leaves: str) -> None:
    """Told by its form, since nobody knows which values are secret."""
    assert masked(text) == leaves


@pytest.mark.parametrize(
    "text",
    [
        "the tokens of a sentence, and passwords in general",
        "see https://example.com/a@b",
        "postgres://u:p/w@h",
        "task-1234 of user ann@example.com",
        "asks-whether it risks-nothing",
    ],
)
def test_other_text_stays(text: str) -> None:
    """A log is there to be read."""
    assert masked(text) == text


def connect() -> None:
    """Fail, and say too much."""
    message = "password=hunter2"
    raise ConnectionError(message)


def failed() -> Exception:
    """Give an exception that has a traceback."""
    with pytest.raises(ConnectionError) as raised:
        connect()
    return raised.value


def test_a_traceback_is_masked() -> None:
    """It still says where it was."""
    text = masked_traceback(failed())

    assert text.startswith('Traceback (most recent call last):\n  File "')
    assert "hunter2" not in text
    assert "in connect" in text
    assert "ConnectionError: password=***" in text
