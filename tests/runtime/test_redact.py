"""No secret leaves: in each cell, wherever it stands, and it isn't stored either."""

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
from a2a.types import Part, TaskArtifactUpdateEvent, TaskStatusUpdateEvent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.function_tool import FunctionTool
from google.genai import types
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.boundary.safe_errors import SafeErrors
from runtime.recipes.redaction.redact import Redact
from runtime.seams.interceptor import (
    A2AEvent,
    AdkEvent,
    AfterEvent,
    EventResult,
    ExecutorContext,
)
from testing.harness import Caller, Content, Json, Reply, values
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)

FIRST, SECOND = "ann.smith@example.com", "bob@mail.example.org"
SENTENCE = f"Write to {FIRST} or {SECOND}; the word is marzipan."
REDACTED = "Write to [email] or [email]; the word is marzipan."


async def says(_: InvocationContext) -> AsyncGenerator[Event, None]:
    """Say the sentence."""
    yield adk_event(SENTENCE)


async def told(setup: Setup, cell: Cell, content: str | Content = "hi") -> list[Reply]:
    """Give all that a caller gets: the answer, and what is stored."""
    async with served(replace(setup, pin=cell.pin)) as caller:
        answer = await caller.send(content, cell.wire, extension=cell.extension)
        return [answer, *await stored(caller, answer)]


async def stored(caller: Caller, answer: Reply) -> list[Reply]:
    """Give what is stored."""
    return [
        await caller.call("GetTask", {"id": answer.task_id}),
        await caller.call("ListTasks", {"includeArtifacts": True}),
    ]


@each_cell
async def test_an_address_is_nowhere(cell: Cell) -> None:
    replies = await told(Setup(script=says, hooks={"redact": Redact()}), cell)
    everything = "".join(str(each.answers) for each in replies)
    assert FIRST not in everything
    assert SECOND not in everything
    assert "example" not in everything
    # What isn't a secret is as it was.
    assert all(REDACTED in each.text.splitlines() for each in replies)
    assert replies[0].state == "completed"


@each_cell
async def test_without_it_the_address_is_everywhere(cell: Cell) -> None:
    """What the test above looks for does leave, so it can fail."""
    for each in await told(Setup(script=says), cell):
        assert FIRST in str(each.answers)
        assert SECOND in str(each.answers)


async def tells_all(_: InvocationContext) -> AsyncGenerator[Event, None]:
    """Put an address wherever an event of ADK has room."""
    call = types.FunctionCall(id="c", name="find", args={"who": [{"mail": FIRST}]})
    answer = types.FunctionResponse(id="c", name="find", response={FIRST: {"n": 7}})
    parts = [
        types.Part(text=f"thinking of {FIRST}", thought=True),
        types.Part(text="marzipan"),
        types.Part(function_call=call),
        types.Part(function_response=answer),
        types.Part(inline_data=types.Blob(data=FIRST.encode(), mime_type="text/plain")),
        types.Part(inline_data=types.Blob(data=FIRST.encode(), mime_type="image/png")),
        types.Part(
            file_data=types.FileData(
                file_uri=f"https://x.example/?who={FIRST}", mime_type="text/plain"
            )
        ),
    ]
    yield Event(
        author="scripted",
        content=types.Content(role="model", parts=parts),
        actions=EventActions(state_delta={"card": 4111111111111111, FIRST: [FIRST]}),
        custom_metadata={"deep": {"deeper": [FIRST]}},
    )


@each_cell
async def test_it_is_nowhere_in_data_files_and_metadata(cell: Cell) -> None:
    for each in await told(Setup(script=tells_all, hooks={"redact": Redact()}), cell):
        text = str(each.answers)
        assert FIRST not in text
        assert "4111111111111111" not in text
        assert "411111111111111" not in text
        assert "YW5uLnNtaXRoQGV4YW1wbGUuY29t" not in text  # in base64
        assert "marzipan" in text


@each_cell
async def test_what_tells_all_does(cell: Cell) -> None:
    """What the test above plants does leave, so it can fail."""
    text = str((await told(Setup(script=tells_all), cell))[1].answers)
    assert FIRST in text
    assert "4111111111111111" in text
    assert "YW5uLnNtaXRoQGV4YW1wbGUuY29t" in text


