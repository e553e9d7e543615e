"""The two services that are asked, each in a process of its own."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.runtime.issuing import public_pem

from interceptgen.pipeline import generate

__all__ = ["Server", "make_service", "serving"]

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
READY_SECONDS = 60.0
_CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Server:
    """A process that serves.

    Attributes:
        port: Where, on loopback.
        process: The process.
    """

    port: int
    process: subprocess.Popen[bytes]

    def processor_seconds(self) -> float:
        """Give what its threads have used of the processor, as /proc tells it."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        # The name of the program, in brackets, may hold blanks.
        fields = stat.rpartition(")")[2].split()
        user, system = int(fields[11]), int(fields[12])
        return (user + system) / _CLOCK_TICKS


def make_service(folder: Path, pin: str) -> Path:
    """Generate the service with the six recipes."""
    spec = (HERE / "interceptors.yaml").read_text(encoding="utf-8")
    spec = spec.replace("implementation: new", f"implementation: {pin}")
    (folder / "interceptors.yaml").write_text(spec, encoding="utf-8")
    package = folder / "src" / "bench"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copy(HERE / "agent.py", package)
    generate(folder)
    return folder


@contextmanager
def serving(made: Path, pin: str) -> Generator[tuple[Server, Server], None, None]:
    """Serve the generated service, and the hand-written one beside it.

    Args:
        made: Where the generated service is.
        pin: ADK's implementation.
    """
    ours, bare = _free_port(), _free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (made / "src", ROOT))),
        "ADK_SUPPRESS_EXPERIMENTAL_FEATURE_WARNINGS": "1",
        "BENCH_KEY": public_pem(),
        "BENCH_AUDIT": str(made / "audit.db"),
    }
    commands = {
        ours: ["bench", "--port", str(ours)],
        bare: ["tests.bench.load.bare", str(bare), pin],
    }
    with ExitStack() as stack:
        servers = {
            port: stack.enter_context(_served(port, words, environment))
            for port, words in commands.items()
        }
        for server in servers.values():
            _wait_until_ready(server)
        yield servers[ours], servers[bare]


@contextmanager
def _served(
    port: int, words: Sequence[str], environment: Mapping[str, str]
) -> Generator[Server, None, None]:
    process = subprocess.Popen(
        [sys.executable, "-m", *words],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Server(port, process)
    finally:
        process.terminate()
        process.wait()


def _wait_until_ready(server: Server) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            break
        try:
            socket.create_connection(("127.0.0.1", server.port)).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"it doesn't serve: {server.process.args!r}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
