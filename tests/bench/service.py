"""Prints what a service costs over a hand-written one: `python .ci/dev bench service`.

The service has twenty interceptors that do nothing; beside it stands ADK's own
`to_a2a` with a plain executor and none. Both run the same agent in this
process and answer in turn; the medians are compared.
"""

import argparse
import asyncio
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

os.environ["ADK_SUPPRESS_EXPERIMENTAL_FEATURE_WARNINGS"] = "1"

import httpx
from google.adk.a2a.executor.a2a_agent_executor import A2aAgentExecutor
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents.base_agent import BaseAgent
from google.adk.runners import Runner
from starlette.applications import Starlette
from tests.bench.projects import project

from interceptgen.pipeline import generate

__all__ = ["main"]

LIMIT = 1.10
WARM_UP = 10
METHODS = {"unary": "SendMessage", "stream": "SendStreamingMessage"}
AGENT = '''\
"""Says as many things as it is told to."""

from google.adk.agents.base_agent import BaseAgent
from google.adk.events.event import Event
from google.genai.types import Content, Part


class Counter(BaseAgent):
    async def _run_async_impl(self, ctx):
        for number in range(int(ctx.user_content.parts[0].text)):
            yield Event(
                invocation_id=ctx.invocation_id,
                author=self.name,
                content=Content(role="model", parts=[Part(text=str(number))]),
            )


root_agent = Counter(name="counter", description="Counts.")
'''

Ask: TypeAlias = Callable[[], Awaitable[None]]


def main() -> None:
    """Measure one implementation and print one line for each kind of request."""
    parser = argparse.ArgumentParser(prog="python .ci/dev bench service")
    parser.add_argument("--rounds", type=int, default=200, help="requests of each kind")
    parser.add_argument("--implementation", choices=["new", "legacy"], default="new")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = project(Path(folder), 20, options.implementation)
        package = made / "src" / "bench"
        package.mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "agent.py").write_text(AGENT, encoding="utf-8")
        generate(made)
        sys.path.insert(0, str(made / "src"))
        asyncio.run(_measure(options.rounds, options.implementation))


async def _measure(rounds: int, implementation: str) -> None:
    ours: Starlette = importlib.import_module("bench.service.app").app
    agent: BaseAgent = importlib.import_module("bench.agent").root_agent
    async with AsyncExitStack() as stack:
        served = [
            await _serve(stack, app)
            for app in (ours, _hand_written(agent, implementation))
        ]
        for events in (1, 50):
            for name, method in METHODS.items():
                asks = [_ask(http, method, events) for http in served]
                ratio = await _ratio(asks, rounds if events == 1 else rounds // 4)
                verdict = "over" if ratio > LIMIT else "ok"
                print(
                    f"{ratio:6.2f}  (at most {LIMIT:5.2f}, {verdict:4})  20 no-op "
                    f"interceptors, {name}, {events} events, {implementation}"
                    "  /  hand-written with none",
                    flush=True,
                )


def _hand_written(agent: BaseAgent, implementation: str) -> Starlette:
    pin = {"use_legacy" if implementation == "legacy" else "force_new_version": True}

    def executor(runner: Runner) -> A2aAgentExecutor:
        return A2aAgentExecutor(runner=runner, config=A2aAgentExecutorConfig(), **pin)

    return to_a2a(agent, agent_executor_factory=executor)


async def _serve(stack: AsyncExitStack, app: Starlette) -> httpx.AsyncClient:
    await stack.enter_async_context(app.router.lifespan_context(app))
    transport = httpx.ASGITransport(app)
    client = httpx.AsyncClient(transport=transport, base_url="http://service")
    return await stack.enter_async_context(client)


def _ask(http: httpx.AsyncClient, method: str, events: int) -> Ask:
    message = {
        "messageId": "message",
        "role": "ROLE_USER",
        "parts": [{"text": str(events)}],
    }
    body: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": method,
        "params": {"message": message},
    }

    async def ask() -> None:
        answer = await http.post("/", json=body, headers={"A2A-Version": "1.0"})
        if "TASK_STATE_COMPLETED" not in answer.text:
            raise RuntimeError(answer.text)

    return ask


async def _ratio(asks: list[Ask], rounds: int) -> float:
    """Let both answer in turn, each as often first as second."""
    times: list[list[float]] = [[] for _ in asks]
    for number in range(rounds + WARM_UP):
        order = list(enumerate(asks))
        for index, ask in order if number % 2 else order[::-1]:
            start = time.perf_counter()
            await ask()
            if number >= WARM_UP:
                times[index].append(time.perf_counter() - start)
    ours, theirs = (median(values) for values in times)
    return ours / theirs


if __name__ == "__main__":
    main()
