"""Each webhook gets its updates in order, and none holds up another one."""

import asyncio
import logging
from collections.abc import Mapping
from contextvars import ContextVar

import httpcore
import pytest
from a2a.server.context import ServerCallContext
from a2a.server.tasks import InMemoryPushNotificationConfigStore
from a2a.types import (
    AuthenticationInfo,
    TaskPushNotificationConfig,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)

from runtime.recipes.push import delivery
from runtime.recipes.push.delivery import PushDelivery, headers_of
from runtime.recipes.push.webhook_client import WebhookClient
from runtime.recipes.push.webhook_url import WebhookRefused, WebhookRules

from .scripted import until

pytestmark = pytest.mark.anyio

CALL = ServerCallContext()
CALLER = ContextVar("CALLER", default="nobody")
RULES = WebhookRules(schemes=("https",), hosts=None, ports=None, networks=())


class Client(WebhookClient):
    """Remembers calls, and connects to nothing; they end when they may go on."""

    def __init__(self) -> None:
        """Answer well."""
        super().__init__(RULES, timeout_s=1)
        self.sent: list[tuple[str, str]] = []
        self.headers: Mapping[str, str] = {}
        self.answers: dict[str, int | Exception] = {}
        self.go_on = asyncio.Event()
        self.go_on.set()

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int:
        """Remember it."""
        assert CALLER.get() == "nobody"
        self.sent.append((url, body.decode()))
        self.headers = headers
        await self.go_on.wait()
        answer = self.answers.get(url, 200)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Pushed:
    """Pushes updates of tasks with webhooks, whose store and client stand open."""

    def __init__(self) -> None:
        """Begin without webhooks."""
        self.client, self.configs = Client(), InMemoryPushNotificationConfigStore()
        self.delivery = PushDelivery(self.configs, self.client)

    async def keep(self, *names: str, task_id: str = "t", told: str = "") -> None:
        """Keep webhooks of a task."""
        for name in names:
            config = TaskPushNotificationConfig(id=name, url=name, token=told)
            await self.configs.set_info(task_id, config, CALL)

    async def push(self, *names: str, task_id: str = "t") -> None:
        """Push updates, told apart by their context."""
        CALLER.set("a request")
        for name in names:
            await self.delivery.send_notification(task_id, update(name))

    async def all_sent(self) -> None:
        """Wait until nothing is being sent."""
        await self.delivery.close()
        assert (self.delivery.open_lines, self.delivery.waiting_bytes) == (0, 0)

    def got(self, url: str) -> list[str]:
        """Give the names of the updates that a webhook was sent."""
        return [
            body.split('"contextId":"')[1][0]
            for at, body in self.client.sent
            if at == url
        ]


def update(name: str) -> TaskStatusUpdateEvent:
    """Make an update."""
    status = TaskStatus(state=TaskState.TASK_STATE_WORKING)
    return TaskStatusUpdateEvent(task_id="t", context_id=f"{name}ä", status=status)


async def test_each_webhook_gets_all_in_order() -> None:
    """As JSON without white space."""
    it = Pushed()
    await it.keep("a", "b", told="secret")
    await it.keep("c", task_id="other")
    it.client.answers = {"a": 299, "b": 204}

    await it.push("1", "2", "3")
    await it.all_sent()

    assert (it.got("a"), it.got("b"), it.got("c")) == (["1", "2", "3"],) * 2 + ([],)
    assert it.client.sent[0][1] == (
        '{"statusUpdate":{"taskId":"t","contextId":"1ä",'
        '"status":{"state":"TASK_STATE_WORKING"}}}'
    )
    assert it.client.headers == {"X-A2A-Notification-Token": "secret"}


