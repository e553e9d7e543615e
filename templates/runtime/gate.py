"""Runs before_agent before a task exists, so that a refusal stores nothing.

Raised inside ADK's executor, a refusal would leave a failed task that holds
the caller's message, and would end for good a task that waits for input.
"""

from collections.abc import Sequence

from a2a.server.agent_execution import RequestContext, SimpleRequestContextBuilder
from a2a.server.context import ServerCallContext
from a2a.server.tasks import TaskStore
from a2a.types import SendMessageRequest, Task
from google.adk.a2a.executor.config import ExecuteInterceptor
from google.adk.a2a.executor.utils import execute_before_agent_interceptors

__all__ = ["Gate"]


class Gate(SimpleRequestContextBuilder):
    """Builds the context of a message, once the interceptors let it in."""

    def __init__(
        self, interceptors: Sequence[ExecuteInterceptor], tasks: TaskStore
    ) -> None:
        """Guard new messages with the interceptors.

        Args:
            interceptors: Whose before_agent hooks run, in this order.
            tasks: Where the task that a message replies to is found.
        """
        super().__init__()
        self._interceptors = list(interceptors)
        self._tasks = tasks

    async def build(
        self,
        context: ServerCallContext,
        params: SendMessageRequest | None = None,
        task_id: str | None = None,
        context_id: str | None = None,
        task: Task | None = None,
    ) -> RequestContext:
        """Build the context and pass it down the chain.

        Raises:
            Exception: Whatever a hook raises; the caller gets it as the answer.
        """
        request = await super().build(context, params, task_id, context_id, task)
        if task_id is not None:
            # The SDK passes no task here; hooks want to know what a reply is for.
            request.current_task = await self._tasks.get(task_id, context)
        return await execute_before_agent_interceptors(request, self._interceptors)
