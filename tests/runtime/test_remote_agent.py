"""ADK's own client, for which a paused task must stay what it is."""

import pytest
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai import types
from tests.runtime.messages import PINS, asks_twice
from tests.runtime.serving import Setup, served

from runtime.recipes.inbound.paused_task_guard import PausedTaskGuard
from runtime.recipes.outbound.outbound_allowlist import OutboundAllowlist

pytestmark = [pytest.mark.service, pytest.mark.anyio]


@pytest.mark.parametrize("pin", PINS)
@pytest.mark.parametrize("client", ["legacy", "new"])
async def test_a_remote_agent_answers_a_paused_task(pin: str, client: str) -> None:
    hooks: dict[str, object] = {
        "guard": PausedTaskGuard(expires_after_s=60),
        "allow": OutboundAllowlist(),
    }
    async with served(Setup(script=asks_twice, hooks=hooks, pin=pin)) as caller:
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
        asked: list[str] = []
        texts: list[str] = []

        async def say(part: types.Part) -> None:
            message = types.Content(role="user", parts=[part])
            async for event in runner.run_async(
                user_id="u", session_id=session.id, new_message=message
            ):
                asked.extend(event.long_running_tool_ids or ())
                parts = event.content.parts if event.content else None
                texts.extend(part.text for part in parts or () if part.text)

        def answer() -> types.Part:
            response = types.FunctionResponse(
                id=asked[-1], name="approve", response={"ok": True}
            )
            return types.Part(function_response=response)

        await say(types.Part(text="hello"))
        await say(answer())
        await say(answer())

    assert list(dict.fromkeys(asked)) == ["call-1", "call-2"]
    assert texts[-1] == "done"
