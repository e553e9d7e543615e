"""Runs a client against a service."""

import json
import os
import subprocess
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

import pytest
from tests.interop.environments import Client, MissingError, command

__all__ = ["Answers", "Ask", "answers"]

Answers: TypeAlias = dict[str, Any]
Ask: TypeAlias = Callable[[Client, str], Answers]

SECONDS = 90


def answers(client: Client, url: str, text: str) -> Answers:
    """Let a client send a text and give what it saw.

    Without the client's environment the test is skipped; in CI, where nothing
    may be skipped, it fails.
    """
    try:
        words = command(client)
    except MissingError as error:
        _give_up(f"{client} can't run: {error}")
    run = subprocess.run(
        [*words, url, text],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=SECONDS,
    )
    assert run.returncode == 0, run.stderr
    seen: Answers = json.loads(run.stdout)
    return seen


def _give_up(text: str) -> NoReturn:
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(text)
    pytest.skip(text)
