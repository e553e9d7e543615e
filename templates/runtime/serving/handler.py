"""The SDK's request handler, and what is done about failures outside the executor."""

from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import aclosing, contextmanager
from functools import partial

from a2a.server.context import ServerCallContext
from a2a.server.events import Event
from a2a.server.request_handlers import RequestHandler
from a2a.types import (
    AgentCard,
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTaskPushNotificationConfigsResponse,
    ListTasksRequest,
    ListTasksResponse,
    Message,
    SendMessageRequest,
    SubscribeToTaskRequest,
    Task,
    TaskPushNotificationConfig,
)
from a2a.utils.errors import PushNotificationNotSupportedError

from ..boundary.executor import BoundaryExecutor
from ..seams.chain import Interceptor
from ..seams.exchange import begin_exchange, find_exchange
from ..seams.protocols import OnMessage
from ..seams.rejection import Rejected
from ..seams.request import RequestFacts

__all__ = ["BoundaryHandler"]


class BoundaryHandler(RequestHandler):
    """Settles what was let in and never started, and hides what else fails.

    Between gate and executor the SDK may still refuse a message, and its task
    store may fail anywhere; the text of that would go to the caller. A webhook
    in a message is refused where the card declares no push: the SDK would drop it
    in silence, and the caller would wait for updates that never come.
    """

    def __init__(
        self,
        inner: RequestHandler,
        boundary: BoundaryExecutor,
        card: AgentCard,
        interceptors: Sequence[Interceptor],
    ) -> None:
        """Stand around the SDK's handler.

        Args:
            inner: The SDK's handler, with the gate and the executor.
            boundary: The executor.
            card: What is declared.
            interceptors: The chain, of which one may answer messages.
        """
        self._inner = inner
        self._pushes = card.capabilities.push_notifications
        self._ledger, self._failures = boundary.ledger, boundary.failures
        self._send, self._stream = inner.on_message_send, inner.on_message_send_stream
        self._policy = ""
        for each in interceptors:
            if isinstance(each.hooks, OnMessage):
                self._policy = each.name
                self._send = partial(each.hooks.on_message_send, inner)
                self._stream = partial(each.hooks.on_message_send_stream, inner)

    async def on_message_send(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> Message | Task:
        """Send a message and wait for the end of its run."""
        with self._safe(context):
            self._require_push_if_asked(params)
            try:
                return await self._send(params, context)
            except Exception as error:
                await self._settle_unstarted(params, context, error)
                raise

    async def on_message_send_stream(
        self, params: SendMessageRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Send a message and give the events of its run."""
        with self._safe(context):
            self._require_push_if_asked(params)
            try:
                async with aclosing(self._stream(params, context)) as stream:
                    async for event in stream:
                        yield event
            except Exception as error:
                await self._settle_unstarted(params, context, error)
                raise

    async def on_cancel_task(
        self, params: CancelTaskRequest, context: ServerCallContext
    ) -> Task | None:
        """Cancel a task; its requests are settled when this returns."""
        with self._safe(context):
            task = await self._inner.on_cancel_task(params, context)
            await self._ledger.settle_canceled(params.id)
            return task

    async def on_subscribe_to_task(
        self, params: SubscribeToTaskRequest, context: ServerCallContext
    ) -> AsyncGenerator[Event, None]:
        """Give the further events of a task."""
        with self._safe(context):
            stream = self._inner.on_subscribe_to_task(params, context)
            async with aclosing(stream):
                async for event in stream:
                    yield event

    async def on_get_task(
        self, params: GetTaskRequest, context: ServerCallContext
    ) -> Task | None:
        """Give a task."""
        with self._safe(context):
            return await self._inner.on_get_task(params, context)

    async def on_list_tasks(
        self, params: ListTasksRequest, context: ServerCallContext
    ) -> ListTasksResponse:
        """List tasks."""
        with self._safe(context):
            return await self._inner.on_list_tasks(params, context)

    async def on_create_task_push_notification_config(
        self, params: TaskPushNotificationConfig, context: ServerCallContext
    ) -> TaskPushNotificationConfig:
        """Keep where to push the updates of a task."""
        with self._safe(context):
            create = self._inner.on_create_task_push_notification_config
            return await create(params, context)

    async def on_get_task_push_notification_config(
        self, params: GetTaskPushNotificationConfigRequest, context: ServerCallContext
    ) -> TaskPushNotificationConfig:
        """Give where the updates of a task are pushed."""
        with self._safe(context):
            get = self._inner.on_get_task_push_notification_config
            return await get(params, context)

    async def on_list_task_push_notification_configs(
        self, params: ListTaskPushNotificationConfigsRequest, context: ServerCallContext
    ) -> ListTaskPushNotificationConfigsResponse:
        """List where the updates of a task are pushed."""
        with self._safe(context):
            list_all = self._inner.on_list_task_push_notification_configs
            return await list_all(params, context)

    async def on_delete_task_push_notification_config(
        self,
        params: DeleteTaskPushNotificationConfigRequest,
        context: ServerCallContext,
    ) -> None:
        """Push the updates of a task there no longer."""
        with self._safe(context):
            delete = self._inner.on_delete_task_push_notification_config
            await delete(params, context)

    async def on_get_extended_agent_card(
        self, params: GetExtendedAgentCardRequest, context: ServerCallContext
    ) -> AgentCard:
        """Give the card for callers that are known."""
        with self._safe(context):
            return await self._inner.on_get_extended_agent_card(params, context)

    def _require_push_if_asked(self, params: SendMessageRequest) -> None:
        asked = params.configuration.HasField("task_push_notification_config")
        if asked and not self._pushes:
            # As the SDK answers the call that sets a webhook.
            message = "Push notifications are not supported by the agent"
            raise PushNotificationNotSupportedError(message)

    async def _settle_unstarted(
        self, params: SendMessageRequest, context: ServerCallContext, error: Exception
    ) -> None:
        exchange = find_exchange(context)
        if exchange is None and isinstance(error, Rejected):
            await self._settle_refused(params, context, error)
        elif exchange is not None and not exchange.started:
            await self._ledger.settle(exchange, "never_started")

    async def _settle_refused(
        self, params: SendMessageRequest, context: ServerCallContext, error: Rejected
    ) -> None:
        error.policy = error.policy or self._policy
        exchange = begin_exchange(
            context,
            task_id=params.message.task_id,
            context_id=params.message.context_id,
            is_reply=bool(params.message.task_id),
        )
        self._ledger.open(exchange)
        await self._ledger.settle(
            exchange, "rejected", error_code=error.reason, error=error
        )

    @contextmanager
    def _safe(self, context: ServerCallContext) -> Generator[None, None, None]:
        try:
            yield
        except Exception as error:
            found = find_exchange(context)
            facts = found.facts if found else RequestFacts()
            raise self._failures.as_sdk_error(error, facts) from None
