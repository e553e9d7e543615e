"""An agent that notes each run, and does what its message says."""

import asyncio
import os
from collections.abc import AsyncGenerator
from pathlib import Path

from google.adk.agents import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events import Event
from google.genai import types

_RUNS = Path(os.environ["RUNS"])


class Noting(BaseAgent):
    """Answers; `hold` waits to be let go, and a number is how many tokens it took."""

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        content = ctx.user_content
        text = str(content.parts[0].text) if content and content.parts else ""
        _note(text)
        while text == "hold" and not _is_let_go():  # noqa: ASYNC110 - by another process
            await asyncio.sleep(0.02)
        tokens = int(text) if text.isdigit() else 0
        yield Event(
            author=self.name,
            invocation_id=ctx.invocation_id,
            content=types.Content(role="model", parts=[types.Part(text="done")]),
            usage_metadata=types.GenerateContentResponseUsageMetadata(
                total_token_count=tokens
            ),
        )


def _note(text: str) -> None:
    with _RUNS.open("a", encoding="utf-8") as file:
        file.write(f"{text}\n")


def _is_let_go() -> bool:
    return _RUNS.with_suffix(".done").exists()


root_agent = Noting(name="noting", description="Notes each run.")
