"""Runs a service's generated tests against faults, in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from tests.mutation.services.faults import Fault
from tests.service.making import environment

__all__ = ["Verdict", "tried"]

WORKER = Path(__file__).with_name("worker") / "work.py"


class Verdict(StrEnum):
    """What the tests of a service made of a fault; the words are the worker's."""

    KILLED = "killed"
    LIVED = "lived"
    UNREACHED = "unreached"
    """No test runs the line."""
    SAME = "same"
    """Python makes the same of it as of the sound module, or nothing at all."""


def tried(
    service: Path, found: Sequence[Fault], jobs: int, skipped: Sequence[str] = ()
) -> list[Verdict]:
    """Try faults, a few at once.

    Args:
        service: The service's folder.
        found: The faults of its modules.
        jobs: How many at once.
        skipped: The names of test files that aren't run.
    """
    if not found:
        return []
    verdicts = [Verdict.SAME] * len(found)
    tasks = [
        {
            "number": number,
            "path": str(service / fault.place),
            "lines": [fault.lines.start, fault.lines.stop],
            "text": text,
        }
        for number, fault in enumerate(found)
        if (text := fault.text()) is not None
    ]
    done = subprocess.run(
        [sys.executable, str(WORKER), str(jobs), *skipped],
        cwd=service,
        env=environment(service / "src"),
        input="\n".join(map(json.dumps, tasks)),
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        check=True,
    )
    for number, verdict in map(json.loads, done.stdout.splitlines()):
        verdicts[number] = Verdict(verdict)
    return verdicts
