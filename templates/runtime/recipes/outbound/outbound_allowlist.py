"""The recipe `outbound_allowlist`: what may leave in metadata."""

from collections.abc import MutableSequence
from copy import deepcopy
from typing import Literal

from a2a.types import Artifact, Message, Part, Task, TaskStatusUpdateEvent

from ...seams.protocols import OnSend, Outgoing
from .outbound_metadata import MetadataFilter, is_thought

__all__ = ["OutboundAllowlist"]


class OutboundAllowlist(OnSend):
    """Takes out of metadata what isn't on its lists, and thoughts out of parts.

    By default ADK sends along what a run changed in the session's state, what
    events carry as custom metadata, the request's own metadata, and the use of
    tokens. What leaves is also what is stored. Always kept: whether a function
    call waits for an answer, what else ADK's client half needs to answer it, an
    error's code and the correlation id.
    """

    def __init__(
        self,
        *,
        metadata: tuple[str, ...] = (),
        state: tuple[str, ...] = (),
        custom_metadata: tuple[str, ...] = (),
        usage: bool = False,
        thoughts: Literal["drop", "keep"] = "drop",
    ) -> None:
        """Let nothing leave but what is always kept, and what these name.

        Args:
            metadata: Further keys of metadata, anywhere.
            state: Keys of the session's state whose changes may leave.
            custom_metadata: Keys of events' custom metadata; `a2a_metadata` is
                the request's own metadata.
            usage: Whether the use of tokens may leave.
            thoughts: What becomes of parts that are a model's thoughts.
        """
        keys = {*metadata, "adk_usage_metadata"} if usage else {*metadata}
        self._filter = MetadataFilter(
            keys=frozenset(keys),
            state=frozenset(state),
            custom_metadata=frozenset(custom_metadata),
        )
        self._drops_thoughts = thoughts == "drop"

    def on_send(self, event: Outgoing) -> Outgoing:
        """Give a cleaned copy: the event itself may be ADK's, or queued already."""
        sent = deepcopy(event)
        self._filter.clean(sent.metadata)
        if isinstance(sent, Task):
            for artifact in sent.artifacts:
                self._clean(artifact)
            for message in sent.history:
                self._clean(message)
            self._clean(sent.status.message)
        elif isinstance(sent, TaskStatusUpdateEvent):
            self._clean(sent.status.message)
        else:
            self._clean(sent.artifact)
        return sent

    def _clean(self, holder: Artifact | Message) -> None:
        self._filter.clean(holder.metadata)
        if self._drops_thoughts:
            _drop_thoughts(holder.parts)
        for part in holder.parts:
            self._filter.clean_part(part.metadata)


def _drop_thoughts(parts: MutableSequence[Part]) -> None:
    for position in reversed(range(len(parts))):
        if is_thought(parts[position].metadata):
            del parts[position]
            if not parts:
                # An artifact has a part, and its first chunk has to come for
                # the next ones to be added to; so an empty text stands in.
                parts.append(Part(text=""))
