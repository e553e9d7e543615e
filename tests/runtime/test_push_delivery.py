"""Updates are sent behind the run's back, in order, and within bounds."""

import asyncio
import logging
from time import monotonic

import httpx
import pytest
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    PushNotificationEvent,
)
from a2a.types import (
    AuthenticationInfo,
    Message,
    Part,
    Role,
    Task,
    TaskPushNotificationConfig,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)
from tests.runtime.messages import call_context
from tests.runtime.redacting import artifact, status
from tests.runtime.webhooks import Hook, hooked, loopback_rules

from runtime.recipes.push import delivery as push_delivery
from runtime.recipes.push.delivery import PushDelivery
from runtime.recipes.push.webhook_client import WebhookClient
from testing.harness import values

pytestmark = [pytest.mark.service, pytest.mark.anyio]

TOKEN = "secret-token"  # noqa: S105
TASK = Task(
    id="t",
    context_id="c",
    status=TaskStatus(state=TaskState.TASK_STATE_SUBMITTED),
    history=[Message(message_id="m", role=Role.ROLE_USER, parts=[Part(text="hü")])],
)


class Sending:
    """A sender for webhooks that are allowed on loopback."""

    def __init__(self, *hooks: Hook, timeout_s: float = 5) -> None:
        self.configs = InMemoryPushNotificationConfigStore()
        rules = loopback_rules(*(hook.port for hook in hooks))
        client = WebhookClient(rules, timeout_s=timeout_s)
        self.delivery = PushDelivery(self.configs, client)

    async def set_hook(
        self, hook: Hook, name: str = "hook", *, task: str = "t", token: str = ""
    ) -> None:
        config = TaskPushNotificationConfig(id=name, url=hook.url(), token=token)
        await self.configs.set_info(task, config, call_context())

    async def send(self, *updates: str, task: str = "t") -> None:
        for update in updates:
            await self.delivery.send_notification(task, status(update))


def told(hook: Hook) -> list[object]:
    """Give the texts that the webhook got, in order."""
    return [text for call in hook.calls for text in values(call.body, "text")]


async def test_it_sends_what_the_sdk_sends() -> None:
    """The same body and the same headers, for each kind of update."""
    configs = InMemoryPushNotificationConfigStore()
    proof = AuthenticationInfo(scheme="Bearer", credentials="proof")
    updates: list[PushNotificationEvent] = [TASK, status("ä"), artifact("b")]
    async with hooked() as hook, hooked() as other, httpx.AsyncClient() as http:
        for at, each in (("t", hook), ("s", other)):
            await configs.set_info(
                at,
                TaskPushNotificationConfig(
                    id="a", url=each.url(), token=TOKEN, authentication=proof
                ),
                call_context(),
            )
        client = WebhookClient(loopback_rules(hook.port), timeout_s=5)
        ours = PushDelivery(configs, client)
        for update in updates:
            await ours.send_notification("t", update)
            await BasePushNotificationSender(http, configs).send_notification(
                "s", update
            )
        await ours.close()
    assert [call.body for call in hook.calls] == [call.body for call in other.calls]
    for mine, theirs in zip(hook.calls, other.calls, strict=True):
        assert mine.line == theirs.line
        for name in (
            "content-type",
            "content-length",
            "x-a2a-notification-token",
            "authorization",
        ):
            assert mine.headers[name] == theirs.headers[name]


async def test_a_scheme_without_credentials_is_no_header() -> None:
    async with hooked() as hook:
        sending = Sending(hook)
        await sending.configs.set_info(
            "t",
            TaskPushNotificationConfig(
                url=hook.url(), authentication=AuthenticationInfo(scheme="Bearer")
            ),
            call_context(),
        )
        await sending.send("a")
        await sending.delivery.close()
    assert "authorization" not in hook.calls[0].headers
    assert "x-a2a-notification-token" not in hook.calls[0].headers


async def test_an_update_is_sent_as_it_was() -> None:
    update = Task()
    update.CopyFrom(TASK)
    async with hooked() as hook:
        sending = Sending(hook)
        await sending.set_hook(hook)
        await sending.delivery.send_notification("t", update)
        # The SDK goes on with the same object.
        update.status.state = TaskState.TASK_STATE_COMPLETED
        await sending.delivery.close()
    assert list(values(hook.calls[0].body, "state")) == ["TASK_STATE_SUBMITTED"]


async def test_updates_come_in_order() -> None:
    wanted = [str(number) for number in range(30)]
    async with hooked(Hook(delay_s=0.005)) as hook:
        sending = Sending(hook)
        await sending.set_hook(hook)
        await sending.send(*wanted)
        await hook.called(30)
        await sending.delivery.close()
    assert told(hook) == wanted


