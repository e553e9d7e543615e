"""The one task runner: `python .ci/dev COMMAND`; CI and the README call it too.

Every command sets the environment up first, which costs nothing where it is.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import checks
from demo import demo
from environment import ROOT, SetupError, lock, setup

PLAIN: dict[str, Callable[[], int]] = {
    "test": checks.everything,
    "fmt": checks.fmt,
    "lint": checks.lint,
    "types": checks.types,
    "interop": checks.interop,
    "proofs": checks.proofs,
    "cover": checks.cover,
    "wheel": checks.wheel,
}
PASSING_ON: dict[str, Callable[[Sequence[str]], int]] = {
    "unit": checks.unit,
    "cases": checks.cases,
    "bench": checks.bench,
    "mutants": checks.mutants,
}


def main() -> int:
    """Run the command named on the command line and give its exit code."""
    # Words after the command may be pytest's, so they aren't refused here.
    options, rest = _parser().parse_known_args()
    if rest and options.command not in PASSING_ON:
        _parser().error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        setup()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    return _run(options, rest)


def _run(options: argparse.Namespace, rest: Sequence[str]) -> int:
    name: str = options.command
    if name in PLAIN:
        return PLAIN[name]()
    if name in PASSING_ON:
        return PASSING_ON[name](rest)
    if name == "demo":
        return demo(options.folder, options.port)
    if name == "lock":
        return lock(upgrade=options.upgrade)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python .ci/dev", description="The tasks of this repository."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("setup", help="Make or refresh the environment in .venv.")
    tasks: Mapping[str, Callable[..., int]] = {**PLAIN, **PASSING_ON}
    for name, task in tasks.items():
        commands.add_parser(name, help=_first_line(task))
    locked = commands.add_parser("lock", help=_first_line(lock))
    locked.add_argument(
        "--upgrade", action="store_true", help="take the newest versions"
    )
    served = commands.add_parser("demo", help=_first_line(demo))
    served.add_argument("folder", nargs="?", type=Path, default=ROOT / "demo")
    served.add_argument("--port", type=int, default=8001)
    return parser


def _first_line(task: Callable[..., int]) -> str:
    return (task.__doc__ or "").partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
