"""Takes out of metadata what isn't on a list.

What is always let through is what the client half of ADK reads (facts from
`google.adk.a2a.converters` and `RemoteA2aAgent`), and what tells of a failure.
"""

from collections.abc import Collection
from dataclasses import dataclass

from google.protobuf.json_format import Error, MessageToJson, Parse
from google.protobuf.struct_pb2 import Struct, Value

__all__ = ["MetadataFilter", "is_thought"]

_KEPT = frozenset(
    {
        # By this a client knows ADK's new implementation.
        "https://google.github.io/adk-docs/a2a/a2a-extension/",
        "adk_error_code",
        "error_code",
        "correlation_id",
    }
)
_KEPT_OF_PART = frozenset(
    {
        # What a function call is, and that it waits for an answer.
        "adk_type",
        "adk_is_long_running",
        # Opaque, and a model may ask to get it back with the call.
        "adk_thought_signature",
        "adk_thought",
        "adk_video_metadata",
        "adk_media_resolution",
    }
)
_KEPT_ACTIONS = frozenset({"escalate", "skip_summarization", "skipSummarization"})
_STATE_DELTAS = ("stateDelta", "state_delta")


@dataclass(frozen=True, kw_only=True, slots=True)
class MetadataFilter:
    """Which keys may stay, each list beside what is always kept.

    Attributes:
        keys: Of the metadata of tasks, updates, messages, artifacts and parts.
        state: Of the session's state, in what an event changed of it.
        custom_metadata: Of an event's custom metadata.
    """

    keys: frozenset[str]
    state: frozenset[str]
    custom_metadata: frozenset[str]

    def clean(self, metadata: Struct) -> None:
        """Take the rest out of the metadata of a task, update, message or artifact."""
        for key in list(metadata.fields):
            if key in _KEPT or key in self.keys:
                continue
            if key not in _NESTED or not self._cleaned(key, metadata.fields[key]):
                del metadata.fields[key]

    def clean_part(self, metadata: Struct) -> None:
        """Take the rest out of the metadata of a part."""
        _keep(metadata, _KEPT_OF_PART | self.keys)

    def _cleaned(self, key: str, value: Value) -> bool:
        """Clean a value that has keys of its own, and tell whether some are left."""
        if value.WhichOneof("kind") != "string_value":
            self._clean_nested(key, value.struct_value)
            return bool(value.struct_value.fields)
        # ADK's legacy implementation writes some values as JSON.
        try:
            data = Parse(value.string_value, Struct())
            self._clean_nested(key, data)
            value.string_value = MessageToJson(data, indent=None, ensure_ascii=False)
        except (Error, ValueError):
            return False
        return bool(data.fields)

    def _clean_nested(self, key: str, data: Struct) -> None:
        if key == _CUSTOM:
            _keep(data, self.custom_metadata)
            return
        _keep(data, _KEPT_ACTIONS.union(_STATE_DELTAS))
        for name in _STATE_DELTAS:
            if name in data.fields:
                delta = data.fields[name].struct_value
                _keep(delta, self.state)
                if not delta.fields:
                    del data.fields[name]


def is_thought(metadata: Struct) -> bool:
    """Tell by a part's metadata whether it is what the model thought."""
    key = "adk_thought"
    # Reading a missing key would put it there.
    return key in metadata.fields and metadata.fields[key].bool_value


_CUSTOM = "adk_custom_metadata"
_NESTED = ("adk_actions", _CUSTOM)


def _keep(data: Struct, keys: Collection[str]) -> None:
    for key in list(data.fields):
        if key not in keys:
            del data.fields[key]
