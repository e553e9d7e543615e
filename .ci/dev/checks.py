"""The gates: each is one or more commands, and all of them are shown."""

import os
from collections.abc import Callable, Sequence

from environment import call, python

__all__ = [
    "bench",
    "cases",
    "cover",
    "everything",
    "fmt",
    "interop",
    "lint",
    "mutants",
    "proofs",
    "types",
    "unit",
    "wheel",
]

# A few at most: the services that tests start need cores too.
WORKERS = (
    f"--numprocesses={min(os.cpu_count() or 1, 4)}",
    # Tests differ a hundredfold in length; a worker that is done takes over.
    "--dist=worksteal",
)
BENCHES = ("boundary", "load", "redact", "service")


def fmt() -> int:
    """Format the code and mend what ruff can mend."""
    return _all(
        lambda: _module("ruff", "format", "."),
        lambda: _module("ruff", "check", "--fix", "."),
    )


def lint() -> int:
    """Check style and formatting."""
    return _all(
        lambda: _module("ruff", "check", "."),
        lambda: _module("ruff", "format", "--check", "."),
    )


def types() -> int:
    """Check types with mypy and pyright, both strict."""
    interpreter = ("--pythonpath", str(python()))
    return _all(
        lambda: _module("mypy"),
        # By name: a configuration in a folder above would win otherwise.
        lambda: _module("pyright", "--project", "pyproject.toml", *interpreter),
    )


def unit(more: Sequence[str] = ()) -> int:
    """Run pytest without the slow proofs; more words go to pytest."""
    return _module("pytest", "-m", "not slow", *WORKERS, *more)


def interop() -> int:
    """Let other projects' A2A clients speak to a served project."""
    return _module("pytest", "-m", "interop")


def proofs() -> int:
    """Run the slow proofs too, the ones that `test` leaves out."""
    return _module("pytest", "-m", "slow", *WORKERS)


def cases(more: Sequence[str] = ()) -> int:
    """Rewrite the golden trees; the diff is to be read as code."""
    return _module("pytest", "tests/test_cases.py", "--update-cases", *more)


def cover() -> int:
    """Measure branch coverage of the suite, in one process."""
    return _all(
        lambda: _module("coverage", "run", "-m", "pytest", "-m", "not slow"),
        lambda: _module("coverage", "report"),
    )


def bench(more: Sequence[str] = ()) -> int:
    """Print the ratios that the project promises to keep, or those of one part."""
    part = [f".{word}" for word in more[:1] if word in BENCHES]
    # What a service has copies of is imported from the templates.
    variables = {"PYTHONPATH": os.pathsep.join([".", "generator", "templates"])}
    module, rest = f"tests.bench{''.join(part)}", more[len(part) :]
    return call(python(), "-m", module, *rest, variables=variables)


def mutants(more: Sequence[str] = ()) -> int:
    """Break merge, plan, write or lock in every small way; a test has to notice."""
    return _module("tests.mutation", *more)


def wheel() -> int:
    """Build the wheel into dist/."""
    return _module("hatchling", "build", "-t", "wheel")


def everything() -> int:
    """Run all gates, the ones after a failed one too, and sum them up."""
    gates = {"lint": lint, "types": types, "tests": unit}
    codes = {name: gate() for name, gate in gates.items()}
    failed = [name for name, code in codes.items() if code != 0]
    print(f"failed: {', '.join(failed)}" if failed else "all gates are green")
    return 1 if failed else 0


def _module(name: str, *words: str) -> int:
    return call(python(), "-m", name, *words)


def _all(*steps: Callable[[], int]) -> int:
    # A command ended by a signal has a negative code, which is no success.
    return max([abs(step()) for step in steps])
