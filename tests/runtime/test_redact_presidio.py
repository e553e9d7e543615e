"""What Presidio finds doesn't leave either, nor does anything when it is down."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import AsyncGenerator, Iterator

import pytest
from a2a.types import TaskState
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types
from tests.runtime import analyzers
from tests.runtime.redacting import (
    COMPLETED,
    artifact,
    data_part,
    request_open,
    sent,
    status,
    texts,
)
from tests.runtime.secret_texts import scanner
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.boundary.safe_errors import SafeErrors
from runtime.recipes.redaction.presidio_analysis import PresidioFinder, analyzer_of
from runtime.recipes.redaction.redact_presidio import RedactWithPresidio
from runtime.recipes.redaction.scanning import Span
from runtime.recipes.redaction.walking import Unreadable
from testing.harness import Caller, Reply
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
NAME, MAIL = "Marie Curie", "marie@example.com"


def with_presidio(
    analyzer: str | None = "names", *, timeout_s: float = 5, most: int = 2000
) -> RedactWithPresidio:
    return RedactWithPresidio(
        presidio=("PERSON",) if analyzer else ("IP_ADDRESS", "US_SSN"),
        analyzer=f"{analyzers.__name__}:{analyzer}" if analyzer else None,
        presidio_timeout_s=timeout_s,
        hold_back=most,
    )


async def asked(caller: Caller, cell: Cell, text: str = "hi") -> list[Reply]:
    """Give all that a caller gets, then and later."""
    reply = await caller.send(text, cell.wire, extension=cell.extension)
    return [reply, await caller.call("ListTasks", {"includeArtifacts": True})]


async def tells_all(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    """Put a name wherever an event of ADK has room."""
    heard.extend(part.text or "" for part in (ctx.user_content or NOTHING).parts or [])
    call = types.FunctionCall(id="c", name="find", args={"who": [{NAME: NAME}]})
    parts = [
        types.Part(text=f"Ask {NAME} at {MAIL} for marzipan."),
        types.Part(function_call=call),
        types.Part(inline_data=types.Blob(data=NAME.encode(), mime_type="text/plain")),
    ]
    yield Event(
        author="scripted",
        content=types.Content(role="model", parts=parts),
        actions=EventActions(state_delta={NAME: [NAME]}),
        custom_metadata={"deep": {"deeper": [NAME]}},
    )


NOTHING = types.Content()
heard: list[str] = []


@each_cell
async def test_a_name_is_nowhere(cell: Cell) -> None:
    heard.clear()
    setup = Setup(script=tells_all, hooks={"redact": with_presidio()}, pin=cell.pin)
    async with served(setup) as caller:
        for each in await asked(caller, cell, f"I am {NAME}"):
            text = str(each.answers)
            assert NAME not in text
            assert "TWFyaWUgQ3VyaWU" not in text  # in base64
            assert MAIL not in text
            assert "Ask [PERSON] at [email] for marzipan." in each.text
            assert each.state == "completed"
    assert heard == [f"I am {NAME}"]


async def fails(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("so far")
    raise LookupError(f"no order of {NAME}")


@each_cell
async def test_the_text_of_a_failure_is_redacted(cell: Cell) -> None:
    errors = SafeErrors(pass_through=("builtins:LookupError",))
    hooks: dict[str, object] = {"redact": with_presidio(), "errors": errors}
    async with served(Setup(script=fails, hooks=hooks, pin=cell.pin)) as caller:
        for each in await asked(caller, cell):
            assert NAME not in str(each.answers)
            assert "no order of [PERSON]" in each.text


def chunk(text: str, *, partial: bool = True) -> Event:
    content = types.Content(role="model", parts=[types.Part(text=text)])
    return Event(author="scripted", partial=partial, content=content)


TEXT = f"First {NAME}, then the last"


class Streams:
    """An agent that says texts in chunks, and whole after that, or not."""

    chunks: tuple[str, ...] = ()
    repeats = True

    async def __call__(self, _: InvocationContext) -> AsyncGenerator[Event, None]:
        for text in self.chunks:
            yield chunk(text)
        if self.repeats:
            yield chunk("".join(self.chunks), partial=False)


def cuts() -> Iterator[tuple[str, ...]]:
    for position in range(7, 6 + len(NAME)):
        yield TEXT[:position], TEXT[position:]
    yield tuple(TEXT)


@pytest.mark.parametrize("repeats", [True, False])
@each_cell
async def test_a_name_cut_anywhere_stays_here(cell: Cell, *, repeats: bool) -> None:
    agent = Streams()
    agent.repeats = repeats
    setup = Setup(script=agent, hooks={"redact": with_presidio()}, pin=cell.pin)
    async with served(setup) as caller:
        for agent.chunks in cuts():
            replies = await asked(caller, cell)
            for each in replies:
                assert each.state == "completed"
                assert "arie" not in str(each.answers)
                assert "Curi" not in str(each.answers)
            assert "First [PERSON], then the last" in replies[0].text


@each_cell
async def test_a_text_in_chunks_that_is_too_long_fails_the_task(cell: Cell) -> None:
    agent = Streams()
    agent.chunks = (f"of {NAME}",) * 30
    redact = with_presidio(most=200)
    setup = Setup(script=agent, hooks={"redact": redact}, pin=cell.pin)
    async with served(setup) as caller:
        for each in await asked(caller, cell):
            assert each.state == "failed"
            assert "Curie" not in str(each.answers)


@pytest.mark.parametrize("analyzer", ["broken", "blocked"])
@each_cell
async def test_nothing_leaves_when_presidio_is_down(
    cell: Cell, analyzer: str, caplog: pytest.LogCaptureFixture
) -> None:
    analyzers.RELEASED.clear()
    redact = with_presidio(analyzer, timeout_s=0.05)
    setup = Setup(script=tells_all, hooks={"redact": redact}, pin=cell.pin)
    with caplog.at_level(logging.INFO):
        async with served(setup) as caller:
            replies = await asked(caller, cell, f"I am {NAME}")
    analyzers.RELEASED.set()
    for each in replies:
        assert each.state == "failed"
        assert "marzipan" not in str(each.answers)
        assert NAME not in str(each.answers)
    assert NAME not in caplog.text


async def test_the_loop_goes_on_meanwhile() -> None:
    """Others are served while an event waits for its time to run out."""
    analyzers.RELEASED.clear()
    redact, ticks = with_presidio("blocked", timeout_s=0.3), 0
    with request_open():
        waiting = asyncio.ensure_future(redact.on_send_off_loop(status("a b")))
        while not waiting.done():
            await asyncio.sleep(0.01)
            ticks += 1
        with pytest.raises(Unreadable, match=r"more than 0\.3 s"):
            await waiting
    analyzers.RELEASED.set()
    assert ticks > 5
    await redact.close()


async def test_it_runs_in_a_thread_of_its_own() -> None:
    analyzers.THREADS.clear()
    redact = with_presidio()
    with request_open():
        await redact.on_send_off_loop(status(NAME))
    assert {"presidio_0"} == analyzers.THREADS
    await redact.close()


def test_chunks_are_held_to_the_end_and_keep_their_flags() -> None:
    left = sent(
        artifact("to Marie ", last=False),
        artifact("Curie", append=True, last=False),
        artifact(f"to {NAME}"),
        COMPLETED,
        redact=with_presidio(),
    )
    assert [texts(each) for each in left] == [
        *([""], [""], ["to [PERSON]"]),
        *(["to [PERSON]"], []),
    ]


def test_without_an_analyzer_it_has_presidio_s_patterns() -> None:
    said = "from 192.168.7.9, \uff11\uff19\uff12.168.7.9, by 536-90-4399"
    final = status(said, data_part({"n": said}), state=TaskState.TASK_STATE_COMPLETED)
    (left,) = sent(final, redact=with_presidio(None))
    masked = "from [IP_ADDRESS], [IP_ADDRESS], by [US_SSN]"
    assert texts(left)[0] == masked
    assert f'"{masked}"' in str(left)


def finder(analyzer: str = "names") -> PresidioFinder:
    made = analyzer_of(f"{analyzers.__name__}:{analyzer}")
    return PresidioFinder(scanner("email"), made, ["PERSON"])


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("ß Marie Curie.", 2, 13),
        ("ß M\u00adarie\u00a0Curi\u0301e.", 2, 15),
        ("㎏ \uff2d\uff41\uff52\uff49\uff45 Curie…", 2, 13),
        ("㎏㎏ Marie Curie", 3, 14),
    ],
)
def test_it_reads_what_patterns_read(text: str, start: int, end: int) -> None:
    assert list(finder().spans(text)) == [Span(start, end, "PERSON")]


def test_two_that_overlap_are_one() -> None:
    text = f"Ada Lovelace@example.com {NAME}"
    assert list(finder().spans(text)) == [
        Span(0, 24, "PERSON"),
        Span(25, 36, "PERSON"),
    ]


def test_keys_of_adk_are_let_alone() -> None:
    assert list(finder("broken").spans("adk_session_id")) == []
    assert list(finder("broken").spans(" - ")) == []
    with pytest.raises(Unreadable, match="LookupError"):
        finder("broken").spans("another")


def test_words_are_forgotten() -> None:
    look = finder("spoken")
    list(look.spans("a b"))
    before = len(analyzers.PIPELINE.vocab.strings)
    for number in range(100):
        assert list(look.spans(f"word{number} {NAME}"))
    assert len(analyzers.PIPELINE.vocab.strings) == before


@pytest.mark.parametrize(
    ("presidio", "analyzer", "error"),
    [
        (("PERSON",), None, ValueError),  # needs a language model
        (("PERSON", "XYZ"), "names", ValueError),
        ((), "names", ValueError),
        (("PERSON",), "nothing", TypeError),
        (("PERSON",), "isnt_there", AttributeError),
    ],
)
def test_what_cannot_be_found_is_told_at_the_start(
    presidio: tuple[str, ...], analyzer: str | None, error: type[Exception]
) -> None:
    reference = f"{analyzers.__name__}:{analyzer}" if analyzer else None
    with pytest.raises(error):
        RedactWithPresidio(presidio=presidio, analyzer=reference)


def test_the_other_engine_does_not_import_it() -> None:
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; "
        "import runtime.recipes.redaction.redact;"
        "sys.exit(any(n in sys.modules for n in ('presidio_analyzer', 'spacy')))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == 0
