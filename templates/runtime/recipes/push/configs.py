"""Where the webhooks of tasks are kept; none is kept unseen."""

from collections.abc import Awaitable, Callable
from typing import Final

from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryPushNotificationConfigStore
from a2a.types import TaskPushNotificationConfig
from a2a.utils.errors import InvalidParamsError

from ...seams.rejection import Rejected

__all__ = ["ScreenedConfigs"]

_MOST: Final = 10


class ScreenedConfigs(InMemoryPushNotificationConfigStore):
    """The SDK's store, which both ways to set a webhook end in.

    A task has ten webhooks at most: each update is sent to all of them.
    """

    def __init__(
        self,
        screen: Callable[[TaskPushNotificationConfig], Awaitable[None]],
        policy: str,
    ) -> None:
        """Keep nothing yet.

        Args:
            screen: Raises `Rejected` for a webhook that may not be called.
            policy: The interceptor's name, for refusals.
        """
        super().__init__()
        self._screen = screen
        self._policy = policy
        self._tasks: dict[str, set[str]] = {}

    async def set_info(
        self,
        task_id: str,
        notification_config: TaskPushNotificationConfig,
        context: ServerCallContext,
    ) -> TaskPushNotificationConfig:
        """Keep a webhook of a task.

        Raises:
            Rejected: If it may not be called, or if the task has too many.
        """
        try:
            await self._screen(notification_config)
            self._take_place(task_id, notification_config.id or task_id)
        except Rejected as rejected:
            rejected.policy = self._policy
            raise
        return await super().set_info(task_id, notification_config, context)

    async def get_info_for_dispatch(
        self, task_id: str
    ) -> list[TaskPushNotificationConfig]:
        """Give all webhooks of a task; asked for each update of every task."""
        # The SDK's store looks through all callers.
        if task_id not in self._tasks:
            return []
        return await super().get_info_for_dispatch(task_id)

    async def delete_info(
        self, task_id: str, context: ServerCallContext, config_id: str | None = None
    ) -> None:
        """Forget one webhook of a task, or all of them."""
        await super().delete_info(task_id, context, config_id)
        left = {config.id for config in await self.get_info_for_dispatch(task_id)}
        self._tasks[task_id] = left
        if not left:
            del self._tasks[task_id]

    def _take_place(self, task_id: str, config_id: str) -> None:
        taken = self._tasks.setdefault(task_id, set())
        if len(taken | {config_id}) > _MOST:
            raise Rejected(
                "too_many_webhooks",
                message=f"at most {_MOST} webhooks for a task",
                error=InvalidParamsError,
            )
        taken.add(config_id)
