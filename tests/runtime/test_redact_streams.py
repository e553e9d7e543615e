"""A secret in chunks never leaves, wherever it is cut, and all else arrives."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types
from tests.runtime.messages import begun_task
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.recipes.redaction.redact import Redact
from testing.harness import Json, Reply, Wire, values

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)

ADDRESS = "ann.smith@example.com"
SPOKEN = f"The first word, then {ADDRESS} and the very last"
WHOLE = "The first word, then [email] and the very last"
PLAIN = "Nothing in this one but words, and some 12 numbers of 345 67"
assert len(PLAIN) == len(SPOKEN) == 60


def chunk(text: str, *, partial: bool = True, thought: bool = False) -> Event:
    """Make an event of ADK's, as a model's stream gives it."""
    part = types.Part(text=text, thought=thought or None)
    content = types.Content(role="model", parts=[part])
    return Event(author="scripted", partial=partial, content=content)


class Streams:
    """An agent that says texts in chunks, and whole after that."""

    def __init__(self, *, repeats: bool = True) -> None:
        self.chunks: Sequence[str] = ()
        self.repeats = repeats

    async def __call__(self, _: InvocationContext) -> AsyncGenerator[Event, None]:
        for text in self.chunks:
            yield chunk(text)
        if self.repeats:
            yield chunk("".join(self.chunks), partial=False)


def cuts(text: str) -> Iterator[list[str]]:
    """Cut a text in two at each position, and once everywhere."""
    for position in range(1, len(text)):
        yield [text[:position], text[position:]]
    yield list(text)


def leaked(text: str) -> bool:
    """Tell whether a piece of the address stands there."""
    pieces = {ADDRESS[i : i + 5] for i in range(len(ADDRESS) - 4)}
    return any(piece in text for piece in pieces)


def _updates(reply: Reply, wire: Wire) -> Iterator[Json]:
    """Give the updates of a stream, artifacts and statuses."""
    assert wire.streaming
    for answer in reply.answers:
        for kind in ("artifactUpdate", "statusUpdate"):
            yield from values(answer, kind)
        result = answer.get("result") if isinstance(answer, dict) else None
        if isinstance(result, dict) and "kind" in result and result["kind"] != "task":
            yield result


def deltas(reply: Reply, wire: Wire, *, repeats: bool) -> str:
    """Join what a client reads of a stream before the text comes whole."""
    texts: list[str] = []
    for update in _updates(reply, wire):
        whole = isinstance(update, dict) and update.get("lastChunk") is True
        if not whole:
            texts += [str(text) for text in values(update, "text")]
    # The legacy implementation sends the whole text as one more status.
    if repeats and not reply.by_new_implementation:
        texts.pop()
    return "".join(texts)


@pytest.mark.parametrize(
    ("cell", "repeats"),
    [
        *((cell, True) for cell in CELLS),
        # An agent of one's own may leave it at the chunks; the wire is no matter.
        *((cell, False) for cell in CELLS if cell.wire == Wire("1.0", streaming=True)),
    ],
    ids=str,
)
async def test_a_secret_cut_anywhere_stays_here(cell: Cell, *, repeats: bool) -> None:
    agent = Streams(repeats=repeats)
    setup = Setup(script=agent, hooks={"redact": Redact()}, pin=cell.pin)
    async with served(setup) as caller:
        for agent.chunks in cuts(SPOKEN):
            reply = await caller.send("hi", cell.wire, extension=cell.extension)
            stored = await caller.call("GetTask", {"id": reply.task_id})
            assert reply.state == stored.state == "completed"
            assert not leaked(str(reply.answers))
            assert not leaked(str(stored.answers))
            if cell.wire.streaming:
                assert deltas(reply, cell.wire, repeats=repeats) == WHOLE
            if repeats:
                assert stored.artifact_texts == [WHOLE]
            elif reply.by_new_implementation:
                assert "".join(stored.artifact_texts) == WHOLE
            else:
                # ADK makes the artifact of the last chunk alone.
                assert WHOLE.endswith("".join(stored.artifact_texts))
                assert stored.text.endswith("and the very last")


@each_cell
async def test_without_it_pieces_leave(cell: Cell) -> None:
    """What the test above looks for does leave, so it can fail."""
    agent = Streams()
    async with served(Setup(script=agent, pin=cell.pin)) as caller:
        agent.chunks = (SPOKEN[:28], SPOKEN[28:])
        reply = await caller.send("hi", cell.wire, extension=cell.extension)
    assert leaked(str(reply.answers))


@pytest.mark.parametrize(
    "cell", [cell for cell in CELLS if cell.wire.streaming], ids=str
)
async def test_a_text_without_secrets_arrives_whole_and_in_order(cell: Cell) -> None:
    agent = Streams()
    setup = Setup(script=agent, hooks={"redact": Redact()}, pin=cell.pin)
    async with served(setup) as caller:
        for agent.chunks in cuts(PLAIN):
            reply = await caller.send("hi", cell.wire, extension=cell.extension)
            stored = await caller.call("GetTask", {"id": reply.task_id})
            assert stored.artifact_texts == [PLAIN]
            if cell.wire.streaming:
                assert deltas(reply, cell.wire, repeats=True) == PLAIN


@pytest.mark.parametrize("pin", ["legacy", "new"])
async def test_a_cancel_lets_out_what_was_held_back_and_masks_it(pin: str) -> None:
    """The caller who cancels reads as far as the agent came."""

    async def waits(_: InvocationContext) -> AsyncGenerator[Event, None]:
        yield chunk("So far, ask ")
        yield chunk(ADDRESS)
        said.set()
        await asyncio.sleep(3600)

    said = asyncio.Event()
    setup = Setup(script=waits, hooks={"redact": Redact(entities=("email",))}, pin=pin)
    async with served(setup) as it:
        begun = await it.send("hello", wait=False)
        await said.wait()
        canceled = await it.call("CancelTask", {"id": begun_task(begun)})
    assert canceled.state == "canceled"
    told = "".join(map(str, values(canceled.answers, "text")))
    assert "So far, ask [email]" in told
    assert not leaked(told)


LONG = "So it is, and so it will be. " * 30


@pytest.mark.parametrize(
    "cell", [cell for cell in CELLS if cell.wire.streaming], ids=str
)
async def test_no_more_is_held_back_than_may_be(cell: Cell) -> None:
    """Update by update: what was said and hasn't left yet has a most."""
    agent = Streams()
    agent.chunks = [LONG[at : at + 9] for at in range(0, len(LONG), 9)]
    # The least that it can be, for an address may be so long.
    redact = Redact(entities=("email",), hold_back=130)
    setup = Setup(script=agent, hooks={"redact": redact}, pin=cell.pin)
    async with served(setup) as caller:
        reply = await caller.send("hi", cell.wire, extension=cell.extension)

    # The first one says that work has begun; then there is one for each chunk.
    _, *updates = _updates(reply, cell.wire)
    said = left = most = 0
    for chunk_, update in zip(agent.chunks, updates, strict=False):
        said += len(chunk_)
        left += sum(len(str(text)) for text in values(update, "text"))
        most = max(most, said - left)
    assert 130 - 9 < most <= 130
    assert said == len(LONG)
    assert deltas(reply, cell.wire, repeats=True) == LONG
