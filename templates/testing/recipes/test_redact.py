"""No secret leaves, in whatever it stands and however it is cut; all else does."""

import re
from base64 import b64encode
from typing import Literal

import pytest
from google.genai import types

from .harness import WIRES, Caller, Reply, Wire, values
from .telling import TellingAgent, chunks_of, everything

NAME = "redact"
MASK: Literal["fixed", "keep_last", "hash"] = "fixed"
TEXT = "[{entity}]"
KEEP = 4
FILES: Literal["drop", "pass"] = "drop"
HOLD_BACK = 160
PRESIDIO: tuple[str, ...] = ()
SECRETS: tuple[tuple[str, str], ...] = ()
"""Something of each kind that is looked for."""
OTHERS: tuple[str, ...] = ()
"""Some of what isn't."""

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
each_stream = pytest.mark.parametrize(
    "wire", [wire for wire in WIRES if wire.streaming], ids=str
)
each_secret = pytest.mark.parametrize(("kind", "secret"), SECRETS)

LONG = "It is so, and so it goes on. " * (HOLD_BACK // 9)
# What Presidio reads is held back as a whole.
PLAIN = LONG[: min(HOLD_BACK, 300)] if PRESIDIO else LONG


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture
def agent() -> TellingAgent:
    """An agent that tells secrets."""
    return TellingAgent(name="scripted", description="Tells secrets.")


def masks(kind: str, secret: str) -> re.Pattern[str]:
    """Give what may stand in the place of a secret."""
    fixed = re.escape(TEXT.replace("{entity}", kind))
    kept = re.escape(secret[-KEEP:]) if len(secret) >= 3 * KEEP else ""
    found = {
        "fixed": fixed,
        "keep_last": rf"\*{{4}}{kept}",
        "hash": r"\[\w+:[0-9a-f]{10}\]",
    }
    return re.compile(found[MASK])


@each_secret
@each_wire
async def test_a_secret_in_a_text_is_masked(
    caller: Caller, agent: TellingAgent, wire: Wire, kind: str, secret: str
) -> None:
    """It is neither in the answer nor stored, and what stands around it is."""
    agent.says(f"It is {secret}, he said.")

    for reply in await everything(caller, wire):
        assert secret not in str(reply.answers)
        texts = [text for text in reply.text.splitlines() if ", he said." in text]
        assert texts
        for text in texts:
            assert masks(kind, secret).fullmatch(text[6:-10]) or _is_wider(text)


@each_wire
async def test_who_asks_for_the_new_implementation_reads_no_secret_either(
    caller: Caller, agent: TellingAgent, wire: Wire
) -> None:
    """A caller may ask; whether that changes anything is up to the spec's pin."""
    agent.says(", ".join(secret for _, secret in SECRETS))

    for reply in await everything(caller, wire, extension=True):
        assert not [kind for kind, secret in SECRETS if secret in str(reply.answers)]


def _is_wider(text: str) -> bool:
    """Tell whether two kinds were found in one, and the mask is the other's."""
    found = [*SECRETS, *((kind, text[6:-10]) for kind in PRESIDIO)]
    return any(masks(kind, secret).search(text) for kind, secret in found)


@each_secret
@each_wire
async def test_a_secret_in_data_is_masked(
    caller: Caller, agent: TellingAgent, wire: Wire, kind: str, secret: str
) -> None:
    """In the arguments of a call, in a key, in the session's state."""
    arguments = {"to": [{"deep": secret}], secret: kind}
    call = types.FunctionCall(id="call-1", name="write", args=arguments)
    agent.parts = (types.Part(text="a word"), types.Part(function_call=call))
    agent.state = {"found": {"it": secret}}

    for reply in await everything(caller, wire):
        assert secret not in str(reply.answers)
        assert "a word" in reply.text
        assert "call-1" in values(reply.answers, "id")


def _told(reply: Reply) -> str:
    """All that the caller got, but for ids and times, which may hold any digits."""
    made = r"[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z"
    return re.sub(made, "", str(reply.answers))


@each_secret
async def test_a_secret_is_masked_however_it_is_cut(
    caller: Caller, agent: TellingAgent, kind: str, secret: str
) -> None:
    """No chunk holds a piece of it, wherever one ends and the next begins."""
    text = f"It is {secret}, he said."
    pieces = {secret[at : at + 5] for at in range(len(secret) - 5 - KEEP)}

    for at in range(len("It is "), len(text) - len(", he said.") + 1):
        agent.streams(text[:at], text[at:])
        reply = await caller.send("hello", WIRES[1])
        assert reply.state == "completed", kind
        assert not [piece for piece in pieces if piece in _told(reply)], at


@each_stream
async def test_a_text_without_secrets_arrives_and_in_time(
    caller: Caller, agent: TellingAgent, wire: Wire
) -> None:
    """No more is held back of it than may be, and in the end nothing is."""
    chunks = tuple(chunks_of(PLAIN))
    agent.streams(*chunks)

    reply, stored, _ = await everything(caller, wire)

    texts = [str(text) for text in values(reply.answers, "text") if text != "hello"]
    came = ""
    for number in range(len(chunks)):
        came += texts[number]
        assert len("".join(chunks[: number + 1])) - len(came) <= HOLD_BACK
    assert came + texts[len(chunks)] == PLAIN or came == PLAIN
    assert stored.artifact_texts == [PLAIN]


@each_stream
async def test_what_was_held_back_leaves_before_the_end(
    caller: Caller, agent: TellingAgent, wire: Wire
) -> None:
    """An agent may leave it at chunks, and say nothing whole."""
    agent.chunks = tuple(chunks_of(PLAIN))

    reply = await caller.send("hello", wire)

    assert reply.state == "completed"
    assert PLAIN[-30:] in "".join(map(str, values(reply.answers, "text")))


@pytest.mark.parametrize("text", OTHERS)
@each_wire
async def test_what_is_not_looked_for_leaves(
    caller: Caller, agent: TellingAgent, wire: Wire, text: str
) -> None:
    """Masking is for what the spec names."""
    agent.says(f"It is {text}, he said.")

    for reply in await everything(caller, wire):
        assert f"It is {text}, he said." in reply.text


@each_secret
@each_wire
async def test_a_file_that_is_text_is_searched(
    caller: Caller, agent: TellingAgent, wire: Wire, kind: str, secret: str
) -> None:
    """What a file holds leaves as any other text does."""
    agent.parts = (types.Part(text="a word"), _file(secret, "text/plain"))

    for reply in await everything(caller, wire):
        files = [*values(reply.answers, "raw"), *values(reply.answers, "bytes")]
        assert files, kind
        assert _base64(secret) not in files
        assert "a word" in reply.text


@each_wire
async def test_another_file_leaves_as_the_spec_says(
    caller: Caller, agent: TellingAgent, wire: Wire
) -> None:
    """It can't be searched, so it stays here unless the spec lets it out."""
    agent.parts = (types.Part(text="a word"), _file("not a text", "image/png"))

    for reply in await everything(caller, wire):
        assert (_base64("not a text") in str(reply.answers)) is (FILES == "pass")
        assert "a word" in reply.text


@each_secret
async def test_the_agent_reads_the_original(
    caller: Caller, agent: TellingAgent, kind: str, secret: str
) -> None:
    """What the caller wrote is masked in the task, not in the run."""
    reply = await caller.send(f"I am {secret}.")

    assert agent.runs == 1
    assert secret not in str(reply.answers), kind


def _file(content: str, media_type: str) -> types.Part:
    blob = types.Blob(data=content.encode(), mime_type=media_type)
    return types.Part(inline_data=blob)


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


@pytest.mark.skipif(not PRESIDIO, reason="Presidio isn't asked")
@each_wire
async def test_nothing_leaves_when_presidio_is_down(
    caller: Caller, agent: TellingAgent, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What wasn't searched stays here, and the task fails."""

    def breaks(*_: object, **__: object) -> None:
        raise TimeoutError

    monkeypatch.setattr("presidio_analyzer.AnalyzerEngine.analyze", breaks)
    agent.says(PLAIN)

    reply = await caller.send("hello", wire)

    assert reply.state == "failed"
    assert PLAIN not in str(reply.answers)
