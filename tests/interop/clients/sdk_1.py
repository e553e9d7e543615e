"""Calls a service with a2a-sdk 1.x and prints what it saw, as JSON."""

import asyncio
import json
import sys
from collections.abc import Iterable
from uuid import uuid4

from a2a.client import Client, ClientConfig, create_client
from a2a.types import (
    Artifact,
    CancelTaskRequest,
    GetExtendedAgentCardRequest,
    GetTaskRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    StreamResponse,
    Task,
    TaskState,
)
from a2a.utils.errors import A2AError


async def main(url: str, text: str) -> None:
    """Go through all that a client does."""
    config = ClientConfig(streaming=False)
    async with (
        await create_client(url) as streaming,
        await create_client(url, config) as plain,
    ):
        [answer] = [answer async for answer in plain.send_message(request(text))]
        task = answer.task
        card = await plain.get_extended_agent_card(GetExtendedAgentCardRequest())
        seen = {
            "card": card.name,
            "unary": told(task),
            "stream": [
                state
                async for answer in streaming.send_message(request(text))
                for state in happened(answer)
            ],
            "task": told(await plain.get_task(GetTaskRequest(id=task.id))),
            "cancel": await canceled(streaming),
            "refusals": [await refused(plain), await refused(streaming)],
        }
    print(json.dumps(seen))  # noqa: T201 - the result


def request(text: str) -> SendMessageRequest:
    """Make a message of a text."""
    parts = [Part(text=text)]
    message = Message(message_id=str(uuid4()), role=Role.ROLE_USER, parts=parts)
    return SendMessageRequest(message=message)


def told(task: Task) -> list[str]:
    """Give a task's state, texts and stamp."""
    stamp = str(task.metadata["door"]) if "door" in task.metadata else ""
    return [name(task.status.state), *texts(task.artifacts), stamp]


def happened(answer: StreamResponse) -> list[str]:
    """Give a streamed answer's state or texts."""
    match answer.WhichOneof("payload"):
        case "task":
            return [name(answer.task.status.state)]
        case "status_update":
            return [name(answer.status_update.status.state)]
        case "artifact_update":
            return texts([answer.artifact_update.artifact])
        case other:
            return [str(other)]


async def canceled(client: Client) -> list[str]:
    """Cancel a task once it works; give the answer and the stream's end."""
    last, answered = "", ""
    async for answer in client.send_message(request("wait")):
        last = happened(answer)[-1]
        update = answer.status_update
        if update.status.state == TaskState.TASK_STATE_WORKING and not answered:
            task = await client.cancel_task(CancelTaskRequest(id=update.task_id))
            answered = name(task.status.state)
    return [answered, last]


async def refused(client: Client) -> str:
    """Send what a hook refuses and give the error's text."""
    try:
        async for _ in client.send_message(request("refuse")):
            pass
    except A2AError as error:
        return f"{type(error).__name__}: {error}"
    return "not refused"


def texts(artifacts: Iterable[Artifact]) -> list[str]:
    """Give the texts of artifacts."""
    return [part.text for artifact in artifacts for part in artifact.parts]


def name(state: TaskState) -> str:
    """Give a state in A2A 0.3's spelling."""
    return TaskState.Name(state).removeprefix("TASK_STATE_").lower()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
