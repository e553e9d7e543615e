"""The executor: the interceptors of interceptors.yaml around the agent."""

from collections.abc import Sequence

from google.adk.runners import Runner

from orders.hooks.quota import Quota

from .boundary.executor import BoundaryExecutor
from .boundary.runner_provider import RunnerFactory
from .seams.chain import Interceptor, guarded


def build_interceptors() -> list[Interceptor]:
    """Build the chain: down for before_agent and after_event, up for the others."""
    return [guarded("quota", Quota())]


def build_executor(
    runner: Runner | RunnerFactory,
    interceptors: Sequence[Interceptor] | None = None,
) -> BoundaryExecutor:
    """Build the executor, pinned to ADK's new implementation.

    It fits `to_a2a(agent, agent_executor_factory=build_executor)`; there
    before_agent runs in the executor.

    Args:
        runner: The runner, or what gives it at the first request.
        interceptors: The chain; by default the whole one of interceptors.yaml.
    """
    chain = build_interceptors() if interceptors is None else interceptors
    return BoundaryExecutor(runner=runner, interceptors=chain, force_new_version=True)
