"""Makes messages of any shape, for a served chain and for a hook by itself."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from itertools import count

import pytest
from a2a.auth.user import UnauthenticatedUser, User
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import Message, Part, Role, SendMessageRequest, Task
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types
from google.protobuf.json_format import ParseDict

from testing.harness import Caller, Json, Reply, values
from testing.scripted import adk_event

__all__ = [
    "PINS",
    "Verified",
    "answer_to",
    "asks_twice",
    "begun_task",
    "call_context",
    "message_context",
    "reason",
    "reply",
    "send",
]

PINS = ("legacy", "new")

_ids = count(1)


class Verified(User):
    """A caller whose name somebody has verified."""

    def __init__(self, name: str) -> None:
        """Know the name."""
        self._name = name

    @property
    def is_authenticated(self) -> bool:
        """Yes."""
        return True

    @property
    def user_name(self) -> str:
        """The name."""
        return self._name


def call_context(
    headers: Mapping[str, str] | None = None,
    *,
    repeated: Iterable[str] = (),
    user: User | None = None,
    auth: object = None,
) -> ServerCallContext:
    """Make what the SDK knows of an HTTP request."""
    lower = {name.lower(): value for name, value in (headers or {}).items()}
    return ServerCallContext(
        state={
            "headers": lower,
            "repeated_headers": frozenset(repeated),
            "auth": auth,
        },
        user=user or UnauthenticatedUser(),
    )


def message_context(
    *parts: Part,
    call: ServerCallContext | None = None,
    metadata: Mapping[str, object] | None = None,
    request_metadata: Mapping[str, object] | None = None,
    task: Task | None = None,
) -> RequestContext:
    """Make the context of a message with these parts."""
    message = Message(message_id="m", role=Role.ROLE_USER, parts=parts)
    ParseDict(dict(metadata or {}), message.metadata)
    request = SendMessageRequest(message=message)
    ParseDict(dict(request_metadata or {}), request.metadata)
    call = call or call_context()
    if task is None:
        return RequestContext(call, request)
    return RequestContext(call, request, task.id, task.context_id, task)


async def send(
    caller: Caller,
    *parts: Json,
    headers: Mapping[str, str] | None = None,
    metadata: dict[str, Json] | None = None,
    task_id: str = "",
    context_id: str = "",
) -> Reply:
    """Send a message with these parts, or else with a text, on the 1.0 wire."""
    message: dict[str, Json] = {
        "messageId": f"m-{next(_ids)}",
        "role": "ROLE_USER",
        "parts": list(parts) or [{"text": "hello"}],
        "taskId": task_id,
        "contextId": context_id,
    }
    params: dict[str, Json] = {"message": message, "metadata": metadata or {}}
    return await caller.call("SendMessage", params, headers=headers)


async def reply(caller: Caller, task: Reply, *parts: Json) -> Reply:
    """Reply to the task, in its context."""
    context_id = str(next(values(task.answers, "contextId")))
    return await send(caller, *parts, task_id=task.task_id, context_id=context_id)


def answer_to(call_id: str) -> dict[str, Json]:
    """Make the part that answers a function call."""
    response: Json = {"id": call_id, "name": "approve", "response": {"ok": True}}
    return {"data": response, "metadata": {"adk_type": "function_response"}}


def begun_task(reply: Reply) -> str:
    """Give the id of the task in an answer that didn't wait for its end."""
    for task in values(reply.answers, "task"):
        if isinstance(task, dict):
            return str(task["id"])
    pytest.fail("no task has begun")


def reason(reply: Reply) -> Json:
    """Give why the request was refused."""
    for metadata in values(reply.error or {}, "metadata"):
        if isinstance(metadata, dict):
            return metadata.get("reason")
    return None


async def asks_twice(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    """Ask for approval at the first two messages, and then say that it's done."""
    said = len([event for event in ctx.session.events if event.author == "user"])
    if said > QUESTIONS:
        yield adk_event("done")
        return
    call = types.FunctionCall(id=f"call-{said}", name="approve", args={})
    content = types.Content(role="model", parts=[types.Part(function_call=call)])
    yield Event(
        author="scripted", content=content, long_running_tool_ids={f"call-{said}"}
    )


QUESTIONS = 2
