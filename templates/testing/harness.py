"""Drives the service as a caller would: over HTTP, without a network or a model."""

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from json import loads
from typing import TypeAlias

import httpx
from starlette.applications import Starlette

__all__ = [
    "EXTENSION",
    "WIRES",
    "Caller",
    "Content",
    "Json",
    "Reply",
    "Wire",
    "running",
    "values",
]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

EXTENSION = "https://google.github.io/adk-docs/a2a/a2a-extension/"
"""What a caller names to ask for ADK's new implementation."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One of the four ways to send a message."""

    version: str
    streaming: bool

    def __str__(self) -> str:
        """Name the wire in a test's id."""
        return f"{self.version}-{'stream' if self.streaming else 'unary'}"


WIRES = tuple(
    Wire(version, streaming)
    for version in ("1.0", "0.3")
    for streaming in (False, True)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a message holds, and what comes with it.

    Attributes:
        parts: The parts, in the form of A2A 1.0.
        metadata: The metadata of the request.
        headers: Further HTTP headers.
    """

    parts: Sequence[Mapping[str, Json]] = ()
    metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Reply:
    """What the caller got: one JSON-RPC answer, or one for each streamed event."""

    answers: list[Json]

    @property
    def error(self) -> dict[str, Json] | None:
        """The JSON-RPC error, if that is the answer."""
        for answer in self.answers:
            error = answer.get("error") if isinstance(answer, dict) else None
            if isinstance(error, dict):
                return error
        return None

    @property
    def error_data(self) -> dict[str, Json]:
        """What the error says to a program; A2A 1.0 wraps it in an ErrorInfo."""
        data = (self.error or {}).get("data")
        first = data[0] if isinstance(data, list) and data else data
        found = first.get("metadata", first) if isinstance(first, dict) else None
        return found if isinstance(found, dict) else {}

    @property
    def state(self) -> str | None:
        """The last task state, in A2A 0.3's spelling, such as `input-required`."""
        states = list(values(self.answers, "state"))
        if not states:
            return None
        return str(states[-1]).removeprefix("TASK_STATE_").lower().replace("_", "-")

    @property
    def artifact_texts(self) -> list[str]:
        """The texts of the artifacts, in order."""
        artifacts = [
            artifact
            for key in ("artifact", "artifacts")
            for artifact in values(self.answers, key)
        ]
        return [str(text) for text in values(artifacts, "text")]

    @property
    def text(self) -> str:
        """All text that the caller got, errors and history included."""
        found = [*values(self.answers, "text"), *values(self.answers, "message")]
        return "\n".join(text for text in found if isinstance(text, str))

    @property
    def task_id(self) -> str:
        """The id of the task that the caller got."""
        return str(next(values(self.answers, "taskId")))

    def metadata(self, key: str) -> list[Json]:
        """What stands under a key of any metadata, each value once."""
        found: list[Json] = []
        for value in values(self.answers, key):
            if value not in found:
                found.append(value)
        return found

    @property
    def by_new_implementation(self) -> bool:
        """Whether ADK's new implementation made the reply."""
        return True in self.metadata("adk_agent_executor_v2")


class Caller:
    """Calls a running service."""

    def __init__(self, http: httpx.AsyncClient, path: str) -> None:
        """Call the A2A routes that stand at the path."""
        self.http = http
        self._path = path
        self._ids = count(1)

    async def send(
        self,
        content: "str | Content",
        wire: Wire = WIRES[0],
        *,
        extension: bool = False,
        task_id: str | None = None,
        wait: bool = True,
    ) -> Reply:
        """Send a message.

        Args:
            content: What the message holds; often a text alone.
            wire: Protocol version, and whether to stream.
            extension: Whether to ask for ADK's new implementation.
            task_id: The task to reply to, if any.
            wait: Whether to wait for the end of the answer; A2A 1.0 only.
        """
        message: dict[str, Json] = {"messageId": f"message-{next(self._ids)}"}
        if isinstance(content, str):
            content = Content(parts=[{"text": content}])
        if wire.version == "1.0":
            message |= {
                "role": "ROLE_USER",
                "parts": [dict(part) for part in content.parts],
            }
            method = "SendStreamingMessage" if wire.streaming else "SendMessage"
        else:
            old: list[Json] = [_in_old_form(part) for part in content.parts]
            message |= {"kind": "message", "role": "user", "parts": old}
            method = "message/stream" if wire.streaming else "message/send"
        if task_id is not None:
            message["taskId"] = task_id
        asked = {_EXTENSION_HEADER[wire.version]: EXTENSION} if extension else {}
        params: dict[str, Json] = {"message": message}
        if content.metadata:
            params["metadata"] = dict(content.metadata)
        if not wait:
            params["configuration"] = {"returnImmediately": True}
        headers = {**asked, **content.headers}
        return await self.call(method, params, wire.version, headers)

    async def call(
        self,
        method: str,
        params: dict[str, Json],
        version: str = "1.0",
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        """Call a JSON-RPC method."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        versioned = {"A2A-Version": version} if version == "1.0" else {}
        response = await self.http.post(
            self._path or "/", json=body, headers={**versioned, **(headers or {})}
        )
        lines = response.text.splitlines()
        streamed = [
            line.removeprefix("data: ") for line in lines if line[:5] == "data:"
        ]
        return Reply([loads(text) for text in streamed or [response.text]])


def _in_old_form(part: Mapping[str, Json]) -> Json:
    """Give a part of A2A 1.0 in the form of A2A 0.3."""
    if "text" in part:
        return {"kind": "text", "text": part["text"]}
    if "data" in part:
        return {"kind": "data", **part}
    names = {"raw": "bytes", "url": "uri", "mediaType": "mimeType", "filename": "name"}
    return {
        "kind": "file",
        "file": {names[key]: value for key, value in part.items()},
    }


_EXTENSION_HEADER = {"1.0": "A2A-Extensions", "0.3": "X-A2A-Extensions"}


@asynccontextmanager
async def running(app: Starlette, path: str = "") -> AsyncGenerator[Caller, None]:
    """Start the application, and stop it at the end of the block."""
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://service") as http,
    ):
        yield Caller(http, path)


def values(node: Json, key: str) -> Iterator[Json]:
    """Give each value that stands under the key, at any depth, in document order."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name == key:
                yield value
            yield from values(value, key)
    elif isinstance(node, list):
        for item in node:
            yield from values(item, key)
