"""A webhook is kept once it was screened, and a task has ten at most."""

import pytest
from a2a.server.context import ServerCallContext
from a2a.types import TaskPushNotificationConfig
from a2a.utils.errors import InvalidParamsError

from runtime.recipes.push.configs import ScreenedConfigs
from runtime.seams.rejection import Rejected

pytestmark = pytest.mark.anyio

CALL = ServerCallContext()


async def screen(config: TaskPushNotificationConfig) -> None:
    """Refuse one webhook."""
    if config.url == "bad":
        raise Rejected("push_url_refused", policy="other")


async def ids(store: ScreenedConfigs, task_id: str = "t") -> list[str]:
    """Name the webhooks of a task."""
    return [each.id for each in await store.get_info_for_dispatch(task_id)]


async def keep(store: ScreenedConfigs, config_id: str, task_id: str = "t") -> None:
    """Keep a webhook."""
    config = TaskPushNotificationConfig(id=config_id, url="good")
    await store.set_info(task_id, config, CALL)


async def test_a_webhook_that_is_screened_is_kept() -> None:
    """For its task alone, until it is deleted."""
    store = ScreenedConfigs(screen, "mine")
    for name in ("a", "b"):
        await keep(store, name)
    await keep(store, "c", "other")

    assert (await ids(store), await ids(store, "other")) == (["a", "b"], ["c"])
    assert await ids(store, "unknown") == []
    await store.delete_info("t", CALL, "a")
    assert await ids(store) == ["b"]
    await store.delete_info("t", CALL, "b")
    assert await ids(store) == []
    assert await ids(store, "other") == ["c"]
    await store.delete_info("other", CALL)
    assert await ids(store, "other") == []


async def test_one_that_may_not_be_called_is_refused() -> None:
    """In the name of the interceptor."""
    store = ScreenedConfigs(screen, "mine")

    with pytest.raises(Rejected) as refused:
        await store.set_info("t", TaskPushNotificationConfig(id="a", url="bad"), CALL)

    assert (refused.value.reason, refused.value.policy) == ("push_url_refused", "mine")
    assert await ids(store) == []


async def test_a_task_has_ten_at_most() -> None:
    """One that is set again takes no further place, and a free place can be taken."""
    store = ScreenedConfigs(screen, "mine")
    for number in range(9):
        await keep(store, str(number))
    await keep(store, "")
    assert len(await ids(store)) == 10
    await keep(store, "0")
    await keep(store, "t")

    with pytest.raises(Rejected) as refused:
        await keep(store, "one more")

    assert (refused.value.reason, refused.value.policy) == ("too_many_webhooks", "mine")
    assert str(refused.value) == "at most 10 webhooks for a task"
    assert refused.value.error is InvalidParamsError
    await keep(store, "one more", "other")
    await store.delete_info("t", CALL, "0")
    await keep(store, "one more")
    assert len(await ids(store)) == 10
