"""Calls a service with ADK's RemoteA2aAgent and prints what it saw, as JSON.

Works on both SDKs. The agent itself never asks for a task or cancels one, so
what runs beside it is canceled over plain HTTP.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from typing import Any

os.environ["ADK_SUPPRESS_EXPERIMENTAL_FEATURE_WARNINGS"] = "1"

import httpx
from a2a.client import ClientConfig, ClientFactory
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.events.event import Event
from google.adk.runners import InMemoryRunner
from google.genai.types import Content, Part

CARD = "/.well-known/agent-card.json"


async def main(url: str, text: str) -> None:
    """Let a remote agent answer, both ways, and let one be canceled."""
    async with httpx.AsyncClient(timeout=30) as http:
        plain, streaming = (
            remote(url, http, streaming=answer) for answer in (False, True)
        )
        seen = {
            "unary": await told(plain, text),
            "stream": await told(streaming, text),
            "cancel": await canceled(streaming, url),
            "refusals": [await told(plain, "refuse"), await told(streaming, "refuse")],
        }
    print(json.dumps(seen))  # noqa: T201 - the result


def remote(url: str, http: httpx.AsyncClient, *, streaming: bool) -> RemoteA2aAgent:
    """Make an agent that stands for the service."""
    config = ClientConfig(httpx_client=http, streaming=streaming)
    return RemoteA2aAgent(
        "remote", url + CARD, a2a_client_factory=ClientFactory(config)
    )


async def told(agent: RemoteA2aAgent, text: str) -> list[str]:
    """Give what the agent said, its errors included."""
    return [said async for event in ask(agent, text) if (said := words(event))]


async def canceled(agent: RemoteA2aAgent, url: str) -> str:
    """Cancel the remote task once it says something; give its last state."""
    state, asked = "", False
    async for event in ask(agent, "wait"):
        answer = event.custom_metadata or {}
        state = answer["a2a:response"]["status"]["state"]
        if words(event) and not asked:
            asked = True
            await cancel(url, answer["a2a:task_id"])
    return state.removeprefix("TASK_STATE_").lower()


async def ask(agent: RemoteA2aAgent, text: str) -> AsyncGenerator[Event, None]:
    """Run the agent on a text in a session of its own."""
    runner = InMemoryRunner(agent=agent, app_name="caller")
    session = await runner.session_service.create_session(
        app_name="caller", user_id="someone"
    )
    message = Content(role="user", parts=[Part(text=text)])
    async for event in runner.run_async(
        user_id="someone", session_id=session.id, new_message=message
    ):
        yield event


def words(event: Event) -> str:
    """Give an event's text, or its error."""
    parts = (event.content and event.content.parts) or []
    return event.error_message or "".join(part.text or "" for part in parts)


async def cancel(url: str, task: str) -> None:
    """Cancel a task in A2A 0.3's words, which a service takes from anyone."""
    call: dict[str, Any] = {"method": "tasks/cancel", "params": {"id": task}}
    # A client of its own: the SDK leaves headers on the one it was given.
    async with httpx.AsyncClient(timeout=30) as http:
        answer = await http.post(url, json={"jsonrpc": "2.0", "id": "1", **call})
    if "result" not in answer.json():
        raise RuntimeError(answer.text)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
