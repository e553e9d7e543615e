"""How many faults of generated services their generated tests notice.

    python .ci/dev mutants services [--sample 400]

Each module is broken as it stands in the services; one that several have alike is
broken once, and noticed if the tests of any of them notice. A service is made of each
file in `specs`; there a new recipe is added.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.mutation.services.faults import Fault, faults
from tests.mutation.services.table import rows
from tests.mutation.services.trial import Verdict, tried
from tests.service.making import Template

SPECS = Path(__file__).parent / "specs"
PACKAGE = "orders"
BAR = 0.9
SEED = 3


@dataclass(slots=True)
class Case:
    """A fault, and what became of it.

    Attributes:
        fault: The fault.
        source: The sound module.
        home: The name of the first service that has the module.
        verdict: The best of what the services' tests said.
    """

    fault: Fault
    source: bytes = field(repr=False)
    home: str
    verdict: Verdict | None = None

    @property
    def is_open(self) -> bool:
        """Whether no test has noticed it yet."""
        return self.verdict not in {Verdict.KILLED, Verdict.SAME}


def main(words: Sequence[str]) -> int:
    """Measure, and tell which faults were not noticed."""
    options = _parser().parse_args(words)
    ran: set[bytes] = set()
    with tempfile.TemporaryDirectory() as folder:
        services = _services(Path(folder))
        cases = _chosen(list(_cases(services)), options)
        for service in services:
            _try(service, cases, options.jobs, ran)
            _tell(case for case in cases if case.home == service.name and case.is_open)
    whole = [case for case in cases if case.verdict is not Verdict.SAME]
    sys.stdout.writelines(
        rows(
            (case.home, case.fault.module, case.fault.is_wording, not case.is_open)
            for case in whole
        )
    )
    lived = [case for case in whole if case.is_open]
    if options.lived:
        text = "".join(f"{case.fault}\n" for case in lived)
        options.lived.write_text(text, encoding="utf-8")
    return int(len(whole) - len(lived) < BAR * len(whole))


def _chosen(cases: list[Case], options: argparse.Namespace) -> list[Case]:
    """Choose the faults that the command line asks for."""
    found = [case for case in cases if case.fault.module.startswith(options.only)]
    if options.again:
        lived = set(options.again.read_text(encoding="utf-8").splitlines())
        found = [case for case in found if str(case.fault) in lived]
    if options.sample is None or options.sample >= len(found):
        return found
    dice = random.Random(options.seed)  # noqa: S311 - the same each time
    return dice.sample(found, options.sample)


def _tell(lived: Iterable[Case]) -> None:
    """Name what the tests of the first service with the module didn't notice."""
    for case in lived:
        at = f"{case.home} {case.fault.lines.start}"
        kind = " (wording)" if case.fault.is_wording else ""
        sys.stdout.write(f"{case.verdict}: {at} {case.fault}{kind}\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python .ci/dev mutants services")
    parser.add_argument("--sample", type=int, help="try so many, at random")
    parser.add_argument("--seed", type=int, default=SEED, help="which ones")
    parser.add_argument("--only", default="", help="modules that begin like this")
    parser.add_argument("--jobs", type=int, default=2, help="at once")
    parser.add_argument("--lived", type=Path, help="write there what lived")
    parser.add_argument("--again", type=Path, help="try only what is written there")
    return parser


def _services(folder: Path) -> list[Path]:
    template = Template(folder / "template")
    return [
        template.make(
            folder / spec.stem, spec.read_text(encoding="utf-8"), package_name=PACKAGE
        )
        for spec in sorted(SPECS.glob("*.yaml"))
    ]


def _cases(services: Sequence[Path]) -> Iterator[Case]:
    seen: set[bytes] = set()
    for service in services:
        root = service / "src" / PACKAGE / "service"
        for path in sorted(root.rglob("*.py")):
            source = path.read_bytes()
            if source not in seen:
                for fault in faults(service, path.relative_to(service)):
                    yield Case(fault, source, service.name)
            seen.add(source)


def _try(service: Path, cases: Sequence[Case], jobs: int, ran: set[bytes]) -> None:
    """Run a service's tests against what is in it and was not noticed elsewhere.

    A test file that reads as one that ran already isn't run again, but for modules
    that no service before had.
    """
    tests = {
        path.name: path.read_bytes()
        for path in (service / "tests" / "generated").glob("test_*.py")
    }
    again = [name for name, text in tests.items() if text in ran]
    ran.update(tests.values())
    here = [case for case in cases if case.is_open and _has(service, case)]
    for is_new, skipped in ((True, []), (False, again)):
        some = [case for case in here if (case.home == service.name) is is_new]
        verdicts = tried(service, [case.fault for case in some], jobs, skipped)
        for case, verdict in zip(some, verdicts, strict=True):
            if case.verdict is not Verdict.LIVED or verdict is Verdict.KILLED:
                case.verdict = verdict


def _has(service: Path, case: Case) -> bool:
    path = service / case.fault.place
    return path.is_file() and path.read_bytes() == case.source


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
