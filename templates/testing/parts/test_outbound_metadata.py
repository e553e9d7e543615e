"""Of metadata leaves what a client needs, and what is listed."""

import json

import pytest
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.struct_pb2 import Struct

from runtime.recipes.outbound.outbound_metadata import MetadataFilter, is_thought

NEEDED = {
    "https://google.github.io/adk-docs/a2a/a2a-extension/": True,
    "adk_error_code": "e",
    "error_code": "e",
    "correlation_id": "c",
}
OF_A_PART = {
    "adk_type": "function_call",
    "adk_is_long_running": True,
    "adk_thought_signature": "s",
    "adk_thought": True,
    "adk_video_metadata": {"a": 1.0},
    "adk_media_resolution": {"a": 1.0},
}
ACTIONS = {
    "escalate": True,
    "skip_summarization": True,
    "skipSummarization": True,
    "stateDelta": {"city": "Ulm", "card": "4111"},
    "state_delta": {"city": "Ulm", "card": "4111"},
    "transferToAgent": "other",
}
LEFT = {
    "escalate": True,
    "skip_summarization": True,
    "skipSummarization": True,
    "stateDelta": {"city": "Ulm"},
    "state_delta": {"city": "Ulm"},
}


def cleaned(metadata: dict[str, object], *listed: str) -> dict[str, object]:
    """Give what is left of metadata, with the same list for all of it."""
    names = frozenset(listed)
    made = ParseDict(metadata, Struct())
    MetadataFilter(keys=names, state=names, custom_metadata=names).clean(made)
    return MessageToDict(made)


def test_what_a_client_needs_always_leaves() -> None:
    """All else only if it is listed."""
    given: dict[str, object] = {**NEEDED, "own": 1.0, "other": 2.0}

    assert cleaned(given) == NEEDED
    assert cleaned(given, "own") == {**NEEDED, "own": 1.0}


def test_a_part_keeps_what_makes_it_one() -> None:
    """Such as that it is a call which waits for an answer."""
    part = ParseDict({**OF_A_PART, "correlation_id": "c", "own": 1, "b": 2}, Struct())
    names = frozenset({"own"})

    MetadataFilter(keys=names, state=names, custom_metadata=names).clean_part(part)

    assert MessageToDict(part) == {**OF_A_PART, "own": 1.0}


@pytest.mark.parametrize("written", [False, True], ids=["data", "JSON"])
def test_of_the_state_leaves_what_is_listed(*, written: bool) -> None:
    """ADK's legacy implementation writes it as JSON."""

    def form(value: object) -> object:
        return json.dumps(value) if written else value

    left = cleaned({"adk_actions": form(ACTIONS)}, "city")["adk_actions"]
    custom = {"adk_custom_metadata": form({"city": "\u00dclm", "b": 1})}
    found = cleaned(custom, "city")["adk_custom_metadata"]

    assert (json.loads(str(left)) if written else left) == LEFT
    assert (json.loads(str(found)) if written else found) == {"city": "\u00dclm"}
    if written:
        assert found == '{"city": "\u00dclm"}'


@pytest.mark.parametrize("key", ["adk_actions", "adk_custom_metadata"])
@pytest.mark.parametrize(
    "value", [{"a": 1}, {}, "{}", '{"a": 1}', "{", "[]", '{"stateDelta": {"a": 1}}']
)
def test_of_what_nothing_is_left_nothing_leaves(key: str, value: object) -> None:
    """Unless all of it is listed."""
    assert cleaned({key: value}, "city") == {}
    assert cleaned({key: value}, key) == cleaned({key: value}, key, key)
    assert list(cleaned({key: value}, key)) == [key]


def test_a_thought_is_told_by_its_metadata() -> None:
    """Reading it leaves no trace."""
    none = Struct()

    assert not is_thought(none)
    assert not none.fields
    assert is_thought(ParseDict({"adk_thought": True}, Struct()))
    assert not is_thought(ParseDict({"adk_thought": False}, Struct()))
