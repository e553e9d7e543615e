"""Calls a service with a2a-sdk 0.3 and prints what it saw, as JSON."""

import asyncio
import json
import sys
from importlib import import_module
from typing import Any
from uuid import uuid4

import httpx

# The environment that checks types has the other SDK, so these are untyped.
sdk: Any = import_module("a2a.client")
types: Any = import_module("a2a.types")


async def main(url: str, text: str) -> None:
    """Go through all that a client does."""
    async with httpx.AsyncClient(timeout=30) as http:
        card = await sdk.A2ACardResolver(http, url).get_agent_card()
        plain, streaming = (
            sdk.ClientFactory(
                sdk.ClientConfig(streaming=answer, httpx_client=http)
            ).create(card)
            for answer in (False, True)
        )
        unary = [answer async for answer in plain.send_message(message(text))]
        task = unary[-1][0]
        query = types.TaskQueryParams(id=task.id)
        seen = {
            "card": card.name,
            "unary": told(task),
            "stream": [
                state
                async for answer in streaming.send_message(message(text))
                for state in happened(*answer)
            ],
            "task": told(await plain.get_task(query)),
            "cancel": await canceled(streaming),
            "refusals": [await refused(plain), await refused(streaming)],
        }
    print(json.dumps(seen))  # noqa: T201 - the result


def message(text: str) -> Any:  # noqa: ANN401
    """Make a message of a text."""
    parts = [types.Part(root=types.TextPart(text=text))]
    return types.Message(message_id=str(uuid4()), role=types.Role.user, parts=parts)


def told(task: Any) -> list[str]:  # noqa: ANN401
    """Give a task's state, texts and stamp."""
    artifacts: list[Any] = task.artifacts or []
    metadata: dict[str, Any] = task.metadata or {}
    texts = [part.root.text for artifact in artifacts for part in artifact.parts]
    return [task.status.state.value, *texts, metadata.get("door", "")]


def happened(task: Any, update: Any) -> list[str]:  # noqa: ANN401
    """Give a streamed answer's state or texts."""
    if isinstance(update, types.TaskArtifactUpdateEvent):
        return [part.root.text for part in update.artifact.parts]
    return [(update or task).status.state.value]


async def canceled(client: Any) -> list[str]:  # noqa: ANN401
    """Cancel a task once it works; give the answer and the stream's end."""
    last, answered = "", ""
    async for task, update in client.send_message(message("wait")):
        last = happened(task, update)[-1]
        if last == "working" and not answered:
            after = await client.cancel_task(types.TaskIdParams(id=task.id))
            answered = after.status.state.value
    return [answered, last]


async def refused(client: Any) -> str:  # noqa: ANN401
    """Send what a hook refuses and give the error's text."""
    try:
        async for _ in client.send_message(message("refuse")):
            pass
    except Exception as error:  # noqa: BLE001 - its type is what we look at
        return f"{type(error).__name__}: {error}"
    return "not refused"


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
