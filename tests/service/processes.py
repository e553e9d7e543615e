"""Serves a made service in two processes, as behind one address."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import httpx
from tests.service.making import environment

from testing.harness import Caller

__all__ = ["Served", "served", "two_served"]

HOST = "127.0.0.1"
START_SECONDS = 300
STOP_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Served:
    """One process.

    Attributes:
        caller: Calls it.
        process: The process.
        terminal: The file that holds what it says.
    """

    caller: Caller
    process: subprocess.Popen[bytes]
    terminal: Path

    @property
    def said(self) -> str:
        """What it said up to now."""
        return self.terminal.read_text(encoding="utf-8")


@asynccontextmanager
async def served(
    service: Path, variables: Mapping[str, str], number: int = 0
) -> AsyncGenerator[Served]:
    """Serve with uvicorn as long as the block lasts.

    Args:
        service: The made service; its package is called `orders`.
        variables: What stands in the environment for it.
        number: Tells its file of the terminal from others'.
    """
    port = _free_port()
    terminal = service / f"terminal_{number}.txt"
    process = _started(service, variables, port, terminal)
    base = f"http://{HOST}:{port}"
    try:
        async with httpx.AsyncClient(base_url=base, timeout=60) as http:
            found = Served(Caller(http, ""), process, terminal)
            await _ready(found)
            yield found
        process.terminate()
        await asyncio.to_thread(process.wait, STOP_SECONDS)
    finally:
        process.kill()
        process.wait()


@asynccontextmanager
async def two_served(
    service: Path, variables: Mapping[str, str]
) -> AsyncGenerator[tuple[Served, Served]]:
    """Serve in two processes as long as the block lasts."""
    async with AsyncExitStack() as stack:
        one, two = await asyncio.gather(
            *(
                stack.enter_async_context(served(service, variables, number))
                for number in (1, 2)
            )
        )
        yield one, two


def _started(
    service: Path, variables: Mapping[str, str], port: int, terminal: Path
) -> subprocess.Popen[bytes]:
    words = ("uvicorn", "orders.service.app:app", "--host", HOST, "--port", str(port))
    with terminal.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=service,
            env={**environment(service / "src"), **variables},
            stdout=file,
            stderr=subprocess.STDOUT,
        )


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


async def _ready(found: Served) -> None:
    until = monotonic() + START_SECONDS
    while not await _is_ready(found.caller.http):
        assert found.process.poll() is None, f"it ended:\n{found.said}"
        assert monotonic() < until, f"it doesn't get ready:\n{found.said}"
        await asyncio.sleep(0.1)


async def _is_ready(http: httpx.AsyncClient) -> bool:
    try:
        return (await http.get("/readyz")).is_success
    except httpx.TransportError:
        return False
