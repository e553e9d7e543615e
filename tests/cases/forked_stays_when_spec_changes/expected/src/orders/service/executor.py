"""The executor: the interceptors of interceptors.yaml around the agent."""

from collections.abc import Sequence

from google.adk.a2a.executor.a2a_agent_executor import A2aAgentExecutor
from google.adk.a2a.executor.config import A2aAgentExecutorConfig, ExecuteInterceptor
from google.adk.runners import Runner

from orders.hooks.quota import Quota

from .chain import guarded
from .runner_provider import RunnerFactory


def build_interceptors() -> list[ExecuteInterceptor]:
    """Build the chain: before_agent and after_event run down, after_agent up."""
    return [guarded("quota", Quota())]


def build_executor(
    runner: Runner | RunnerFactory,
    interceptors: Sequence[ExecuteInterceptor] | None = None,
) -> A2aAgentExecutor:
    """Build the executor, pinned to ADK's new implementation.

    It fits `to_a2a(agent, agent_executor_factory=build_executor)`; there
    before_agent runs in the executor.

    Args:
        runner: The runner, or what gives it at the first request.
        interceptors: The chain; by default the whole one of interceptors.yaml.
    """
    chain = build_interceptors() if interceptors is None else interceptors
    config = A2aAgentExecutorConfig(execute_interceptors=list(chain))
    return A2aAgentExecutor(runner=runner, config=config, force_new_version=True)
