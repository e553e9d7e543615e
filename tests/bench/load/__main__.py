"""Prints what six recipes cost under load: `python .ci/dev bench load`.

A generated service and a hand-written one, each in a process of its own, are asked
over HTTP by this one: short rounds in turn, so that a busy machine slows both.
What the servers use of the processor is compared as well: by the machine's noise
a request waits longer, but works no more. It is read from /proc, so on Linux only.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import time

from tests.bench.load.asking import Connection, request
from tests.bench.load.serving import Server, make_service, serving
from tests.bench.service import METHODS
from tests.runtime.issuing import token

__all__ = ["main"]

# Requests of one side before the other one has its turn.
ROUND = 40
WARM_UP = 3
VALID_SECONDS = 3600


@dataclass(slots=True)
class Side:
    """One of the two services, and what was measured of it.

    Attributes:
        server: Its process.
        seconds: How long each request took.
        processor: What its process had used when the first counted round began.
    """

    server: Server
    seconds: list[float] = field(default_factory=list[float])
    processor: float = 0.0


def main() -> None:
    """Measure both implementations, at once and streamed, alone and eight at once."""
    parser = argparse.ArgumentParser(prog="python .ci/dev bench load")
    parser.add_argument(
        "--requests", type=int, default=1000, help="so many of each kind and side"
    )
    parser.add_argument("--implementation", choices=["new", "legacy"])
    options = parser.parse_args()
    pins = [options.implementation] if options.implementation else ["new", "legacy"]
    for pin in pins:
        with tempfile.TemporaryDirectory() as folder:
            made = make_service(Path(folder), pin)
            with serving(made, pin) as servers:
                asyncio.run(_measure(servers, pin, options.requests))


async def _measure(servers: Sequence[Server], pin: str, count: int) -> None:
    for name, method in METHODS.items():
        for at_once in (1, 8):
            asked = request(method, token(exp=int(time()) + VALID_SECONDS))
            sides = [Side(server) for server in servers]
            rounds = max(1, count // ROUND)
            for number in range(-WARM_UP, rounds):
                if number == 0:
                    for side in sides:
                        side.seconds.clear()
                        side.processor = side.server.processor_seconds()
                # Each as often first as second.
                for side in sides if number % 2 else reversed(sides):
                    await _round(side, asked, at_once)
            _report(sides, f"{name}, {at_once} at once, {pin}, {rounds * ROUND} each")


async def _round(side: Side, asked: bytes, at_once: int) -> None:
    # Anew for each round: a server hangs up who is silent while the other is asked.
    connections = [await Connection.to(side.server.port) for _ in range(at_once)]
    left = iter(range(ROUND))

    async def ask(connection: Connection) -> None:
        side.seconds.extend([await connection.ask(asked) for _ in left])

    async with asyncio.TaskGroup() as group:
        for connection in connections:
            group.create_task(ask(connection))
    for connection in connections:
        connection.close()


def _report(sides: Sequence[Side], what: str) -> None:
    ours, bare = (quantiles(side.seconds, n=100) for side in sides)
    for figure, limit, percent in (("median", 1.5, 50), ("p99", 2.0, 99)):
        ratio = ours[percent - 1] / bare[percent - 1]
        verdict = "over" if ratio > limit else "ok"
        print(
            f"{ratio:6.2f}  (at most {limit:5.2f}, {verdict:4})  {figure}, "
            f"six recipes, {what}  /  hand-written with none",
            flush=True,
        )
    used = [side.server.processor_seconds() - side.processor for side in sides]
    ratio = used[0] / used[1]
    print(f"{ratio:6.2f}  {'':24}the server's processor time, the same", flush=True)


if __name__ == "__main__":
    main()
