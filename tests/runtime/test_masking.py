"""What looks like a secret is masked, and nothing else is touched."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.boundary.masking import masked, masked_logs

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


def test_records_are_masked_while_the_block_lasts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours, theirs = logging.getLogger("a2a.server"), logging.getLogger("elsewhere")
    with masked_logs():
        ours.warning("at %s", "redis://:pw@cache")
        theirs.warning("at %s", "redis://:pw@cache")
    ours.warning("at %s", "redis://:pw@cache")
    assert caplog.messages == [
        "at redis://***@cache",
        "at redis://:pw@cache",
        "at redis://:pw@cache",
    ]


def test_a_traceback_is_masked_with_its_causes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = LookupError("nothing")
    error.__cause__ = ConnectionError("redis://:s3cret@cache")
    with masked_logs():
        logging.getLogger("google_adk.x").error("failed", exc_info=error)
    assert "s3cret" not in caplog.text
    assert "ConnectionError: redis://***@cache" in caplog.text
    assert "LookupError: nothing" in caplog.text


def test_a_wrong_format_is_left_to_logging(caplog: pytest.LogCaptureFixture) -> None:
    with masked_logs():
        record = logging.getLogger("a2a").makeRecord(
            "a2a", logging.INFO, __file__, 1, "%d", ("x",), None
        )
    assert record.args == ("x",)
    assert caplog.records == []
