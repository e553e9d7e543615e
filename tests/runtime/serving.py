"""Serves a chain of hooks as a generated service does, without generating one."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.agents.base_agent import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.runners import InMemoryRunner, Runner
from starlette.applications import Starlette

from runtime.boundary.executor import BoundaryExecutor
from runtime.boundary.policy import Policy
from runtime.boundary.runner_provider import RunnerFactory
from runtime.seams.chain import Interceptor, guarded
from runtime.seams.interceptor import OnExit
from runtime.seams.request import Outcome
from runtime.serving.application import Definition, build_application
from runtime.serving.environment import ServerSettings
from testing.harness import WIRES, Caller, Wire, running

__all__ = ["CELLS", "Cell", "Exits", "Script", "Scripted", "Setup", "served"]

Script: TypeAlias = Callable[[InvocationContext], AsyncGenerator[Event, None]]


@dataclass(frozen=True, slots=True)
class Cell:
    """One way to be asked: a wire, a pin, and whether the caller wants the new one."""

    wire: Wire
    pin: str
    extension: bool = False

    def __str__(self) -> str:
        """Name the cell in a test's id."""
        return f"{self.wire}-{self.pin}{'+extension' if self.extension else ''}"


CELLS = tuple(
    Cell(wire, pin, extension)
    for wire in WIRES
    for pin, extension in (
        ("legacy", False),
        ("new", False),
        ("client", False),
        ("client", True),
    )
)


class Scripted(BaseAgent):
    """Runs a function of the test's."""

    script: Script
    runs: int = 0

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        self.runs += 1
        async for event in self.script(ctx):
            event.invocation_id = ctx.invocation_id
            yield event


class Exits(OnExit):
    """Remembers how each request ended."""

    def __init__(self) -> None:
        """Begin with none."""
        self.outcomes: list[Outcome] = []

    async def on_exit(self, outcome: Outcome) -> None:
        """Remember it."""
        await asyncio.sleep(0)
        self.outcomes.append(outcome)

    @property
    def kinds(self) -> list[str]:
        """The kinds, in order."""
        return [outcome.kind for outcome in self.outcomes]


@dataclass(kw_only=True)
class Setup:
    """What to serve.

    Attributes:
        script: What the agent does.
        hooks: The chain's hooks, by name, in order.
        pin: `legacy`, `new` or `client`.
        policy: When a run is over.
        config: The converters.
        factory: Makes the runner; of the scripted agent by default.
    """

    script: Script
    hooks: Mapping[str, object] = field(default_factory=dict[str, object])
    pin: str = "new"
    policy: Policy | None = None
    config: A2aAgentExecutorConfig | None = None
    factory: RunnerFactory | None = None

    def executor(
        self, runner: Runner | RunnerFactory, chain: Sequence[Interceptor]
    ) -> BoundaryExecutor:
        """Make the executor."""
        return BoundaryExecutor(
            runner=runner,
            interceptors=chain,
            config=self.config,
            policy=self.policy,
            use_legacy=self.pin == "legacy",
            force_new_version=self.pin == "new",
        )

    def application(self) -> Starlette:
        """Make the application."""
        agent = Scripted(name="scripted", description="Scripted.", script=self.script)

        def runner() -> Runner:
            return InMemoryRunner(agent=agent, app_name="scripted")

        return build_application(
            Definition(
                description="Scripted.",
                agent=agent,
                runner_factory=self.factory or runner,
                eager=False,
                interceptors=lambda: [
                    guarded(name, hooks) for name, hooks in self.hooks.items()
                ],
                executor=self.executor,
                settings=ServerSettings,
                path="",
                prefix="",
                lifespan=None,
            )
        )


@asynccontextmanager
async def served(setup: Setup) -> AsyncGenerator[Caller, None]:
    """Serve as long as the block lasts."""
    async with running(setup.application()) as caller:
        yield caller
