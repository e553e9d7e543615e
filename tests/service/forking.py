"""Runs pytest in many services, and pays for the import of google-adk once.

Run as a program it imports what services import, then forks a child for each
line of its input; see `Forge` for the other end.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import NoReturn

__all__ = ["Forge"]

PLUGINS = ("-p", "anyio.pytest_plugin", "-p", "no:cacheprovider", "-q")
SECONDS = 600
HEAVY = (
    "pytest",
    "httpx",
    "uvicorn",
    "pydantic_settings",
    "a2a.server.request_handlers",
    "a2a.server.routes",
    "google.adk.a2a.executor.a2a_agent_executor",
    "google.adk.a2a.utils.agent_to_a2a",
    "google.adk.a2a.utils.agent_card_builder",
    "google.adk.runners",
    "google.adk.workflow",
)


class Forge(AbstractContextManager["Forge"]):
    """A warm process that runs a service's tests in forked children.

    Where there is no fork each run is a new process: slower, the same result.
    """

    def __init__(self, variables: dict[str, str]) -> None:
        """Start the process with these environment variables."""
        self._variables = variables
        self._process = (
            subprocess.Popen(
                [sys.executable, __file__],
                env=variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
            if hasattr(os, "fork")
            else None
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the process."""
        if self._process is not None:
            self._process.communicate()

    def pytest(self, service: Path, *arguments: str) -> tuple[int, str]:
        """Run pytest in a service; give its exit code and what it printed."""
        words = [*PLUGINS, *arguments]
        if self._process is None:
            return self._cold(service, words)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(service), words]) + "\n")
        self._process.stdin.flush()
        code, output = json.loads(self._process.stdout.readline())
        return code, output

    def _cold(self, service: Path, words: Sequence[str]) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words],
            cwd=service,
            env={**self._variables, "PYTHONPATH": str(service / "src")},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=SECONDS,
        )
        return done.returncode, done.stdout + done.stderr


def serve() -> None:
    """Answer each line, a folder and pytest's words, with exit code and output."""
    for line in sys.stdin:
        folder, words = json.loads(line)
        report = Path(folder, "report.txt")
        child = os.fork()
        if child == 0:
            run_child(folder, words, report)
        _, status = os.waitpid(child, 0)
        text = report.read_text(encoding="utf-8", errors="replace")
        answer = [os.waitstatus_to_exitcode(status), text]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def run_child(folder: str, words: list[str], report: Path) -> NoReturn:
    """Be the child: run pytest and end the process."""
    code = 70
    try:
        # Ended by the signal, a run that hangs has a negative code.
        signal.alarm(SECONDS)
        with report.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        os.chdir(folder)
        sys.path[:0] = [str(Path(folder, "src"))]
        code = int(importlib.import_module("pytest").main(words))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    # The folder of this file holds nothing that a service should see.
    del sys.path[0]
    for name in HEAVY:
        importlib.import_module(name)
    serve()
