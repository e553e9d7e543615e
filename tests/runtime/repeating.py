"""What the tests of repeated messages share: an agent, and messages with ids."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types

from testing.harness import EXTENSION, WIRES, Caller, Json, Reply, Wire, values
from testing.scripted import adk_event

__all__ = ["Agent", "Repeatable", "answer", "of_task", "send", "until"]

UNARY = WIRES[0]


class Agent:
    """Does what it is told; counts its runs, and those that came to an end."""

    def __init__(self, does: str = "answer") -> None:
        """Do this first."""
        self.does = does
        self.runs = self.done = 0
        self.go_on = asyncio.Event()

    async def __call__(self, _: InvocationContext) -> AsyncGenerator[Event, None]:
        """Run."""
        self.runs += 1
        does = self.does
        yield adk_event(f"run {self.runs}")
        if does == "wait":
            await self.go_on.wait()
        if does == "raise":
            raise ConnectionError
        if does == "pause":
            call = types.FunctionCall(id=f"call-{self.runs}", name="approve", args={})
            content = types.Content(
                role="model", parts=[types.Part(function_call=call)]
            )
            yield Event(
                author="scripted",
                content=content,
                long_running_tool_ids={f"call-{self.runs}"},
            )
        self.done += 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Repeatable:
    """A message that a client may send again.

    Attributes:
        message_id: Its id.
        parts: What it holds, in the form of A2A 1.0; texts and data.
        metadata: Its own metadata.
        request_metadata: That of the request.
        task_id: The task that it replies to.
        context_id: The conversation that it names.
        headers: HTTP headers.
        configuration: How it is to be answered, in the form of its wire.
    """

    message_id: str = "the same"
    parts: Sequence[Mapping[str, Json]] = ({"text": "hello"},)
    metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])
    request_metadata: Mapping[str, Json] = field(default_factory=dict[str, Json])
    task_id: str = ""
    context_id: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    configuration: Mapping[str, Json] = field(default_factory=dict[str, Json])

    def params(self, wire: Wire) -> tuple[str, dict[str, Json]]:
        """Give the method and its parameters."""
        old = wire.version == "0.3"
        parts: list[Json] = [
            {**part, "kind": "text" if "text" in part else "data"} if old else {**part}
            for part in self.parts
        ]
        message: dict[str, Json] = {"messageId": self.message_id, "parts": parts}
        message |= {"kind": "message", "role": "user"} if old else {"role": "ROLE_USER"}
        named = {"taskId": self.task_id, "contextId": self.context_id}
        message |= {key: value for key, value in named.items() if value}
        if self.metadata:
            message["metadata"] = dict(self.metadata)
        params: dict[str, Json] = {"message": message}
        if self.request_metadata:
            params["metadata"] = dict(self.request_metadata)
        if self.configuration:
            params["configuration"] = dict(self.configuration)
        if old:
            return "message/stream" if wire.streaming else "message/send", params
        return "SendStreamingMessage" if wire.streaming else "SendMessage", params


async def send(
    it: Caller, message: Repeatable, wire: Wire = UNARY, *, extension: bool = False
) -> Reply:
    """Send the message."""
    method, params = message.params(wire)
    name = "A2A-Extensions" if wire.version == "1.0" else "X-A2A-Extensions"
    asked = {name: EXTENSION} if extension else {}
    return await it.call(method, params, wire.version, {**asked, **message.headers})


def answer(task_id: str, call: str, message_id: str = "answer") -> Repeatable:
    """Make the answer to a function call."""
    response: dict[str, Json] = {"id": call, "name": "approve", "response": {"ok": 1}}
    part: dict[str, Json] = {
        "data": response,
        "metadata": {"adk_type": "function_response"},
    }
    return Repeatable(message_id=message_id, parts=[part], task_id=task_id)


def of_task(reply: Reply) -> str:
    """Give the task of a reply on any wire, streamed or not."""
    assert reply.error is None, reply.error
    for answer in reply.answers:
        result = next(values(answer, "result"))
        assert isinstance(result, dict)
        # A2A 1.0 says what it is by the key, A2A 0.3 by the kind.
        (inner,) = [result] if "kind" in result else list(result.values())
        assert isinstance(inner, dict)
        return str(inner.get("taskId") or inner["id"])
    raise AssertionError


async def until(happened: Callable[[], bool]) -> None:
    """Wait for it."""
    for _ in range(5000):
        if happened():
            return
        await asyncio.sleep(0.001)
    pytest.fail("it did not happen")
