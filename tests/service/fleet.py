"""The services that the gates run on: golden cases and pairs of answers."""

from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from typing import cast

from tests.service.making import ROOT, Template, write

from interceptgen.spec.loader import load_spec

__all__ = ["ROWS", "Member", "all_pairs", "cases", "pairs", "rows"]

QUESTIONS: dict[str, tuple[object, ...]] = {
    "agent": ("echo", "gemini", "workflow", "existing"),
    "implementation": ("new", "legacy", "client"),
    "runner": ("lazy", "eager"),
    "interceptors": ((), ("redact", "rate_limit"), ("journal", "house_style")),
    "docker": (True, False),
    "ci": (True, False),
}

# Each pair of answers to two questions stands in a row; a test counts them.
_ROWS = (
    ("echo", "new", "lazy", (), True, True),
    ("echo", "legacy", "eager", ("redact", "rate_limit"), False, True),
    ("echo", "client", "lazy", ("journal", "house_style"), True, False),
    ("gemini", "new", "eager", ("redact", "rate_limit"), False, False),
    ("gemini", "legacy", "lazy", ("journal", "house_style"), True, True),
    ("gemini", "client", "eager", (), False, True),
    ("workflow", "new", "eager", ("journal", "house_style"), False, True),
    ("workflow", "legacy", "lazy", (), True, False),
    ("workflow", "client", "lazy", ("redact", "rate_limit"), True, True),
    ("existing", "new", "lazy", (), False, False),
    ("existing", "legacy", "eager", ("redact", "rate_limit"), True, True),
    ("existing", "client", "eager", ("journal", "house_style"), False, False),
)
ROWS: tuple[dict[str, object], ...] = tuple(
    dict[str, object](zip(QUESTIONS, row, strict=True)) for row in _ROWS
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One service to be made.

    Attributes:
        name: What the test ids say.
        package: A name that no other member has, so that all can be typed at once.
        answers: The answers to the template's questions.
        spec: The interceptors.yaml, or None for the template's.
    """

    name: str
    package: str
    answers: dict[str, object] = field(default_factory=dict[str, object])
    spec: str | None = None

    def __str__(self) -> str:
        """Name the service in a test's id."""
        return self.name

    @property
    def folder_name(self) -> str:
        """The service's folder; named otherwise than its package, as a module."""
        return f"made_{self.package}"

    def make(self, template: Template, folder: Path) -> Path:
        """Make the service, with what its spec refers to."""
        service = template.make(
            folder / self.folder_name,
            self.spec,
            package_name=self.package,
            **self.answers,
        )
        _stand_in(service, self.package)
        return service


def pairs(row: dict[str, object]) -> set[tuple[object, ...]]:
    """Give each two questions with their answers in a row."""
    return {
        (one, row[one], other, row[other]) for one, other in combinations(QUESTIONS, 2)
    }


def all_pairs() -> set[tuple[object, ...]]:
    """Give each two questions with each two answers."""
    return {
        (one, mine, other, its)
        for one, other in combinations(QUESTIONS, 2)
        for mine, its in product(QUESTIONS[one], QUESTIONS[other])
    }


def rows() -> list[Member]:
    """Name a service for each row of answers."""
    members: list[Member] = []
    for number, row in enumerate(ROWS):
        names = cast("tuple[str, ...]", row["interceptors"])
        answers = {**row, "interceptors": list(names)}
        if row["agent"] == "existing":
            answers["agent_ref"] = f"shop_{number}.agents:root_agent"
        kinds = "-".join(str(row[key]) for key in ("agent", "implementation", "runner"))
        name = f"{kinds}-{len(names)}"
        members.append(Member(name=name, package=f"row_{number}", answers=answers))
    return members


def cases() -> list[Member]:
    """Name a service for each golden spec that makes one."""
    found = sorted((ROOT / "tests" / "cases").glob("generate_*/spec.yaml"))
    members: list[Member] = []
    for number, path in enumerate(found):
        spec, package = path.read_text(encoding="utf-8"), f"case_{number}"
        # Each case's package has the same name; here they live side by side.
        for name, other in (
            ("orders", package),
            ("shop", f"shop_{package}"),
            ("shared", f"shared_{package}"),
        ):
            spec = spec.replace(f"package: {name}", f"package: {other}")
            spec = spec.replace(f" {name}.", f" {other}.")
            spec = spec.replace(f'"{name}.', f'"{other}.')
        members.append(Member(name=path.parent.name, package=package, spec=spec))
    return members


# What the golden specs and the rows refer to, by attribute.
_STAND_INS = {
    "root_agent": """\
from google.adk.agents import BaseAgent

root_agent = BaseAgent(name="existing", description="Says nothing.")
""",
    "agent": """\
from google.adk.agents import BaseAgent

agent = BaseAgent(name="existing", description="Says nothing.")
""",
    "app": """\
from google.adk.agents import BaseAgent
from google.adk.apps.app import App

app = App(name="existing", root_agent=BaseAgent(name="existing", description="Is."))
""",
    "runner": """\
from google.adk.agents import BaseAgent
from google.adk.runners import InMemoryRunner


def runner() -> InMemoryRunner:
    \"\"\"Build the runner.\"\"\"
    return InMemoryRunner(agent=BaseAgent(name="existing"), app_name="existing")
""",
    "opened": """\
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.applications import Starlette


@asynccontextmanager
async def opened(app: Starlette) -> AsyncGenerator[None, None]:
    \"\"\"Open what isn't there in a test.\"\"\"
    raise ConnectionError(app)
    yield
""",
}
_CONVERTERS = {
    "request": ("request_converter", "convert_a2a_request_to_agent_run_request"),
    "event": ("event_converter", "convert_event_to_a2a_events"),
    "adk_event": ("from_adk_event", "convert_event_to_a2a_events"),
    "a2a_part": ("part_converter", "convert_a2a_part_to_genai_part"),
    "gen_ai_part": ("part_converter", "convert_genai_part_to_a2a_part"),
}


def _stand_in(service: Path, package: str) -> None:
    """Write the modules that the spec names and nobody made."""
    spec = load_spec("interceptors.yaml", (service / "interceptors.yaml").read_bytes())
    for reference in filter(
        None, (spec.agent, spec.runner.factory, spec.server.lifespan)
    ):
        path, attribute = _place(service, reference)
        missing = not path.exists() or attribute not in path.read_text(encoding="utf-8")
        if missing and attribute in _STAND_INS:
            write(path, f'"""Stands in."""\n\n{_STAND_INS[attribute]}')
    converters: dict[Path, list[tuple[str, str, str]]] = {}
    for key, converter in _CONVERTERS.items():
        reference = getattr(spec.converters, key)
        if reference is not None:
            path, attribute = _place(service, reference)
            converters.setdefault(path, []).append((attribute, *converter))
    for path, named in converters.items():
        write(path, _module_of_converters(named))
    for folder in (service / "src").iterdir():
        if folder.name != package and folder.is_dir():
            for each in (folder, *filter(Path.is_dir, folder.rglob("*"))):
                write(each / "__init__.py", '"""Stands in."""\n')


def _place(service: Path, reference: str) -> tuple[Path, str]:
    module, _, attribute = reference.partition(":")
    return service / "src" / (module.replace(".", "/") + ".py"), attribute


def _module_of_converters(named: list[tuple[str, str, str]]) -> str:
    sources = ", ".join(sorted({source for _, source, _ in named}))
    lines = [f"{name} = {source}.{function}\n" for name, source, function in named]
    head = f'"""Stands in."""\n\nfrom google.adk.a2a.converters import {sources}\n\n'
    return head + "".join(lines)
