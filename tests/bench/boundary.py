"""Prints what the boundary and its recipes cost: `python .ci/dev bench boundary`.

Beside a plain executor behind the same SDK parts stands the boundary, alone and
with all recipes of the seams. All run the same agent in this process and answer
in turn; the medians of their processor time are compared, as nothing here waits.
"""

import argparse
import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from statistics import median
from time import process_time
from typing import TypeAlias

import httpx
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore
from google.adk.a2a.executor.a2a_agent_executor import A2aAgentExecutor
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.runners import InMemoryRunner
from starlette.applications import Starlette
from tests.bench.service import METHODS
from tests.runtime.issuing import AUDIENCE, ISSUER, public_pem, token
from tests.runtime.serving import Script, Scripted, Setup

from runtime.boundary.safe_errors import SafeErrors
from runtime.recipes.authentication.bearer_jwt import BearerJwt
from runtime.recipes.inbound.input_guard import InputGuard
from runtime.recipes.inbound.paused_task_guard import PausedTaskGuard
from runtime.recipes.inbound.request_state import RequestState
from runtime.recipes.outbound.outbound_allowlist import OutboundAllowlist
from runtime.serving.card import build_card
from testing.scripted import adk_event

__all__ = ["main"]

WARM_UP = 20
LIMITS = {"boundary alone": 1.03, "all recipes": 1.15}
Ask: TypeAlias = Callable[[], Awaitable[None]]


def main() -> None:
    """Measure both implementations and print one line for each kind of request."""
    parser = argparse.ArgumentParser(prog="python .ci/dev bench boundary")
    parser.add_argument("--rounds", type=int, default=300, help="requests of each kind")
    options = parser.parse_args()
    for pin in ("new", "legacy"):
        for events in (1, 50):
            rounds = options.rounds if events == 1 else options.rounds // 4
            asyncio.run(_measure(pin, events, rounds))


async def _measure(pin: str, events: int, rounds: int) -> None:
    script = _says(events)
    async with AsyncExitStack() as stack:
        served = {
            "bare": await _serve(stack, await _bare(script, pin)),
            "boundary alone": await _serve(
                stack, Setup(script=script, pin=pin).application()
            ),
            "all recipes": await _serve(
                stack, Setup(script=script, pin=pin, hooks=_recipes()).application()
            ),
        }
        for name, method in METHODS.items():
            asks = {what: _ask(http, method) for what, http in served.items()}
            times = await _times(asks, rounds)
            for what, limit in LIMITS.items():
                ratio = times[what] / times["bare"]
                verdict = "over" if ratio > limit else "ok"
                print(
                    f"{ratio:6.3f}  (at most {limit:5.2f}, {verdict:4})  {what}, "
                    f"{name}, {events} events, {pin}  /  bare executor",
                    flush=True,
                )


def _says(events: int) -> Script:
    async def script(_: InvocationContext) -> AsyncGenerator[Event, None]:
        for number in range(events):
            yield adk_event(str(number))

    return script


def _recipes() -> dict[str, object]:
    return {
        "identity": BearerJwt(
            issuers=(ISSUER,), audiences=(AUDIENCE,), key=public_pem()
        ),
        "errors": SafeErrors(),
        "tenant": RequestState(key="tenant", header="X-Tenant"),
        "paused": PausedTaskGuard(),
        "input": InputGuard(deny=("(?i)ignore all",)),
        "outbound": OutboundAllowlist(),
    }


async def _bare(script: Script, pin: str) -> Starlette:
    agent: BaseAgent = Scripted(name="scripted", description="Talks.", script=script)
    runner = InMemoryRunner(agent=agent, app_name="scripted")
    card = await build_card(agent, description="Talks.", url="http://service/")
    executor = A2aAgentExecutor(
        runner=runner,
        config=A2aAgentExecutorConfig(),
        use_legacy=pin == "legacy",
        force_new_version=pin == "new",
    )
    handler = DefaultRequestHandler(executor, InMemoryTaskStore(), card)
    return Starlette(
        routes=[
            *create_agent_card_routes(card),
            *create_jsonrpc_routes(handler, "/", enable_v0_3_compat=True),
        ]
    )


async def _serve(stack: AsyncExitStack, app: Starlette) -> httpx.AsyncClient:
    await stack.enter_async_context(app.router.lifespan_context(app))
    transport = httpx.ASGITransport(app)
    client = httpx.AsyncClient(transport=transport, base_url="http://service")
    return await stack.enter_async_context(client)


def _ask(http: httpx.AsyncClient, method: str) -> Ask:
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": method,
        "params": {
            "message": {
                "messageId": "message",
                "role": "ROLE_USER",
                "parts": [{"text": "hello"}],
            }
        },
    }
    headers = {
        "A2A-Version": "1.0",
        "X-Tenant": "acme",
        "Authorization": f"Bearer {token()}",
    }

    async def ask() -> None:
        answer = await http.post("/", json=body, headers=headers)
        if "TASK_STATE_COMPLETED" not in answer.text:
            raise RuntimeError(answer.text)

    return ask


async def _times(asks: Mapping[str, Ask], rounds: int) -> dict[str, float]:
    """Let all answer in turn, in an order that changes each time."""
    times: dict[str, list[float]] = {what: [] for what in asks}
    names = list(asks)
    for number in range(rounds + WARM_UP):
        first = number % len(names)
        for what in names[first:] + names[:first]:
            start = process_time()
            await asks[what]()
            if number >= WARM_UP:
                times[what].append(process_time() - start)
    return {what: median(values) for what, values in times.items()}


if __name__ == "__main__":
    main()
