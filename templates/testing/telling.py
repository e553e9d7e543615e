"""An agent that says what it is given, and all that a caller gets of it."""

from collections.abc import AsyncGenerator, Iterator

from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types

from .harness import Caller, Reply, Wire
from .scripted import ScriptedAgent

__all__ = ["TellingAgent", "chunks_of", "everything"]


class TellingAgent(ScriptedAgent):
    """Says its parts, after its chunks.

    Attributes:
        chunks: What comes first, in pieces.
        parts: What comes as a whole.
        state: What is written to the session's state.
    """

    chunks: tuple[str, ...] = ()
    parts: tuple[types.Part, ...] = ()
    state: dict[str, object] = {}  # noqa: RUF012 - pydantic copies it

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        self.runs += 1
        for text in self.chunks:
            yield self._event(ctx, types.Part(text=text), partial=True)
        yield self._event(ctx, *self.parts, partial=False)

    def _event(
        self, ctx: InvocationContext, *parts: types.Part, partial: bool
    ) -> Event:
        return Event(
            author=self.name,
            invocation_id=ctx.invocation_id,
            partial=partial,
            content=types.Content(role="model", parts=list(parts)),
            actions=EventActions(state_delta={} if partial else self.state),
        )

    def says(self, text: str) -> None:
        """Say a text as a whole."""
        self.parts = (types.Part(text=text),)

    def streams(self, *chunks: str) -> None:
        """Say a text in chunks, and whole after that, as models do."""
        self.chunks = chunks
        self.says("".join(chunks))


async def everything(
    caller: Caller, wire: Wire, *, extension: bool = False
) -> list[Reply]:
    """Give all that the caller gets, then and later."""
    reply = await caller.send("hello", wire, extension=extension)
    stored = await caller.call("GetTask", {"id": reply.task_id})
    listed = await caller.call("ListTasks", {"includeArtifacts": True})
    assert reply.state == stored.state == "completed"
    return [reply, stored, listed]


def chunks_of(text: str, size: int = 10) -> Iterator[str]:
    """Cut a text in chunks."""
    for start in range(0, len(text), size):
        yield text[start : start + size]
