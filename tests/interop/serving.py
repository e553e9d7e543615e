"""Makes a service and serves it as its user would."""

import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from interceptgen.pipeline import generate

__all__ = ["make_service", "served"]

SPEC = """\
version: 1
service:
  package: talk
  description: Says what it was told.
agent: talk.agent:root_agent
implementation: {implementation}
interceptors:
  - name: door
    description: Keeps some out and stamps what leaves.
    hooks: [before_agent, after_agent]
"""
AGENT = Path(__file__).parent / "agent.py"
# What a person writes in the hooks that they were given.
EDITS = {
    "\nfrom talk": "\nfrom a2a.utils.errors import InvalidRequestError\nfrom talk",
    "        return context\n": """\
        if context.get_user_input() == "refuse":
            raise InvalidRequestError("not through this door")
        return context
""",
    "        return final_event\n": """\
        final_event.metadata["door"] = "passed"
        return final_event
""",
}
UGLY = re.compile(r"traceback|warning|experimental|error|exception", re.IGNORECASE)
# The SDK's own record of a refusal, on the wires of A2A 1.0 and 0.3.
REFUSAL = re.compile(r"^\w+ a2a\.\S+: .*not through this door.*$\n", re.MULTILINE)
START_SECONDS = 60


def make_service(folder: Path, implementation: str) -> Path:
    """Generate a service in a folder and fill in its agent and its hooks.

    Args:
        folder: Where; it is empty.
        implementation: Which of ADK's two implementations it is pinned to.
    """
    package = folder / "src" / "talk"
    package.mkdir(parents=True)
    text = SPEC.format(implementation=implementation)
    (folder / "interceptors.yaml").write_text(text, encoding="utf-8")
    (package / "__init__.py").write_text("", encoding="utf-8")
    shutil.copy(AGENT, package / "agent.py")
    generate(folder)
    _edit(package / "hooks" / "door.py")
    return folder


@contextmanager
def served(folder: Path) -> Generator[str]:
    """Serve on loopback and give the URL; stop it as Ctrl-C does.

    Raises:
        AssertionError: If it doesn't start, doesn't stop, or said anything
            on the terminal that a user would take for trouble.
    """
    port = _free_port()
    url = f"http://127.0.0.1:{port}"
    said = folder / "terminal.txt"
    with said.open("wb") as terminal:
        server = subprocess.Popen(
            [sys.executable, "-m", "talk", "--port", str(port)],
            cwd=folder / "src",
            stdout=terminal,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_ready(url, server, said)
            yield url
            code = _interrupt(server)
        finally:
            server.kill()
            server.wait()
    text = said.read_text(encoding="utf-8")
    assert not UGLY.search(REFUSAL.sub("", text)), text
    assert code == 0, text


def _edit(hooks: Path) -> None:
    text = hooks.read_text(encoding="utf-8")
    for given, written in EDITS.items():
        assert text.count(given) == 1, given
        text = text.replace(given, written)
    hooks.write_text(text, encoding="utf-8")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


def _wait_until_ready(url: str, server: subprocess.Popen[bytes], said: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while not _is_ready(url):
        text = said.read_text(encoding="utf-8")
        assert server.poll() is None, f"the service ended:\n{text}"
        assert time.monotonic() < until, f"the service doesn't get ready:\n{text}"
        time.sleep(0.1)


def _is_ready(url: str) -> bool:
    try:
        with urlopen(f"{url}/readyz", timeout=5) as answer:  # noqa: S310 - loopback
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def _interrupt(server: subprocess.Popen[bytes]) -> int:
    server.send_signal(signal.SIGINT)
    try:
        return server.wait(timeout=15)
    except subprocess.TimeoutExpired:
        return -1
