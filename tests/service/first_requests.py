"""Sends fifty first requests to a service at once; prints what happened as JSON.

A program of its own: what an import does can be seen only once in a process.
"""

import asyncio
import importlib
import json
import sys
import threading
from contextlib import AsyncExitStack
from typing import Any

EXTENSION = "https://google.github.io/adk-docs/a2a/a2a-extension/"
REQUESTS = 50
SECONDS = 0.2
WATCHED = ("socket.", "subprocess.", "sqlite3.")


def main() -> None:
    """Import the application, call it, and print the report."""
    events: list[str] = []
    sys.addaudithook(
        lambda event, _: events.append(event) if event.startswith(WATCHED) else None
    )
    runner = importlib.import_module("orders.runner")
    built: list[Any] = []
    count_runners(runner, built)
    # What the libraries do when they are imported is theirs; the app comes last.
    importlib.import_module("google.adk.a2a.executor.a2a_agent_executor")
    importlib.import_module("uvicorn")
    before = len(events), threading.active_count()
    app = importlib.import_module("orders.service.app")
    report: dict[str, object] = {
        "at_import": events[before[0] :],
        "threads_at_import": threading.active_count() - before[1],
        "built_at_import": len(built),
    }
    report |= asyncio.run(call(app.app, built))
    sys.stdout.write(json.dumps(report))


def count_runners(module: Any, built: list[Any]) -> None:  # noqa: ANN401 - a service's module, known only when it is made
    """Put an async factory that takes its time into the place of the service's."""
    made = module.build_runner

    async def build_runner() -> object:
        started = made()
        built.append([started, 0])
        place = built[-1]
        close = started.close

        async def counted() -> None:
            place[1] += 1
            await close()

        started.close = counted
        await asyncio.sleep(SECONDS)
        return started

    module.build_runner = build_runner


async def call(app: Any, built: list[Any]) -> dict[str, object]:  # noqa: ANN401 - as above
    """Start the application, send all requests at once, and stop it."""
    httpx = importlib.import_module("httpx")
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(app.router.lifespan_context(app))
        started_with = len(built)
        transport = httpx.ASGITransport(app)
        http = httpx.AsyncClient(transport=transport, base_url="http://service")
        await stack.enter_async_context(http)
        texts = await asyncio.gather(*(send(http, n) for n in range(REQUESTS)))
        closed_early = [closes for _, closes in built]
    return {
        "built_at_start": started_with,
        "built": len(built),
        "completed": sum(is_completed(text) for text in texts),
        "by_new": sum("adk_agent_executor_v2" in text for text in texts),
        "closed_while_running": closed_early,
        "closed": [closes for _, closes in built],
    }


async def send(http: Any, number: int) -> str:  # noqa: ANN401 - httpx is imported late
    """Send a message on one of four wires, with the extension's header or without."""
    new, streaming, extension = number % 2, number // 2 % 2, number // 4 % 2
    message: dict[str, object] = {"messageId": f"m{number}"}
    headers = {"A2A-Version": "1.0"} if new else {}
    if new:
        message |= {"role": "ROLE_USER", "parts": [{"text": "hi"}]}
        method = "SendStreamingMessage" if streaming else "SendMessage"
    else:
        parts = [{"kind": "text", "text": "hi"}]
        message |= {"kind": "message", "role": "user", "parts": parts}
        method = "message/stream" if streaming else "message/send"
    if extension:
        headers["A2A-Extensions" if new else "X-A2A-Extensions"] = EXTENSION
    params = {"message": message}
    body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    response = await http.post("/", json=body, headers=headers)
    text: str = response.text
    return text


def is_completed(text: str) -> bool:
    """Tell whether a reply, streamed or not, says that the task is completed."""
    return '"TASK_STATE_COMPLETED"' in text or '"completed"' in text


if __name__ == "__main__":
    main()
