"""What ADK and the SDK log has neither a secret nor anybody's words."""

import logging

import pytest
from a2a.types import Message, Part

from runtime.boundary import log_records
from runtime.boundary.log_records import safe_logs

OWN = log_records.__name__.partition(".")[0]
WORDS = "a quince for Ada"
MESSAGE = Message(message_id="m-1", parts=[Part(text=WORDS)])
SIZE = MESSAGE.ByteSize()


def connect() -> None:
    """Fail, and say too much."""
    raise ConnectionError("password=hunter2")


def failed() -> Exception:
    """Give an exception that has a traceback."""
    with pytest.raises(ConnectionError) as raised:
        connect()
    return raised.value


@pytest.mark.parametrize(
    "name",
    ["a2a.server", "asyncio", "google_adk.runners", pytest.param(OWN, id="own")],
)
def test_secrets_are_masked(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """As long as the service runs, and not in what others log."""
    with safe_logs():
        logging.getLogger(name).error("at %s", "password=a1", exc_info=failed())
        logging.getLogger("other").error("at %s", "password=a2")
    logging.getLogger(name).error("at %s", "password=a3")

    assert "a1" not in caplog.text
    assert "hunter2" not in caplog.text
    assert "at password=***" in caplog.text
    assert str(caplog.records[0].exc_text).endswith("\nConnectionError: password=***")
    assert caplog.messages[1:] == ["at password=a2", "at password=a3"]
    assert caplog.records[0].args is None


@pytest.mark.parametrize(
    ("text", "arguments", "logged"),
    [
        ("got %s", (MESSAGE,), f"got <Message: {SIZE} bytes>"),
        ("got %r", (WORDS,), "got '<16 characters>'"),
        ("body: %s", ({"text": WORDS},), "body: <dict: 1>"),
        ("body: %(text)s", ({"text": WORDS},), "body: <16 characters>"),
        ("%s of %s", (b"ab", [WORDS]), "<bytes: 2> of <list: 1>"),
        ("%s: %s", ("task-1", ValueError(WORDS)), "task-1: <ValueError>"),
        ("%s %d %s %s", ("a/b", 2, None, int), "a/b 2 None <class 'int'>"),
        ("in %s", (iter(()),), "in <tuple_iterator>"),
        (f"\nLLM Request:\n{WORDS}", (), "LLM Request: <16 characters>"),
        ("a text of theirs", (), "a text of theirs"),
    ],
)
@pytest.mark.parametrize("name", ["a2a", "google_adk", "google_genai", "sse_starlette"])
def test_a_debug_record_tells_sizes(
    name: str,
    text: str,
    arguments: tuple[object, ...],
    logged: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Ids, numbers and types find a record again."""
    caplog.set_level(logging.DEBUG, name)
    with safe_logs():
        logging.getLogger(name).debug(text, *arguments)

    assert caplog.messages == [logged]


def test_a_warning_keeps_its_texts(caplog: pytest.LogCaptureFixture) -> None:
    """What went wrong is there to be read; a message is not."""
    problem = ValueError("no such order")
    with safe_logs():
        logging.getLogger("a2a").warning("%s: %s: %s", "it failed", problem, MESSAGE)
        logging.getLogger("a2a").warning("one line\nand more")
        logging.getLogger("a2a").warning("at %(step)s", {"step": "its end"})

    assert caplog.messages == [
        f"it failed: no such order: <Message: {SIZE} bytes>",
        "one line\nand more",
        "at its end",
    ]


def test_bodies_can_be_had_without_secrets(caplog: pytest.LogCaptureFixture) -> None:
    """For a look at one's own machine."""
    caplog.set_level(logging.DEBUG, "a2a")
    with safe_logs(bodies=True):
        logging.getLogger("a2a").debug("got %s", f"{WORDS}, token=abc")

    assert caplog.messages == [f"got {WORDS}, token=***"]


def test_a_wrong_format_is_left_to_logging() -> None:
    """It says so itself."""
    with safe_logs():
        make = logging.getLogRecordFactory()
        record = make(
            "a2a", logging.INFO, __file__, 1, "%d", args=("x",), exc_info=None, func="f"
        )

    assert (record.args, record.funcName) == (("x",), "f")
