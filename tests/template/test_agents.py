"""The seeded agents run, and are typed."""

import asyncio
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from google.adk.agents import BaseAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

pytestmark = pytest.mark.service

Render = Callable[..., Path]
SAID = "  Where is   order 7? "


async def ask(agent_file: Path) -> list[str]:
    """Ask the agent of a file something; give the texts of its events."""
    spec = importlib.util.spec_from_file_location("seeded_agent", agent_file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    root = module.root_agent
    agent, node = (root, None) if isinstance(root, BaseAgent) else (None, root)
    async with InMemoryRunner(app_name="orders", agent=agent, node=node) as runner:
        session = await runner.session_service.create_session(
            app_name="orders", user_id="u"
        )
        message = types.Content(role="user", parts=[types.Part(text=SAID)])
        return [
            part.text
            async for event in runner.run_async(
                user_id="u", session_id=session.id, new_message=message
            )
            for part in (event.content and event.content.parts) or []
            if part.text
        ]


@pytest.mark.parametrize(
    ("agent", "answers"),
    [("echo", [SAID]), ("workflow", ["You said: Where is order 7?"])],
)
def test_an_offline_agent_answers(
    render: Render, agent: str, answers: list[str]
) -> None:
    agent_file = render(agent=agent, package_name="orders") / "src/orders/agent.py"
    assert asyncio.run(ask(agent_file)) == answers


def test_gemini_is_built_without_a_key(
    render: Render, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    code = "from agent import root_agent; print(root_agent.name, root_agent.model)"
    folder = render(agent="gemini", package_name="orders") / "src/orders"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=folder,
        capture_output=True,
        check=True,
        text=True,
    )
    assert run.stdout.split() == ["orders_agent", "gemini-2.5-flash"]


def test_agents_are_strictly_typed(render: Render, tmp_path: Path) -> None:
    for agent in ("echo", "gemini", "workflow"):
        service = render(agent=agent, package_name=agent)
        shutil.copytree(service / "src" / agent, tmp_path / "all" / "src" / agent)
        shutil.copy(service / "pyproject.toml", tmp_path / "all")
    for checker in (["mypy", "src"], ["pyright", "-p", "."]):
        run = subprocess.run(
            [sys.executable, "-m", *checker],
            cwd=tmp_path / "all",
            capture_output=True,
            check=False,
            text=True,
        )
        assert run.returncode == 0, run.stdout + run.stderr
