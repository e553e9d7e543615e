"""What input_guard keeps out, and that it lets all else in."""

import re
from collections.abc import Mapping
from json import dumps
from typing import Literal

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


def other_scheme(allowed: tuple[str, ...]) -> str:
    """Give a scheme that isn't on the list."""
    return next(s for s in ("gopher", "telnet", "ftp") if s not in allowed)


def files(allowed: tuple[str, ...] | None) -> tuple[str, ...]:
    """Give a media type for each entry of the list."""
    return tuple(t.replace("*", "plain") for t in allowed or ()) or (
        ("text/plain",) if allowed is None else ()
    )


def addresses(schemes: tuple[str, ...], hosts: tuple[str, ...]) -> list[str]:
    """Give an address for each scheme and each host of the lists."""
    named = [h.replace("*", "a.example" if h == "*" else "files") for h in hosts]
    return [f"{scheme}://{host}/a.txt" for scheme in schemes for host in named]


def foreign_addresses(schemes: tuple[str, ...], hosts: tuple[str, ...]) -> list[str]:
    """Give an address at a host that isn't on the list, for each scheme."""
    return [f"{s}://not-listed.invalid/a.txt" for s in schemes if "*" not in hosts]


FILLER = filler(DENY)
LONGEST = longest(DENY)
UNLISTED = unlisted(MEDIA_TYPES)
TYPES = files(MEDIA_TYPES)
OTHER_SCHEME = other_scheme(URI_SCHEMES)

Reason = Literal[
    "too_many_parts",
    "too_large",
    "media_type_not_allowed",
    "uri_not_allowed",
    "missing_metadata",
    "denied_content",
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


async def assert_refused(
    caller: Caller, agent: ScriptedAgent, reply: Reply, reason: Reason
) -> None:
    """The caller is told why; nothing has run, and nothing is stored."""
    listed = await caller.call("ListTasks", {})

    assert reply.error is not None
    code = -32005 if reason == "media_type_not_allowed" else -32600
    assert reply.error["code"] == code
    assert reply.error_data["reason"] == reason
    assert reply.error_data["policy"] == NAME
    assert agent.runs == 0
    assert listed.state is None


@each_wire
async def test_a_part_more_than_allowed_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The number of parts has a limit."""
    content = with_parts(*[{"text": FILLER}] * (MAX_PARTS + 1))

    reply = await caller.send(content, wire)

    await assert_refused(caller, agent, reply, "too_many_parts")


@roomy
@each_wire
async def test_as_many_parts_as_allowed_get_in(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The limit itself is allowed."""
    content = with_parts(*[{"text": FILLER}] * min(MAX_PARTS, LONGEST))

    reply = await caller.send(content, wire)

    assert reply.error is None
    assert agent.runs == 1


@sendable
@each_wire
async def test_a_byte_more_than_allowed_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The size of a message has a limit."""
    reply = await caller.send(with_text(FILLER * (LONGEST + 1)), wire)

    await assert_refused(caller, agent, reply, "too_large")


@sendable
@roomy
@each_wire
async def test_as_many_bytes_as_allowed_get_in(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """The limit itself is allowed."""
    reply = await caller.send(with_text(FILLER * LONGEST), wire)

    assert reply.error is None
    assert agent.runs == 1


@some_room
@pytest.mark.skipif(UNLISTED is None, reason="every media type is allowed")
@each_wire
async def test_a_file_of_another_media_type_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """What isn't on the list doesn't get in."""
    file: dict[str, Json] = {"raw": "eA==", "mediaType": UNLISTED}

    reply = await caller.send(with_parts(file), wire)

    await assert_refused(caller, agent, reply, "media_type_not_allowed")


@roomy
@pytest.mark.parametrize("media_type", TYPES)
@each_wire
async def test_a_file_of_a_listed_media_type_gets_in(
    caller: Caller, agent: ScriptedAgent, wire: Wire, media_type: str
) -> None:
    """An inline file is judged by the type that it declares."""
    file: dict[str, Json] = {"raw": "eA==", "mediaType": media_type}

    reply = await caller.send(with_parts(file), wire)

    assert reply.error is None
    assert agent.runs == 1


def at_address(address: str) -> dict[str, Json]:
    """Make a file that comes by address, of a type that is allowed."""
    return {"url": address, "mediaType": TYPES[0]}


@some_room
@pytest.mark.skipif(not TYPES, reason="no file is allowed at all")
@each_wire
async def test_an_address_with_another_scheme_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire
) -> None:
    """A file doesn't come from just anywhere."""
    file = at_address(f"{OTHER_SCHEME}://files.example.com/a.txt")

    reply = await caller.send(with_parts(file), wire)

    await assert_refused(caller, agent, reply, "uri_not_allowed")


@some_room
@pytest.mark.skipif(not TYPES, reason="no file is allowed at all")
@pytest.mark.parametrize("address", foreign_addresses(URI_SCHEMES, URI_HOSTS))
@each_wire
async def test_an_address_at_another_host_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire, address: str
) -> None:
    """A scheme alone opens no door."""
    reply = await caller.send(with_parts(at_address(address)), wire)

    await assert_refused(caller, agent, reply, "uri_not_allowed")


@pytest.mark.skipif(UNLISTED is None, reason="every media type is allowed")
async def test_a_file_by_address_has_a_media_type_too(
    caller: Caller, agent: ScriptedAgent
) -> None:
    """It is judged before the address is."""
    file: dict[str, Json] = {"url": "https://a.example/", "mediaType": UNLISTED}

    reply = await caller.send(with_parts(file))

    await assert_refused(caller, agent, reply, "media_type_not_allowed")


@roomy
@pytest.mark.skipif(not TYPES, reason="no file is allowed at all")
@pytest.mark.parametrize("address", addresses(URI_SCHEMES, URI_HOSTS))
async def test_a_listed_address_gets_in(
    caller: Caller, agent: ScriptedAgent, address: str
) -> None:
    """Scheme and host are on the lists."""
    reply = await caller.send(with_parts(at_address(address)))

    assert reply.error is None
    assert agent.runs == 1


@some_room
@pytest.mark.parametrize("missing", REQUIRED_METADATA)
@each_wire
async def test_metadata_that_is_missing_is_asked_for(
    caller: Caller, agent: ScriptedAgent, wire: Wire, missing: str
) -> None:
    """Each required key has to be there."""
    metadata = {key: value for key, value in METADATA.items() if key != missing}

    content = Content(parts=[{"text": FILLER}], metadata=metadata)

    reply = await caller.send(content, wire)

    await assert_refused(caller, agent, reply, "missing_metadata")
    assert missing in reply.text


@pytest.mark.parametrize("text", [text for text in DENIED if len(text) <= LONGEST])
@each_wire
async def test_a_denied_text_is_refused(
    caller: Caller, agent: ScriptedAgent, wire: Wire, text: str
) -> None:
    """Each pattern is looked for, and what it found isn't repeated."""
    reply = await caller.send(with_text(text), wire)

    await assert_refused(caller, agent, reply, "denied_content")


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
