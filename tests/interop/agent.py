"""An agent without a model: repeats what it is told, or waits to be canceled."""

import asyncio
from collections.abc import AsyncGenerator

from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai.types import Content, Part


class Talker(BaseAgent):
    """Repeats a message; the message `wait` takes longer than any test."""

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        given = ctx.user_content or Content(parts=[])
        text = "".join(part.text or "" for part in given.parts or [])
        yield Event(
            invocation_id=ctx.invocation_id,
            author=self.name,
            content=Content(role="model", parts=[Part(text=f"heard: {text}")]),
        )
        if text == "wait":
            await asyncio.sleep(600)


root_agent = Talker(name="talker", description="Repeats what it is told.")
