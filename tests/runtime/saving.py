"""Agents that save artifacts, and what a caller finds of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from google.adk.agents.invocation_context import InvocationContext
from google.adk.artifacts import InMemoryArtifactService
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.runners import InMemoryRunner, Runner
from google.genai import types
from tests.runtime.serving import Cell, Scripted, Setup, served

from testing.harness import Json, Reply, values
from testing.scripted import adk_event

__all__ = ["PNG", "Service", "Stored", "blob", "found", "saving", "told"]

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def blob(data: bytes, media_type: str = "image/png", name: str = "") -> types.Part:
    """Make a file."""
    content = types.Blob(data=data, mime_type=media_type, display_name=name or None)
    return types.Part(inline_data=content)


async def saving(
    ctx: InvocationContext, files: Mapping[str, types.Part], text: str = ""
) -> Event:
    """Save files, and give the event that says so, with a text or without content."""
    assert ctx.artifact_service is not None
    delta = {
        name: await ctx.artifact_service.save_artifact(
            app_name=ctx.app_name,
            user_id=ctx.user_id,
            session_id=ctx.session.id,
            filename=name,
            artifact=part,
        )
        for name, part in files.items()
    }
    event = adk_event(text) if text else Event(author="scripted")
    event.actions = EventActions(artifact_delta=delta)
    return event


class Service(InMemoryArtifactService):
    """Counts what is loaded, and fails or forgets if it is told to."""

    loads: int = 0
    raises: str = ""
    forgets: bool = False

    async def load_artifact(
        self,
        *,
        app_name: str,
        user_id: str,
        filename: str,
        session_id: str | None = None,
        version: int | None = None,
    ) -> types.Part | None:
        self.loads += 1
        if self.raises:
            raise ConnectionError(self.raises)
        if self.forgets:
            return None
        return await super().load_artifact(
            app_name=app_name,
            user_id=user_id,
            filename=filename,
            session_id=session_id,
            version=version,
        )


@dataclass(kw_only=True)
class Stored:
    """A setup whose runner is known.

    Attributes:
        setup: What to serve.
        artifacts: Where artifacts are.
        runners: The runners that were made.
    """

    setup: Setup
    artifacts: Service = field(default_factory=Service)
    runners: list[Runner] = field(default_factory=list[Runner])

    def __post_init__(self) -> None:
        """Let its factory make the runners."""
        self.setup = replace(self.setup, factory=self._runner)

    def _runner(self) -> Runner:
        agent = Scripted(name="scripted", description="", script=self.setup.script)
        runner = InMemoryRunner(agent=agent, app_name="scripted")
        runner.artifact_service = self.artifacts
        self.runners.append(runner)
        return runner


async def told(setup: Setup, cell: Cell) -> list[Reply]:
    """Give the answer, and the task as it is stored."""
    async with served(replace(setup, pin=cell.pin)) as caller:
        answer = await caller.send("hi", cell.wire, extension=cell.extension)
        return [answer, await caller.call("GetTask", {"id": answer.task_id})]


@dataclass(frozen=True, kw_only=True)
class Found:
    """An artifact as a caller got it.

    Attributes:
        id: Its id.
        name: Its name.
        kind: What its part is: `raw`, `text`, `url` or `data`.
        content: What the part holds.
        filename: The file's name.
        media_type: The file's media type.
    """

    id: str
    name: str
    kind: str
    content: Any
    filename: str = ""
    media_type: str = ""


def found(reply: Reply) -> list[Found]:
    """Give the saved artifacts that a reply tells of, in order; those have names."""
    artifacts = list(values(reply.answers, "artifact"))
    for listed in values(reply.answers, "artifacts"):
        artifacts += listed if isinstance(listed, list) else []
    return [
        _read(each) for each in artifacts if isinstance(each, dict) and each.get("name")
    ]


def _read(artifact: dict[str, Json]) -> Found:
    (part,) = artifact["parts"] if isinstance(artifact["parts"], list) else []
    assert isinstance(part, dict)
    file = part.get("file")
    if isinstance(file, dict):
        part = {_NEW_NAMES[key]: value for key, value in file.items()}
    (kind,) = {"raw", "text", "url", "data"} & set(part)
    return Found(
        id=str(artifact["artifactId"]),
        name=str(artifact["name"]),
        kind=kind,
        content=part[kind],
        filename=str(part.get("filename", "")),
        media_type=str(part.get("mediaType", "")),
    )


_NEW_NAMES = {
    "bytes": "raw",
    "uri": "url",
    "mimeType": "mediaType",
    "name": "filename",
}
