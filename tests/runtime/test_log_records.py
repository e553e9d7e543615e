"""What ADK and the SDK log has neither a secret nor anybody's words."""

import logging
from collections.abc import AsyncGenerator

import pytest
from a2a.types import Message, Part
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.boundary.log_records import safe_logs
from testing.scripted import adk_event

pytestmark = pytest.mark.service
LOGGERS = ("a2a", "google_adk", "google_genai", "sse_starlette", "asyncio")
WORDS = "a quince for Ada"
MESSAGE = Message(message_id="m-1", parts=[Part(text=WORDS)])


def test_records_are_masked_while_the_block_lasts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ours, theirs = logging.getLogger("a2a.server"), logging.getLogger("elsewhere")
    with safe_logs():
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
    with safe_logs():
        logging.getLogger("google_adk.x").error("failed", exc_info=error)
    assert "s3cret" not in caplog.text
    assert "ConnectionError: redis://***@cache" in caplog.text
    assert "LookupError: nothing" in caplog.text


def test_a_wrong_format_is_left_to_logging(caplog: pytest.LogCaptureFixture) -> None:
    with safe_logs():
        record = logging.getLogger("a2a").makeRecord(
            "a2a", logging.INFO, __file__, 1, "%d", ("x",), None
        )
    assert record.args == ("x",)
    assert caplog.records == []


@pytest.mark.parametrize(
    ("text", "arguments", "want"),
    [
        ("got %s", (MESSAGE,), f"got <Message: {MESSAGE.ByteSize()} bytes>"),
        ("got %r", (WORDS,), "got '<16 characters>'"),
        ("body: %s", ({"text": WORDS},), "body: <dict: 1>"),
        ("body: %(text)s", ({"text": WORDS},), "body: <16 characters>"),
        ("%s of %s", (b"ab", [WORDS]), "<bytes: 2> of <list: 1>"),
        ("%s: %s", ("task-1", ValueError(WORDS)), "task-1: <ValueError>"),
        ("%s %d %s %s", ("task-1", 2, None, int), "task-1 2 None <class 'int'>"),
        (f"\nLLM Request:\n{WORDS}", (), "LLM Request: <16 characters>"),
        ("a text of theirs", (), "a text of theirs"),
        ("%s", (object(),), "<object>"),
    ],
)
def test_what_a_debug_record_keeps(
    text: str,
    arguments: tuple[object, ...],
    want: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG, "google_adk")
    with safe_logs():
        logging.getLogger("google_adk.models").debug(text, *arguments)
    assert caplog.messages == [want]


@pytest.mark.parametrize("logger", ["a2a.server", "google_adk.models"])
def test_a_warning_keeps_its_texts_but_no_message(
    logger: str, caplog: pytest.LogCaptureFixture
) -> None:
    with safe_logs():
        logging.getLogger(logger).warning(
            "%s: %s of %s", "it failed", ValueError("no such order"), MESSAGE
        )
    size = MESSAGE.ByteSize()
    assert caplog.messages == [f"it failed: no such order of <Message: {size} bytes>"]


@pytest.mark.parametrize("logger", ["asyncio", "runtime.x", "shop.hooks"])
def test_the_records_of_others_keep_their_values(
    logger: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger)
    with safe_logs():
        logging.getLogger(logger).debug("got %s", WORDS)
    assert caplog.messages == [f"got {WORDS}"]


def test_bodies_can_be_had(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "a2a")
    with safe_logs(bodies=True):
        logging.getLogger("a2a").debug("got %s", f"{WORDS}, token=abc")
    assert caplog.messages == [f"got {WORDS}, token=***"]


@pytest.mark.anyio
@pytest.mark.parametrize("cell", CELLS, ids=str)
async def test_a_served_request_leaves_no_words_in_the_debug_log(
    cell: Cell, caplog: pytest.LogCaptureFixture
) -> None:
    """The SDK logs bodies, chunks and tasks; ADK its events."""
    for name in LOGGERS:
        caplog.set_level(logging.DEBUG, name)

    async def answers(_: InvocationContext) -> AsyncGenerator[Event, None]:
        piece = adk_event("a medlar")
        piece.partial = True
        yield piece
        yield adk_event("a medlar for Bob")

    async with served(Setup(script=answers, pin=cell.pin)) as caller:
        reply = await caller.send(WORDS, cell.wire, extension=cell.extension)

    assert reply.state == "completed"
    assert len(caplog.records) > 20
    assert "quince" not in caplog.text
    assert "medlar" not in caplog.text
