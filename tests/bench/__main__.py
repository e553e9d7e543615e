"""Prints what the project costs, as ratios: `python .ci/dev bench`.

First the command line, then the service, then the service under load;
`python .ci/dev bench service` and `python .ci/dev bench load` print these only.

A ratio's two sides run in turn, round by round, so that a busy machine
slows both; medians are compared. Times of one machine mean nothing elsewhere
and aren't shown.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.bench.projects import edit, project

__all__ = ["Bar", "main", "medians"]

ROOT = Path(__file__).parents[2]
Words = Sequence[str | Path]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One promise: a command costs at most so many times another one."""

    command: str
    reference: str
    limit: float


BARS = (
    # Hashes alone; 0.2 ms for each of its files come on top, and are given away.
    Bar(command="check, 20 unchanged", reference="import click", limit=2.0),
    Bar(command="generate, 20 unchanged", reference="import click", limit=2.0),
    Bar(command="--help", reference="import pydantic", limit=1.5),
    Bar(command="generate, 20", reference="import libcst, pydantic", limit=3.0),
    # Without the spec: the one hook is looked at, and the lock is written.
    Bar(
        command="generate, 1 hook of 200 edited",
        reference="import libcst, pydantic",
        limit=1.5,
    ),
)
GROWTH = (Bar(command="generate, 1000", reference="generate, 20", limit=35.0),)


def main() -> None:
    """Measure all bars and print one line for each."""
    parser = argparse.ArgumentParser(prog="python .ci/dev bench")
    parser.add_argument("--rounds", type=int, default=15, help="runs of each command")
    rounds: int = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        unchanged = project(scratch, 20)
        run(tool("generate", unchanged))
        large = project(scratch, 200)
        run(tool("generate", large))

        def edited() -> Words:
            edit(large)
            return tool("generate", large)

        quick: dict[str, Callable[[], Words]] = {
            "import click": lambda: python("import click"),
            "import pydantic": lambda: python("import pydantic"),
            "import libcst, pydantic": lambda: python("import libcst, pydantic"),
            "--help": lambda: tool("--help"),
            "check, 20 unchanged": lambda: tool("check", unchanged),
            "generate, 20 unchanged": lambda: tool("generate", unchanged),
            "generate, 20": lambda: tool("generate", project(scratch, 20)),
            "generate, 1 hook of 200 edited": edited,
        }
        report(BARS, medians(quick, rounds))
        growing: dict[str, Callable[[], Words]] = {
            "generate, 20": lambda: tool("generate", project(scratch, 20)),
            "generate, 1000": lambda: tool("generate", project(scratch, 1000)),
        }
        report(GROWTH, medians(growing, max(3, rounds // 5)))
    for implementation in ("new", "legacy"):
        # In a process of its own, for each is a package of the same name.
        words = python_module("tests.bench.service", "--implementation", implementation)
        subprocess.run(words, check=True)
    subprocess.run(python_module("tests.bench.load"), check=True)


def report(bars: Sequence[Bar], found: Mapping[str, float]) -> None:
    """Print one line a bar: the ratio, what it may be, what it is of."""
    for bar in bars:
        ratio = found[bar.command] / found[bar.reference]
        verdict = "over" if ratio > bar.limit else "ok"
        print(
            f"{ratio:6.2f}  (at most {bar.limit:5.2f}, {verdict:4})  "
            f"{bar.command}  /  {bar.reference}",
            flush=True,
        )


def medians(
    commands: Mapping[str, Callable[[], Words]], rounds: int
) -> dict[str, float]:
    """Time the commands in turn, after one round that isn't counted.

    Args:
        commands: By name, what makes the command of one run; that part isn't timed.
        rounds: How many runs of each count.

    Returns:
        The median seconds of each command.
    """
    times: dict[str, list[float]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, prepare in commands.items():
            words = prepare()
            start = time.perf_counter()
            run(words)
            if number > 0:
                times[name].append(time.perf_counter() - start)
    return {name: median(values) for name, values in times.items()}


def python(code: str) -> Words:
    """Give the command that runs a line of Python."""
    return [sys.executable, "-c", code]


def tool(*words: str | Path) -> Words:
    """Give the command that runs interceptgen."""
    return python_module("interceptgen", *words)


def python_module(name: str, *words: str | Path) -> Words:
    """Give the command that runs a module."""
    return [sys.executable, "-m", name, *words]


def run(words: Words) -> None:
    """Run a command that must succeed, with byte code kept between runs."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "generator")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    subprocess.run(words, env=env, check=True, capture_output=True)


if __name__ == "__main__":
    main()
