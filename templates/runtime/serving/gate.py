"""Runs before_agent before a task exists, so that a refusal stores nothing.

Raised inside ADK's executor, a refusal would leave a failed task that holds
the caller's message, and would end for good a task that waits for input.
"""

import asyncio
from collections.abc import Sequence

from a2a.server.agent_execution import RequestContext, SimpleRequestContextBuilder
from a2a.server.context import ServerCallContext
from a2a.server.tasks import TaskStore
from a2a.types import SendMessageRequest, Task
from google.adk.a2a.executor.config import ExecuteInterceptor
from google.adk.a2a.executor.utils import execute_before_agent_interceptors

from ..boundary.executor import BoundaryExecutor
from ..boundary.failures import is_refusal, reason_of
from ..seams.chain import Interceptor
from ..seams.exchange import Exchange, exchange_of

__all__ = ["Gate"]


class Gate(SimpleRequestContextBuilder):
    """Builds the context of a message, once the interceptors let it in."""

    def __init__(
        self,
        interceptors: Sequence[Interceptor],
        tasks: TaskStore,
        boundary: BoundaryExecutor,
    ) -> None:
        """Guard new messages with the interceptors.

        Args:
            interceptors: Whose before_agent hooks run, in this order.
            tasks: Where the task that a message replies to is found.
            boundary: What settles a request that is let in.
        """
        super().__init__()
        self._interceptors = list(interceptors)
        self._tasks = tasks
        self._failures, self._ledger = boundary.failures, boundary.ledger

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
            A2AError: If a hook refuses, or fails.
        """
        # The SDK passes no task here; hooks want to know what a reply is for. Nor
        # does it look up the context of a reply that names its task alone: such a
        # reply would run in a conversation of its own, and be asked again.
        stored = await self._tasks.get(task_id, context) if task_id else task
        if stored is not None and context_id is None:
            context_id = stored.context_id
        request = await super().build(context, params, task_id, context_id, stored)
        exchange = exchange_of(request)
        self._ledger.open(exchange)
        with exchange.entered():
            try:
                request = await self._let_in(request)
            except asyncio.CancelledError:
                await self._ledger.settle(exchange, "canceled")
                raise
            except Exception as error:
                await self._settle(exchange, error)
                told = self._failures.as_sdk_error(error, exchange.facts)
                # Without its cause, which the SDK would log.
                raise told from None
        exchange.go_with(request)
        self._ledger.watch(request, exchange)
        return request

    async def _let_in(self, request: RequestContext) -> RequestContext:
        try:
            return await execute_before_agent_interceptors(
                request, list[ExecuteInterceptor](self._interceptors)
            )
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            # Nobody canceled: a hook raised it, and the caller would wait for ever.
            message = "a before_agent hook raised CancelledError"
            raise RuntimeError(message) from error

    async def _settle(self, exchange: Exchange, error: Exception) -> None:
        refused = is_refusal(error)
        await self._ledger.settle(
            exchange,
            "rejected" if refused else "failed",
            error_code=reason_of(error),
            error=error,
        )
