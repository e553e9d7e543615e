"""What looks like a secret is masked, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.boundary.masking import masked

pytestmark = pytest.mark.service


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("redis://:s3cret@cache:6379/0 is down", "redis://***@cache:6379/0 is down"),
        ("postgres://u:p/w@h", "postgres://u:p/w@h"),
        ("at https://user:s3cret@host/path?x=1", "at https://***@host/path?x=1"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: ***"),
        ("sent bearer abc.def-ghi today", "sent bearer *** today"),
        ("password=hunter2 user=me", "password=*** user=me"),
        ('{"api_key": "a b c", "n": 1}', '{"api_key": ***, "n": 1}'),
        ("client-secret: 'x y'", "client-secret: ***"),
        ("token eyJhbGciOi.eyJzdWIiOi.c2ln is old", "token *** is old"),
        ("key sk-proj-abcdef123 refused", "key *** refused"),
        ("AKIAIOSFODNN7EXAMPLE", "***"),
        ("ghp_0123456789abcdefghij", "***"),
        ("AIzaSyA-0123456789abcdefghijklmnopqrs", "***"),
        (
            "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
            "***",
        ),
    ],
)
def test_a_secret_is_masked(text: str, want: str) -> None:
    assert masked(text) == want


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no secret here",
        "the tokens of a sentence, and passwords in general",
        "see https://example.com/a@b",
        "task-1234 of user ann@example.com",
        "3 of 4 keys: a, b",
        "asks-whether it risks-nothing",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert masked(text) == text


@given(st.text(max_size=300))
def test_masking_twice_is_masking_once(text: str) -> None:
    assert masked(masked(text)) == masked(text)


def test_a_long_text_takes_no_time() -> None:
    """No pattern goes back over what it has read: this would not end."""
    for piece in ("://a", "password", "eyJaaaa.", "-----BEGIN A-----", "token=", "sk-"):
        masked(piece * 20_000)
