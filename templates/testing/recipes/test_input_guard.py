"""What input_guard keeps out, and that it lets all else in."""

import re
from collections.abc import Mapping
from json import dumps

import pytest

from .harness import WIRES, Caller, Content, Json, Reply, Wire
from .scripted import ScriptedAgent

NAME = "input_guard"
MAX_BYTES = 1_000_000
MAX_PARTS = 100
MEDIA_TYPES: tuple[str, ...] | None = None
URI_SCHEMES: tuple[str, ...] = ()
URI_HOSTS: tuple[str, ...] = ()
REQUIRED_METADATA: tuple[str, ...] = ()
DENY: tuple[str, ...] = ()
DENY_MAX_CHARS = 20_000
DENIED: tuple[str, ...] = ()
"""A text for each denied pattern."""

# What every message below has, so that one thing alone is wrong with it.
METADATA: dict[str, Json] = dict.fromkeys(REQUIRED_METADATA, "given")


def filler(patterns: tuple[str, ...]) -> str:
    """Give a character that no pattern is found in."""
    free = (c for c in "x7-" if not any(re.search(p, c * 99) for p in patterns))
    return next(free, "x")


def longest(patterns: tuple[str, ...]) -> int:
    """Give how long a text may be beside the metadata."""
    metadata = len(dumps(METADATA, separators=(",", ":"))) if METADATA else 0
    room = MAX_BYTES - metadata
    return min(room, DENY_MAX_CHARS) if patterns else room


def unlisted(allowed: tuple[str, ...] | None) -> str | None:
    """Give a media type that isn't on the list, if there is one."""
    return None if allowed is None or "*/*" in allowed else "x-not/listed"


def types(allowed: tuple[str, ...] | None) -> tuple[str, ...]:
    """Give a media type for each entry of the list."""
    return tuple(t.replace("*", "plain") for t in allowed or ()) or (
        ("text/plain",) if allowed is None else ()
    )


def addresses(schemes: tuple[str, ...], hosts: tuple[str, ...]) -> list[str]:
    """Give an address for each scheme and each host of the lists."""
    named = [h.replace("*", "a.example" if h == "*" else "files") for h in hosts]
    return [f"{scheme}://{host}/a.txt" for scheme in schemes for host in named]


def foreign_addresses(schemes: tuple[str, ...], hosts: tuple[str, ...]) -> list[str]:
    """Give an address with another scheme, and for each scheme one at another host."""
    other = next(s for s in ("gopher", "telnet", "ftp") if s not in schemes)
    at_others = [f"{s}://not-listed.invalid/a.txt" for s in schemes if "*" not in hosts]
    return [f"{other}://files.example.com/a.txt", *at_others]


FILLER = filler(DENY)
LONGEST = longest(DENY)
UNLISTED = unlisted(MEDIA_TYPES)
TYPES = types(MEDIA_TYPES)
RAW: list[dict[str, Json]] = [{"raw": "eA==", "mediaType": each} for each in TYPES]
LINKED: list[dict[str, Json]] = [
    {"url": address, "mediaType": each}
    for address in addresses(URI_SCHEMES, URI_HOSTS)
    for each in TYPES[:1]
]
FOREIGN: list[dict[str, Json]] = [
    {"url": address, "mediaType": each}
    for address in foreign_addresses(URI_SCHEMES, URI_HOSTS)
    for each in TYPES[:1]
]

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
sendable = pytest.mark.skipif(MAX_BYTES > 10_000_000, reason="too much for a test")
roomy = pytest.mark.skipif(LONGEST < 1000, reason="the limit leaves no room for it")
some_room = pytest.mark.skipif(LONGEST < 200, reason="the limit leaves no room for it")


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


def with_parts(*parts: Mapping[str, Json]) -> Content:
    """Make a message of the parts, with all metadata that is required."""
    return Content(parts=parts, metadata=METADATA)


def with_text(text: str) -> Content:
    """Make a message of one text."""
    return with_parts({"text": text})


async def assert_let_in(
    caller: Caller, agent: ScriptedAgent, content: Content, wire: Wire
) -> None:
    """The message runs the agent."""
    reply = await caller.send(content, wire)

    assert reply.error is None
    assert agent.runs == 1


