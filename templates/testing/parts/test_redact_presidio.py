"""Presidio reads in a thread of its own, texts as a whole, and not for ever."""

import asyncio
import threading
from dataclasses import dataclass, field
from inspect import signature

import pytest
from a2a.types import Artifact, Part, TaskArtifactUpdateEvent, TaskStatusUpdateEvent
from presidio_analyzer import AnalyzerEngine, RecognizerResult

from runtime.recipes.redaction import redact_presidio as module
from runtime.recipes.redaction.presidio_analysis import analyzer_of
from runtime.recipes.redaction.redact import Redact
from runtime.recipes.redaction.redact_presidio import RedactWithPresidio
from runtime.recipes.redaction.walking import Unreadable
from runtime.seams.exchange import exchange_of
from runtime.seams.protocols import Outgoing

from .scripted import request_context, status_update

pytestmark = pytest.mark.anyio


@dataclass
class Reader:
    """Stands for Presidio: finds the name Ann.

    Attributes:
        go_on: Held until it may answer.
        asked: What for, and in which threads.
    """

    go_on: threading.Event = field(default_factory=threading.Event)
    asked: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    def analyze(
        self, text: str, language: str, entities: list[str]
    ) -> list[RecognizerResult]:
        """Find the name."""
        self.go_on.wait(9)
        thread = threading.current_thread().name
        self.asked |= {(f"{language} {entity}", thread) for entity in entities}
        start = text.find("Ann")
        return [] if start < 0 else [RecognizerResult("PERSON", start, start + 3, 1)]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Let Presidio find names without a language model."""
    found = Reader()
    found.go_on.set()

    def made_by(reference: str | None) -> AnalyzerEngine:
        made = analyzer_of(reference)
        monkeypatch.setattr(made, "analyze", found.analyze)
        monkeypatch.setattr(made, "get_supported_entities", lambda: ["PERSON", "CITY"])
        return made

    monkeypatch.setattr(module, "analyzer_of", made_by)
    return found


async def left(redact: RedactWithPresidio, *events: Outgoing) -> list[Outgoing]:
    """Give what leaves of a request."""
    sent: list[Outgoing] = []
    with exchange_of(request_context()).entered():
        for event in events:
            given = await redact.on_send_off_loop(event)
            sent += given if isinstance(given, list) else [given]
    await redact.close()
    return sent


def chunk(text: str, *, is_last: bool = False) -> TaskArtifactUpdateEvent:
    """Make a chunk of an artifact."""
    artifact = Artifact(artifact_id="a", parts=[Part(text=text)])
    return TaskArtifactUpdateEvent(artifact=artifact, append=True, last_chunk=is_last)


async def test_a_name_is_masked_with_what_has_a_form(reader: Reader) -> None:
    """It is read in the one thread."""
    redact = RedactWithPresidio(presidio=("PERSON", "CITY"))
    (sent,) = await left(redact, status_update("Ann, by ann@example.com"))

    assert isinstance(sent, TaskStatusUpdateEvent)
    assert sent.status.message.parts[0].text == "[PERSON], by [email]"
    assert reader.asked == {
        ("en PERSON", "presidio_0"),
        ("en CITY", "presidio_0"),
    }


async def test_the_mask_is_as_it_was_asked_for(reader: Reader) -> None:
    """So is all else that it has from the recipe without Presidio."""
    own = RedactWithPresidio(
        entities=(), presidio=("PERSON",), patterns=(r"x\d",), text="<{entity}>"
    )
    last = RedactWithPresidio(presidio=("PERSON",), mask="keep_last", keep=1)
    hashed = RedactWithPresidio(presidio=("PERSON",), mask="hash", hash_key="k" * 32)
    event = status_update("Ann x1 a@b.co")

    texts = [
        sent.status.message.parts[0].text
        for redact in (own, last, hashed)
        for sent in await left(redact, event)
        if isinstance(sent, TaskStatusUpdateEvent)
    ]

    assert reader.asked
    assert texts[0] == "<PERSON> <redacted> a@b.co"
    assert texts[1] == "****n x1 ****o"
    assert "Ann" not in texts[2]
    with pytest.raises(ValueError, match="hash"):
        RedactWithPresidio(presidio=("PERSON",), mask="hash")


async def test_a_text_in_chunks_leaves_at_its_end(reader: Reader) -> None:
    """A name is told by what stands around it."""
    redact = RedactWithPresidio(presidio=("PERSON",), hold_back=200)
    sent = await left(redact, chunk("to A"), chunk("nn, or"), chunk("", is_last=True))

    assert [part_of(each) for each in sent] == ["", "", "to [PERSON], or"]
    assert reader.asked


def part_of(event: Outgoing) -> str:
    """Give the text of an artifact."""
    assert isinstance(event, TaskArtifactUpdateEvent)
    return "".join(part.text for part in event.artifact.parts)


@pytest.mark.usefixtures("reader")
async def test_no_more_is_held_back_than_may_be() -> None:
    """What is longer fails the run."""
    redact = RedactWithPresidio(presidio=("PERSON",), hold_back=200)
    await left(redact, chunk("x" * 200))

    said = "^a text in chunks has more than 200 characters$"
    redact = RedactWithPresidio(presidio=("PERSON",), hold_back=200)
    with pytest.raises(Unreadable, match=said):
        await left(redact, chunk("x" * 199), chunk("xx"))


async def test_who_waits_too_long_fails(reader: Reader) -> None:
    """The loop goes on meanwhile, and nothing leaves."""
    reader.go_on.clear()
    redact = RedactWithPresidio(presidio=("PERSON",), presidio_timeout_s=0.02)
    with exchange_of(request_context()).entered():
        sending = asyncio.ensure_future(redact.on_send_off_loop(status_update("Ann")))

    with pytest.raises(Unreadable, match=r"^Presidio took more than 0\.02 s$") as late:
        await sending
    assert late.value.__suppress_context__
    await redact.close()
    reader.go_on.set()


@pytest.mark.usefixtures("reader")
def test_what_presidio_does_not_know_is_told_at_the_start() -> None:
    """Itself it would pass over it."""
    with pytest.raises(ValueError, match=r"^Presidio can't find NAME, PLACE$"):
        RedactWithPresidio(presidio=("PLACE", "PERSON", "NAME"))
    with pytest.raises(ValueError, match=r"^Presidio can't find "):
        RedactWithPresidio()


def test_its_settings_are_those_of_the_other_engine_and_some() -> None:
    """With the same defaults."""
    known, more = signature(Redact).parameters, signature(RedactWithPresidio).parameters

    assert {name: more[name] for name in known} == dict(known)
    assert {name: more[name].default for name in more.keys() - known.keys()} == {
        "presidio": (),
        "analyzer": None,
        "presidio_timeout_s": 5,
    }