async def test_nobody_waits_for_a_webhook() -> None:
    async with hooked(Hook(silent=True)) as silent, hooked() as hook:
        sending = Sending(silent, hook, timeout_s=1)
        await sending.set_hook(silent, "silent")
        await sending.set_hook(hook)
        await sending.set_hook(hook, task="other")
        began = monotonic()
        await sending.send(*"abc")
        await sending.send("d", task="other")
        assert monotonic() - began < 0.5
        await hook.called(4)
        # Neither the run, nor the task's other webhook, nor another task.
        assert monotonic() - began < 1
        assert silent.opened == 1
        await sending.delivery.close()
    assert [text for text in told(hook) if text != "d"] == ["a", "b", "c"]


async def test_after_a_failure_only_the_newest_update_is_sent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    answer = b"HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n"
    async with hooked(Hook(answer=answer, delay_s=0.1)) as hook:
        sending = Sending(hook)
        await sending.set_hook(hook, token=TOKEN)
        await sending.send(*"abcde")
        await sending.delivery.close()
    assert told(hook) == ["a", "e"]
    assert caplog.text.count("task t couldn't be pushed: the answer was 500") == 2
    assert "secret" not in caplog.text
    assert str(hook.port) not in caplog.text


async def test_a_webhook_that_was_deleted_is_not_called_any_more() -> None:
    async with hooked(Hook(delay_s=0.1)) as hook:
        sending = Sending(hook)
        await sending.set_hook(hook)
        await sending.send(*"abc")
        await hook.called(1)
        await sending.configs.delete_info("t", call_context(), "hook")
        await sending.delivery.close()
    assert told(hook) == ["a"]


async def test_what_waits_is_bounded(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(push_delivery, "MOST_BYTES", 5_000)
    async with hooked(Hook(delay_s=0.05)) as hook:
        sending = Sending(hook)
        await sending.set_hook(hook)
        await sending.set_hook(hook, task="small")
        await sending.send("first", task="small")
        await sending.send(*(f"{at:01000}" for at in range(50)))
        assert sending.delivery.waiting_bytes <= 5_000
        await sending.delivery.close()
        assert sending.delivery.waiting_bytes == 0
    # The oldest of the longest line went, so the last update and the other task's
    # are there.
    texts = told(hook)
    assert texts[-1] == f"{49:01000}"
    assert "first" in texts
    assert "too much waits" in caplog.text


async def test_an_update_that_is_too_long_alone_is_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(push_delivery, "MOST_BYTES", 1_000)
    async with hooked() as hook:
        sending = Sending(hook)
        await sending.set_hook(hook)
        await sending.send("x" * 2_000)
        await sending.send("y")
        await sending.delivery.close()
    assert told(hook) == ["y"]


async def test_the_end_waits_a_while_and_then_no_longer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(push_delivery, "CLOSE_SECONDS", 0.3)
    async with hooked(Hook(silent=True)) as hook:
        sending = Sending(hook, timeout_s=60)
        await sending.set_hook(hook)
        await sending.send(*"abc")
        began = monotonic()
        await sending.delivery.close()
        assert monotonic() - began < 2
        await sending.send("d")
        await asyncio.sleep(0.05)
    assert "3 updates were not pushed" in caplog.text
    assert told(hook) == ["a"]
    assert not [
        task for task in asyncio.all_tasks() if "_send_all" in str(task.get_coro())
    ]


async def test_what_waits_at_the_end_is_sent() -> None:
    async with hooked(Hook(delay_s=0.02)) as hook:
        sending = Sending(hook)
        await sending.set_hook(hook)
        await sending.send(*"abcde")
        await sending.delivery.close()
    assert told(hook) == list("abcde")


async def test_nothing_is_kept_of_a_line_that_is_done() -> None:
    async with hooked() as hook:
        sending = Sending(hook)
        for number in range(20):
            await sending.set_hook(hook, task=f"t{number}")
            await sending.send("a", task=f"t{number}")
        await hook.called(20)
        await sending.delivery.close()
    assert sending.delivery.open_lines == 0
    assert sending.delivery.waiting_bytes == 0


async def test_a_failure_of_any_kind_ends_no_line(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with hooked() as hook:
        sending = Sending(hook)
        await sending.set_hook(hook)

        async def broken(*_: object) -> int:
            await asyncio.sleep(0)
            raise ValueError("secret")

        with monkeypatch.context() as patched, caplog.at_level(logging.DEBUG):
            patched.setattr(WebhookClient, "post", broken)
            await sending.send("a")
            await asyncio.sleep(0.05)
        await sending.send("b")
        await sending.delivery.close()
    assert told(hook) == ["b"]
    assert "couldn't be pushed: ValueError" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("state", [TaskState.TASK_STATE_COMPLETED])
async def test_a_task_without_webhooks_costs_nothing(state: TaskState) -> None:
    async with hooked() as hook:
        sending = Sending(hook)
        event = TaskStatusUpdateEvent(task_id="t", status=TaskStatus(state=state))
        await sending.delivery.send_notification("t", event)
    assert sending.delivery.open_lines == 0
