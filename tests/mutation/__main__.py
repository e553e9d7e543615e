"""Break a part of the generator in every small way; a test has to notice each.

    python .ci/dev mutants plan lock [--sample 300]
    python .ci/dev mutants services [--sample 400]

A fault is put into the living function of a forked process, so a mutant costs
no start; the tests that reach its lines run, the fastest first, until one fails.
"""

import argparse
import random
import sys
from pathlib import Path

import pytest
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.services.measure import main as services
from tests.mutation.trial import Trial, Verdict

ROOT = Path(__file__).resolve().parents[2]
UNIT = "tests/unit/test_"
TESTS = {
    "lock": [f"{UNIT}lock.py", f"{UNIT}plan_making.py"],
    "plan": [f"{UNIT}plan_*.py", f"{UNIT}merge_rename.py"],
    "write": [f"{UNIT}write_*.py", "tests/crash/test_two_runs.py"],
    "merge": [f"{UNIT}merge_*.py"],
}
BAR = 0.95
SEED = 3


def main() -> int:
    """Try the mutants of the parts named, and tell which were not noticed."""
    if sys.argv[1:2] == ["services"]:
        return services(sys.argv[2:])
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("parts", nargs="+", choices=TESTS, metavar="PART")
    parser.add_argument("--sample", type=int, help="try so many, at random")
    parser.add_argument("--jobs", type=int, default=2, help="at once")
    parser.add_argument("--tests", nargs="+", help="in place of the part's own")
    parser.add_argument("--only", default="", help="only with this in their line")
    options = parser.parse_args()
    codes = [
        _tried(
            part,
            [each for each in _some(part, options.sample) if options.only in str(each)],
            options.tests or TESTS[part],
            options.jobs,
        )
        for part in options.parts
    ]
    return max(codes)


def _some(part: str, count: int | None) -> list[Mutant]:
    package = ROOT / "generator" / "interceptgen"
    files = sorted(package.glob(f"{part}.py")) + sorted(package.glob(f"{part}/*.py"))
    found = [mutant for file in files for mutant in mutants(file)]
    if count is None or count >= len(found):
        return found
    return random.Random(SEED).sample(found, count)  # noqa: S311 - the same each time


def _tried(part: str, found: list[Mutant], patterns: list[str], jobs: int) -> int:
    trial = Trial(found, jobs)
    paths = [str(path) for each in patterns for path in sorted(ROOT.glob(each))]
    words = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow"]
    code = pytest.main([f"--rootdir={ROOT}", *words, *paths], plugins=[trial])
    if code != pytest.ExitCode.OK:
        return int(code)
    verdicts = [verdict for _, verdict in trial.verdicts]
    late = verdicts.count(Verdict.LATE)
    killed = len(verdicts) - verdicts.count(Verdict.LIVED)
    share = killed / max(1, len(verdicts))
    told = f"{killed} of {len(verdicts)} mutants noticed, {share:.1%}"
    sys.stdout.write(f"{part}: {told} ({late} by their time)\n")
    return int(share < BAR)


if __name__ == "__main__":
    sys.exit(main())
