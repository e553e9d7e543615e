"""Artifacts of ADK's own agents and tools, and for ADK's own client."""

from base64 import b64decode
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.agents.llm_agent import LlmAgent
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.events.event import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.tool_context import ToolContext
from google.genai import types
from tests.runtime.messages import PINS, asks_twice
from tests.runtime.saving import PNG, blob, found, saving, told
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.recipes.outbound.artifacts import Artifacts
from runtime.recipes.outbound.outbound_allowlist import OutboundAllowlist
from runtime.recipes.redaction.redact import Redact
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
each_pin = pytest.mark.parametrize("pin", PINS)

HOOKS: dict[str, object] = {
    "artifacts": Artifacts(),
    "redact": Redact(files="pass"),
    "allowlist": OutboundAllowlist(),
}


class Model(BaseLlm):
    """Calls the tool twice at once and once more, and then is done."""

    async def generate_content_async(
        self,
        llm_request: LlmRequest,
        stream: bool = False,  # noqa: FBT001, FBT002 - as ADK has it
    ) -> AsyncGenerator[LlmResponse, None]:
        answered = sum(
            part.function_response is not None
            for content in llm_request.contents
            for part in content.parts or []
        )
        calls = {0: ["plot.png", "user:über plot.png"], 2: ["plot.png"]}.get(answered)
        parts = [types.Part(text="done")]
        if calls:
            parts = [
                types.Part(
                    function_call=types.FunctionCall(
                        id=f"call-{answered}-{name}", name="plot", args={"name": name}
                    )
                )
                for name in calls
            ]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


async def plot(name: str, tool_context: ToolContext) -> str:
    """Plot something."""
    await tool_context.save_artifact(name, blob(PNG))
    return "plotted"


async def nothing(_: InvocationContext) -> AsyncGenerator[Event, None]:
    """Stand where the agent stands otherwise."""
    yield adk_event("nothing")


@each_cell
async def test_what_a_tool_saves_arrives(cell: Cell) -> None:
    def factory() -> InMemoryRunner:
        agent = LlmAgent(name="plotter", model=Model(model="scripted"), tools=[plot])
        return InMemoryRunner(agent=agent, app_name="scripted")

    for reply in await told(Setup(script=nothing, hooks=HOOKS, factory=factory), cell):
        assert "done" in reply.artifact_texts
        files = found(reply)
        assert [each.name for each in files] == [
            "plot.png",
            "user:über plot.png",
            "plot.png",
        ]
        assert [each.id[-2:] for each in files] == ["_0", "_0", "_1"]
        assert {b64decode(each.content) for each in files} == {PNG}
        assert files[1].filename == "über plot.png"


@each_pin
async def test_a_task_that_waits_has_its_files(pin: str) -> None:
    async def script(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        async for event in asks_twice(ctx):
            event.actions = (await saving(ctx, {"plan.png": blob(PNG)})).actions
            yield event

    setup = Setup(script=script, hooks=HOOKS, pin=pin)
    async with served(setup) as caller:
        asked = await caller.send("hello")
        stored = await caller.call("GetTask", {"id": asked.task_id})
    assert asked.state == stored.state == "input-required"
    assert [each.name for each in found(stored)] == ["plan.png"]
    assert found(asked) == found(stored)


@pytest.mark.parametrize("client", ["legacy", "new"])
@each_pin
async def test_a_remote_agent_gets_the_bytes(pin: str, client: str) -> None:
    async def script(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        yield await saving(ctx, {"a/plot.png": blob(PNG)})
        yield await saving(ctx, {"big.png": blob(PNG * 10)})
        yield adk_event("done")

    hooks = {**HOOKS, "artifacts": Artifacts(max_bytes=len(PNG))}
    parts: list[types.Part] = []
    setup = replace(Setup(script=script, hooks=hooks), pin=pin)
    async with served(setup) as caller:
        remote = RemoteA2aAgent(
            "remote",
            "http://127.0.0.1:8001/.well-known/agent-card.json",
            httpx_client=caller.http,
            use_legacy=client == "legacy",
        )
        runner = InMemoryRunner(agent=remote, app_name="client")
        session = await runner.session_service.create_session(
            app_name="client", user_id="u"
        )
        message = types.Content(role="user", parts=[types.Part(text="hello")])
        async for event in runner.run_async(
            user_id="u", session_id=session.id, new_message=message
        ):
            parts += (event.content.parts if event.content else None) or []
    blobs = [part.inline_data for part in parts if part.inline_data]
    images = [each for each in blobs if each.mime_type == "image/png"]
    assert images
    assert all((each.data, each.display_name) == (PNG, "plot.png") for each in images)
    assert any(b'"not_delivered":' in (each.data or b"") for each in blobs)
    assert "done" in [part.text for part in parts]