async def assert_refused(
    caller: Caller, agent: ScriptedAgent, content: Content, wire: Wire, reason: str
) -> Reply:
    """The caller is told why; nothing has run, and nothing is stored."""
    reply = await caller.send(content, wire)
    listed = await caller.call("ListTasks", {})

    assert reply.error is not None
    code = -32005 if reason == "media_type_not_allowed" else -32600
    assert reply.error["code"] == code
    assert reply.error_data["reason"] == reason
    assert reply.error_data["policy"] == NAME
    assert agent.runs == 0
    assert listed.state is None
    return reply


@each_wire
async def test_a_part_more_than_allowed_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The number of parts has a limit."""
    content = with_parts(*[{"text": FILLER}] * (MAX_PARTS + 1))

    await assert_refused(caller, agent, content, wire, "too_many_parts")


@roomy
@each_wire
async def test_as_many_parts_as_allowed_get_in(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The limit itself is allowed."""
    content = with_parts(*[{"text": FILLER}] * min(MAX_PARTS, LONGEST))

    await assert_let_in(caller, agent, content, wire)


@sendable
@each_wire
async def test_a_byte_more_than_allowed_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The size of a message has a limit."""
    content = with_text(FILLER * (LONGEST + 1))

    await assert_refused(caller, agent, content, wire, "too_large")


@sendable
@roomy
@each_wire
async def test_as_many_bytes_as_allowed_get_in(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The limit itself is allowed."""
    await assert_let_in(caller, agent, with_text(FILLER * LONGEST), wire)


@some_room
@pytest.mark.skipif(UNLISTED is None, reason="every media type is allowed")
@each_wire
async def test_a_file_of_another_media_type_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """What isn't on the list doesn't get in."""
    content = with_parts({"raw": "eA==", "mediaType": UNLISTED})

    await assert_refused(caller, agent, content, wire, "media_type_not_allowed")


@roomy
@pytest.mark.parametrize("file", RAW + LINKED, ids=str)
@each_wire
async def test_a_listed_file_gets_in(
    caller: Caller, agent: ScriptedAgent, wire: Wire, file: dict[str, Json]
) -> None:
    """By its media type, or by the scheme and the host of its address."""
    await assert_let_in(caller, agent, with_parts(file), wire)


@some_room
@pytest.mark.parametrize("file", FOREIGN, ids=str)
@each_wire
async def test_a_file_from_elsewhere_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire, file: dict[str, Json]
) -> None:
    """A scheme alone opens no door."""
    await assert_refused(caller, agent, with_parts(file), wire, "uri_not_allowed")


@some_room
@pytest.mark.parametrize("missing", REQUIRED_METADATA)
@each_wire
async def test_metadata_that_is_missing_is_asked_for(
    caller: Caller, agent: ScriptedAgent, wire: Wire, missing: str
) -> None:
    """Each required key has to be there."""
    metadata = {key: value for key, value in METADATA.items() if key != missing}

    content = Content(parts=[{"text": FILLER}], metadata=metadata)

    reply = await assert_refused(caller, agent, content, wire, "missing_metadata")

    assert missing in reply.text


@pytest.mark.parametrize("text", [text for text in DENIED if len(text) <= LONGEST])
@each_wire
async def test_a_denied_text_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire, text: str
) -> None:
    """Each pattern is looked for, and what it found isn't repeated."""
    await assert_refused(caller, agent, with_text(text), wire, "denied_content")


@some_room
async def test_a_refused_reply_leaves_a_paused_task_paused(
    caller: Caller, agent: ScriptedAgent
) -> None:
    """A task that waits for an answer survives one that is refused."""
    agent.pauses = True
    paused = await caller.send(with_text(FILLER))
    content = with_parts(*[{"text": FILLER}] * (MAX_PARTS + 1))

    refused = await caller.send(content, task_id=paused.task_id)
    task = await caller.call("GetTask", {"id": paused.task_id})

    assert refused.error_data["reason"] == "too_many_parts"
    assert task.state == "input-required"
