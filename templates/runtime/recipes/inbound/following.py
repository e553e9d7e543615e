"""Answers a repeated message with the task that the first one has.

A repeat that came in time hears what the first caller would have heard: the
further events, and then the end, be it a result, a failure or a question.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import RequestHandler
from a2a.types import (
    GetTaskRequest,
    SendMessageConfiguration,
    SubscribeToTaskRequest,
    Task,
    TaskStatusUpdateEvent,
)
from a2a.utils.errors import TaskNotFoundError, UnsupportedOperationError
from a2a.utils.task import apply_history_length

from ...boundary.outgoing import PAUSED, TERMINAL
from .remembered import MessageRun, hashed

__all__ = ["Following"]

# The SDK stores a task a moment after its first event has left.
_TRIES, _BETWEEN_TRIES_S = 100, 0.01


class Following:
    """Gives the task of a run as the SDK gives that of a message."""

    def __init__(
        self,
        inner: RequestHandler,
        run: MessageRun,
        configuration: SendMessageConfiguration,
        context: ServerCallContext,
    ) -> None:
        """Follow a run that has a task.

        Args:
            inner: The SDK's handler, which knows the task.
            run: The run.
            configuration: What the repeat asks for.
            context: The repeat's own; its caller has to own the task.
        """
        self._inner = inner
        self._run = run
        self._configuration = configuration
        self._context = context

    async def task(self) -> Task:
        """Give the task, at its end unless the repeat doesn't want to wait.

        Raises:
            TaskNotFoundError: If the task is gone.
        """
        task = await self._read()
        if self._configuration.return_immediately or self._is_last(task):
            return task
        async with aclosing(self._events()) as events:
            async for _ in events:
                pass
        return await self._read()

    async def events(self) -> AsyncGenerator[Event, None]:
        """Give the task as it is, and its further events.

        Raises:
            TaskNotFoundError: If the task is gone.
        """
        task = await self._read()
        if self._is_last(task):
            yield task
            return
        is_told = False
        async with aclosing(self._events()) as events:
            async for event in events:
                is_told = self._is_last(event)
                yield self._shortened(event)
        if not is_told:
            # A cancel, or a shutdown, need not reach a stream.
            yield await self._read()

    async def _events(self) -> AsyncGenerator[Event, None]:
        params = SubscribeToTaskRequest(id=self._run.task_id)
        stream = self._inner.on_subscribe_to_task(params, self._context)
        try:
            async with aclosing(stream):
                async for event in stream:
                    yield event
                    if self._is_last(event):
                        return
        except UnsupportedOperationError:
            # It has ended in the meantime.
            return

    async def _read(self) -> Task:
        params = GetTaskRequest(id=self._run.task_id)
        if self._configuration.HasField("history_length"):
            params.history_length = self._configuration.history_length
        for _ in range(_TRIES):
            try:
                task = await self._inner.on_get_task(params, self._context)
            except TaskNotFoundError:
                task = None
            if task is not None:
                return task
            await asyncio.sleep(_BETWEEN_TRIES_S)
        raise TaskNotFoundError

    def _shortened(self, event: Event) -> Event:
        if isinstance(event, Task):
            return apply_history_length(event, self._configuration)
        return event

    def _is_last(self, event: Event) -> bool:
        """Tell whether this is how the run left the task."""
        if not isinstance(event, (Task, TaskStatusUpdateEvent)):
            return False
        if event.status.state in TERMINAL:
            return True
        if event.status.state not in PAUSED or self._run.ended_at is None:
            return False
        # The run of a reply may have ended, and the store still hold the old pause.
        return hashed(event.status) != self._run.before
