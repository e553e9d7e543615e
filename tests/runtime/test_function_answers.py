from collections.abc import Mapping

import pytest
from a2a.types import Message, Part, Role, Task
from google.protobuf.json_format import ParseDict

from runtime.recipes.inbound.function_answers import answers, earlier_answers, questions

pytestmark = pytest.mark.service

CALL = {"adk_type": "function_call", "adk_is_long_running": True}
RESPONSE = {"adk_type": "function_response"}


def _part(metadata: Mapping[str, object]) -> Part:
    return ParseDict({"data": {"id": "1"}, "metadata": dict(metadata)}, Part())


def _task(role: Role, part: Part) -> Task:
    return Task(history=[Message(role=role, parts=[part])])


def test_what_the_caller_has_answered() -> None:
    assert earlier_answers(_task(Role.ROLE_USER, _part(RESPONSE))) == {"1"}
    # The legacy implementation sends what tools gave, in the agent's messages.
    assert not earlier_answers(_task(Role.ROLE_AGENT, _part(RESPONSE)))


def test_what_the_agent_waits_for() -> None:
    assert questions(_task(Role.ROLE_AGENT, _part(CALL))) == {"1"}
    # A caller can't ask, and an ordinary call waits for nobody.
    assert not questions(_task(Role.ROLE_USER, _part(CALL)))
    assert not questions(_task(Role.ROLE_AGENT, _part({"adk_type": "function_call"})))
    flagged = {**CALL, "adk_is_long_running": False}
    assert not questions(_task(Role.ROLE_AGENT, _part(flagged)))


@pytest.mark.parametrize(
    "part",
    [
        ParseDict({"text": "1", "metadata": RESPONSE}, Part()),
        _part({}),
        _part({"adk_type": "other"}),
    ],
    ids=["text", "data", "other"],
)
def test_what_is_no_answer(part: Part) -> None:
    assert not answers(Message(parts=[part]))


def test_looking_changes_nothing() -> None:
    """Reading a key that a protobuf struct doesn't have puts it there."""
    part = ParseDict({"data": {"a": 1}, "metadata": RESPONSE}, Part())
    task = _task(Role.ROLE_AGENT, part)
    task.status.message.CopyFrom(Message(role=Role.ROLE_USER, parts=[Part(text="1")]))
    before = str(task)
    assert answers(task.history[0]) == [""]
    assert not questions(task)
    assert not earlier_answers(task)
    assert str(task) == before
