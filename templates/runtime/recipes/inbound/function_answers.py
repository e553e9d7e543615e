"""Finds in a task what its agent asked for, and in messages what was answered.

ADK sends a call of a long-running function, and takes its response, as a data
part whose metadata say so; facts from `google.adk.a2a.converters`.
"""

from collections.abc import Iterable

from a2a.types import Message, Part, Role, Task
from google.protobuf.struct_pb2 import Struct

__all__ = ["answers", "earlier_answers", "questions"]


def answers(message: Message) -> list[str]:
    """Give the ids of the function responses that a message holds."""
    return [_id(part) for part in message.parts if _type(part) == "function_response"]


def earlier_answers(task: Task) -> set[str]:
    """Give the ids of the function responses that the task's caller has sent."""
    said = (message for message in task.history if message.role == Role.ROLE_USER)
    return {answer for message in said for answer in answers(message)}


def questions(task: Task) -> set[str]:
    """Give the ids of all long-running calls that the task's agent has made."""
    return {_id(part) for part in _agent_parts(task) if _is_question(part)}


def _agent_parts(task: Task) -> Iterable[Part]:
    for message in (*task.history, task.status.message):
        if message.role == Role.ROLE_AGENT:
            yield from message.parts


def _is_question(part: Part) -> bool:
    flag = "adk_is_long_running"
    flagged = flag in part.metadata.fields and part.metadata.fields[flag].bool_value
    return flagged and _type(part) == "function_call"


def _type(part: Part) -> str:
    if part.WhichOneof("content") != "data":
        return ""
    return _text(part.metadata, "adk_type")


def _id(part: Part) -> str:
    return _text(part.data.struct_value, "id")


def _text(struct: Struct, key: str) -> str:
    # Reading a missing key would put it there.
    return struct.fields[key].string_value if key in struct.fields else ""
