"""One artifact that an agent saved: how it is loaded, and what else stands for it."""

import secrets
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, TypeAlias

from a2a.types import Artifact, Part, TaskArtifactUpdateEvent, TaskStatusUpdateEvent
from google.adk.a2a.executor.interceptors import (
    include_artifacts_in_a2a_event_interceptor,
)
from google.protobuf.json_format import ParseDict

from ...seams.interceptor import AdkEvent, ExecutorContext

__all__ = ["SavedArtifact", "Undelivered", "Update"]

Update: TypeAlias = TaskStatusUpdateEvent | TaskArtifactUpdateEvent
Undelivered: TypeAlias = Literal["too_large", "missing", "unavailable"]
"""Why a note stands in an artifact's place."""

# ADK makes an artifact's id of its file's name. Nothing redacts an id, and a name
# may hold what has to be redacted; so an id is made of a hash, keyed and of one task:
# nobody can tell by the ids of another task what a name was.
_KEY = secrets.token_bytes(32)


@dataclass(frozen=True, slots=True)
class SavedArtifact:
    """What an event of ADK says that was saved.

    Attributes:
        name: Its name, with `user:` if it is of all sessions.
        version: Which of the versions of that name.
    """

    name: str
    version: int

    async def load(
        self, context: ExecutorContext, beside: Update, adk_event: AdkEvent
    ) -> TaskArtifactUpdateEvent | None:
        """Let ADK's own interceptor load it.

        Args:
            context: The run.
            beside: The update that it comes after.
            adk_event: The event that it was saved with.

        Returns:
            The update; None if it isn't there any more.
        """
        # ADK clears what was saved in the event that it is given, and the session
        # may hold the very same one.
        actions = adk_event.actions.model_copy(
            update={"artifact_delta": {self.name: self.version}}
        )
        event = adk_event.model_copy(update={"actions": actions})
        include = include_artifacts_in_a2a_event_interceptor.after_event
        given = await include(context, beside, event) if include else None
        for made in given if isinstance(given, list) else []:
            if isinstance(made, TaskArtifactUpdateEvent) and made is not beside:
                self._name(made.artifact, beside.task_id)
                return made
        return None

    def note(
        self, beside: Update, reason: Undelivered, **more: str | int
    ) -> TaskArtifactUpdateEvent:
        """Make an update that says why it isn't delivered.

        Args:
            beside: The update that it comes after.
            reason: Why.
            more: What else is known of it.
        """
        told = {
            "not_delivered": reason,
            "name": self.name,
            "version": self.version,
            **more,
        }
        part = ParseDict({"data": told}, Part())
        artifact = Artifact(name=self.name, parts=[part])
        self._name(artifact, beside.task_id)
        return TaskArtifactUpdateEvent(
            task_id=beside.task_id,
            context_id=beside.context_id,
            artifact=artifact,
            metadata=beside.metadata,
            append=False,
            last_chunk=True,
        )

    def _name(self, artifact: Artifact, task_id: str) -> None:
        named = f"{task_id} {self.name}".encode()
        file = blake2b(named, key=_KEY, digest_size=16).hexdigest()
        artifact.artifact_id = f"{file}_{self.version}"
        for part in artifact.parts:
            if part.WhichOneof("content") in ("raw", "url") and not part.filename:
                path = self.name.removeprefix("user:")
                part.filename = path.rpartition("/")[2]
