"""The service as one writes it by hand: ADK's own wiring and no interceptor.

`python -m tests.bench.load.bare PORT PIN`, with a package `bench` that has the agent.
"""

import importlib
import logging
import sys

import uvicorn
from google.adk.a2a.executor.a2a_agent_executor import A2aAgentExecutor
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents.base_agent import BaseAgent
from google.adk.runners import Runner

__all__ = ["main"]


def main(port: int, pin: str) -> None:
    """Serve on loopback, with the log that a generated service has."""
    agent: BaseAgent = importlib.import_module("bench.agent").root_agent

    def executor(runner: Runner) -> A2aAgentExecutor:
        return A2aAgentExecutor(
            runner=runner,
            config=A2aAgentExecutorConfig(),
            use_legacy=pin == "legacy",
            force_new_version=pin == "new",
        )

    logging.basicConfig(level=logging.INFO)
    app = to_a2a(agent, agent_executor_factory=executor)
    uvicorn.run(app, host="127.0.0.1", port=port)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