async def fails(_: InvocationContext) -> AsyncGenerator[Event, None]:
    """Fail with a text that a class may pass on."""
    yield adk_event("so far")
    raise LookupError(f"no order of {FIRST}")


@each_cell
async def test_the_text_of_a_failure_is_redacted(cell: Cell) -> None:
    errors = SafeErrors(pass_through=("builtins:LookupError",))
    setup = Setup(script=fails, hooks={"redact": Redact(), "errors": errors})
    for each in await told(setup, cell):
        assert FIRST not in str(each.answers)
        assert "no order of [email]" in each.text
        assert each.state == "failed"


@each_cell
async def test_the_agent_reads_what_the_caller_wrote(cell: Cell) -> None:
    """Of the caller's message only the copy in the submitted task is redacted."""
    heard: list[str] = []

    async def listens(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        parts = (ctx.user_content and ctx.user_content.parts) or []
        heard.extend(part.text or "" for part in parts)
        yield adk_event("marzipan")

    setup = Setup(script=listens, hooks={"redact": Redact()})
    replies = await told(setup, cell, f"I am {FIRST}")
    assert heard == [f"I am {FIRST}"]
    assert all(FIRST not in str(each.answers) for each in replies)


class Unknown(AfterEvent):
    """Adds a part that holds nothing."""

    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        if isinstance(event, TaskArtifactUpdateEvent):
            event.artifact.parts.append(Part())
        elif isinstance(event, TaskStatusUpdateEvent):
            event.status.message.parts.append(Part())
        return event


@each_cell
async def test_what_it_cannot_read_fails_the_task(cell: Cell) -> None:
    hooks: dict[str, object] = {"redact": Redact(), "unknown": Unknown()}
    for each in await told(Setup(script=says, hooks=hooks), cell):
        assert each.state == "failed"
        assert FIRST not in str(each.answers)
        assert "marzipan" not in str(each.answers)


class Model(BaseLlm):
    """Asks for the tool once, and then is done."""

    async def generate_content_async(
        self,
        llm_request: LlmRequest,
        stream: bool = False,  # noqa: FBT001, FBT002 - as ADK has it
    ) -> AsyncGenerator[LlmResponse, None]:
        responses = [
            part.function_response
            for content in llm_request.contents
            for part in content.parts or []
            if part.function_response
        ]
        part = types.Part(text="done")
        if not responses:
            call = types.FunctionCall(id="call-1", name="write_to", args={"to": FIRST})
            part = types.Part(function_call=call)
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


@each_cell
async def test_a_paused_tool_gets_the_originals(cell: Cell) -> None:
    written: list[str] = []

    def write_to(to: str) -> str:
        """Write to somebody."""
        written.append(to)
        return "written"

    tool = FunctionTool(write_to, require_confirmation=True)
    agent = LlmAgent(name="writer", model=Model(model="scripted"), tools=[tool])
    setup = Setup(
        script=says,
        hooks={"redact": Redact()},
        pin=cell.pin,
        factory=lambda: InMemoryRunner(agent=agent, app_name="scripted"),
    )
    async with served(setup) as caller:
        paused = await caller.send("go", cell.wire, extension=cell.extension)
        assert paused.state == "input-required"
        assert written == []
        assert FIRST not in str(paused.answers)
        assert "[email]" in str(paused.answers)
        answer: dict[str, Json] = {
            "id": _confirmation(paused),
            "name": "adk_request_confirmation",
            "response": {"confirmed": True},
        }
        part: dict[str, Json] = {
            "data": answer,
            "metadata": {"adk_type": "function_response"},
        }
        done = await caller.send(
            Content(parts=[part]),
            cell.wire,
            extension=cell.extension,
            task_id=paused.task_id,
        )
        everything = [done, *await stored(caller, paused)]
    assert written == [FIRST]
    assert done.state == "completed"
    assert all(FIRST not in str(each.answers) for each in everything)


def _confirmation(paused: Reply) -> str:
    """Give the id of the call that asks for confirmation."""
    for data in values(paused.answers, "data"):
        if isinstance(data, dict) and data.get("name") == "adk_request_confirmation":
            return str(data["id"])
    raise AssertionError("nothing asks for confirmation")
