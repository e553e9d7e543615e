"""What a task's agent asked for, and what was answered, is found in its messages."""

from collections.abc import Mapping

import pytest
from a2a.types import Message, Part, Role, Task, TaskStatus
from google.protobuf.json_format import ParseDict

from runtime.recipes.inbound.function_answers import answers, earlier_answers, questions

CALL = {"adk_type": "function_call", "adk_is_long_running": True}
RESPONSE = {"adk_type": "function_response"}


def part(call_id: object, metadata: Mapping[str, object]) -> Part:
    """Make a part with data, as ADK does."""
    return ParseDict({"data": {"id": call_id}, "metadata": dict(metadata)}, Part())


def said(role: Role, *parts: Part) -> Message:
    """Make a message."""
    return Message(role=role, parts=parts)


def test_the_answers_of_a_message_are_in_their_order() -> None:
    """Each as often as it is there."""
    message = said(
        Role.ROLE_USER,
        part("two", RESPONSE),
        Part(text="so"),
        part("one", RESPONSE),
        part("two", RESPONSE),
        part("asked", CALL),
    )

    assert answers(message) == ["two", "one", "two"]


@pytest.mark.parametrize(
    "other",
    [
        ParseDict({"text": "1", "metadata": RESPONSE}, Part()),
        part("1", {}),
        part("1", {"adk_type": "other"}),
        part("1", {"other": "function_response"}),
        Part(),
    ],
    ids=range(5),
)
def test_another_part_is_no_answer(other: Part) -> None:
    """And it isn't changed by the look at it."""
    before = str(other)

    assert answers(said(Role.ROLE_USER, other)) == []

    assert str(other) == before


@pytest.mark.parametrize("data", [{"a": 1}, {"id": 1}, [1], "text"], ids=str)
def test_an_answer_without_an_id_has_an_empty_one(data: object) -> None:
    """It fits no question."""
    found = ParseDict({"data": data, "metadata": RESPONSE}, Part())
    before = str(found)

    assert answers(said(Role.ROLE_USER, found)) == [""]

    assert str(found) == before


def test_only_the_caller_has_answered() -> None:
    """What tools gave is in the agent's messages."""
    task = Task(
        history=[
            said(Role.ROLE_USER, part("one", RESPONSE), part("two", RESPONSE)),
            said(Role.ROLE_AGENT, part("tool", RESPONSE)),
            said(Role.ROLE_USER, part("three", RESPONSE)),
        ]
    )

    assert earlier_answers(task) == {"one", "two", "three"}
    assert earlier_answers(Task()) == set()


@pytest.mark.parametrize(
    ("role", "metadata", "asks"),
    [
        (Role.ROLE_AGENT, CALL, True),
        (Role.ROLE_USER, CALL, False),
        (Role.ROLE_AGENT, {"adk_type": "function_call"}, False),
        (Role.ROLE_AGENT, {**CALL, "adk_is_long_running": False}, False),
        (Role.ROLE_AGENT, {**CALL, **RESPONSE}, False),
        (Role.ROLE_AGENT, {"adk_is_long_running": True}, False),
    ],
    ids=range(6),
)
def test_only_the_agent_asks_by_a_long_running_call(
    role: Role, metadata: Mapping[str, object], *, asks: bool
) -> None:
    """In its history, and with the status that it waits in."""
    first, second = (said(role, part(each, metadata)) for each in ("1", "2"))
    task = Task(history=[first], status=TaskStatus(message=second))
    before = str(task)

    assert questions(task) == ({"1", "2"} if asks else set())

    assert str(task) == before


def test_all_questions_of_a_message_are_found() -> None:
    """A task without any has none."""
    both = said(Role.ROLE_AGENT, part("1", CALL), Part(text="so"), part("2", CALL))

    assert questions(Task(history=[both])) == {"1", "2"}
    assert questions(Task()) == set()