async def test_nobody_waits_for_a_webhook() -> None:
    """Neither who pushes nor another webhook; what waits is counted."""
    it = Pushed()
    await it.keep("a")
    await it.keep("b", task_id="other")
    it.client.go_on.clear()

    await it.push("1", "2", "3")
    await it.push("1", task_id="other")
    assert it.delivery.open_lines == 2
    await until(lambda: len(it.client.sent) == 2)

    assert (it.got("a"), it.got("b")) == (["1"], ["1"])
    size = len(it.client.sent[0][1].encode())
    assert it.delivery.waiting_bytes == 2 * size
    it.client.go_on.set()
    await it.all_sent()
    assert it.got("a") == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (500, "the answer was 500"),
        (301, "the answer was 301"),
        (199, "the answer was 199"),
        (WebhookRefused("not allowed"), "not allowed"),
        (httpcore.ConnectError("no route"), "no route"),
        (httpcore.ReadError("a secret"), "ReadError"),
        (TimeoutError("a secret"), "TimeoutError"),
    ],
    ids=range(7),
)
async def test_after_a_failure_only_the_newest_is_sent(
    caplog: pytest.LogCaptureFixture, answer: int | Exception, said: str
) -> None:
    """What was sent isn't in the log."""
    it = Pushed()
    await it.keep("a")
    it.client.answers["a"] = answer

    await it.push("1", "2", "3", "4")
    await it.all_sent()

    assert it.got("a") == ["1", "4"]
    assert caplog.messages == [f"an update of task t couldn't be pushed: {said}"] * 2


async def test_a_webhook_that_was_deleted_gets_no_more() -> None:
    """Also of what waits already."""
    it = Pushed()
    await it.keep("a", "b")
    it.client.go_on.clear()
    await it.push("1", "2")
    await until(lambda: len(it.client.sent) == 2)

    await it.configs.delete_info("t", CALL, "a")
    it.client.go_on.set()
    await it.all_sent()

    assert (it.got("a"), it.got("b")) == (["1"], ["1", "2"])


@pytest.mark.parametrize("other", ["a", "z"])
async def test_what_is_too_much_is_dropped_oldest_first(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, other: str
) -> None:
    """Of the webhook that has most, whatever the ids."""
    it = Pushed()
    await it.keep("a")
    await it.keep("b", task_id=other)
    it.client.go_on.clear()
    await it.push("1")
    await it.push("1", task_id=other)
    await until(lambda: len(it.client.sent) == 2)
    size = len(it.client.sent[0][1].encode())
    monkeypatch.setattr(delivery, "MOST_BYTES", 3 * size)

    await it.push("2", "3", "4")
    assert not caplog.records
    await it.push("2", task_id=other)
    await it.push("5")
    it.client.go_on.set()
    await it.all_sent()

    assert (it.got("a"), it.got("b")) == (["1", "4", "5"], ["1", "2"])
    told = "an update of task t isn't pushed: too much waits"
    assert caplog.record_tuples == [(delivery.__name__, logging.WARNING, told)] * 2


@pytest.mark.parametrize("is_late", [False, True])
async def test_the_end_waits_for_a_while(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, *, is_late: bool
) -> None:
    """And says how much was lost; from then on nothing is taken."""
    monkeypatch.setattr(delivery, "CLOSE_SECONDS", 0.02 if is_late else 5)
    it = Pushed()
    await it.keep("a")
    it.client.go_on.clear()
    await it.push("1", "2", "3")
    await until(lambda: len(it.client.sent) == 1)
    if not is_late:
        asyncio.get_running_loop().call_later(0.02, it.client.go_on.set)

    await it.delivery.close()

    lost = ["3 updates were not pushed: the service ends"]
    assert caplog.messages == (lost if is_late else [])
    assert it.got("a") == (["1"] if is_late else ["1", "2", "3"])
    assert (it.delivery.open_lines, it.delivery.waiting_bytes) == (0, 0)
    await it.push("4")
    assert it.delivery.open_lines == 0
    await it.delivery.close()


@pytest.mark.parametrize(
    ("token", "scheme", "credentials", "headers"),
    [
        ("", "", "", {}),
        ("t", "", "", {"X-A2A-Notification-Token": "t"}),
        ("", "Bearer", "c", {"Authorization": "Bearer c"}),
        ("", "Bearer", "", {}),
        ("", "", "c", {}),
    ],
)
def test_a_webhook_knows_its_caller(
    token: str, scheme: str, credentials: str, headers: dict[str, str]
) -> None:
    """By what its owner gave."""
    proof = AuthenticationInfo(scheme=scheme, credentials=credentials)

    assert (
        headers_of(TaskPushNotificationConfig(token=token, authentication=proof))
        == headers
    )
