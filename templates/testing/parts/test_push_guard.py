"""The service pushes to webhooks that may be called, and to no others."""

import asyncio
from inspect import signature
from typing import TypedDict

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import (
    AuthenticationInfo,
    Message,
    Role,
    SendMessageRequest,
    TaskPushNotificationConfig,
)
from a2a.utils.errors import InvalidParamsError

from runtime.recipes.push import webhook_client
from runtime.recipes.push.delivery import PushDelivery
from runtime.recipes.push.push_guard import PushGuard
from runtime.seams.rejection import Rejected

from .scripted import request_context

pytestmark = pytest.mark.anyio

CALL = ServerCallContext()
URL = "https://hook.example/"


class Given(TypedDict, total=False):
    """Settings of the recipe."""

    schemes: tuple[str, ...]
    hosts: tuple[str, ...]
    ports: tuple[int, ...]
    networks: tuple[str, ...]
    timeout_s: float


@pytest.fixture(autouse=True)
def _names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each host is a public one, but for one of them; another takes its time."""

    async def look_up(host: str, port: int) -> list[str]:
        assert port
        await asyncio.sleep(9 if host == "slow.example" else 0)
        return ["10.1.0.1" if host == "inner.example" else "8.8.8.8"]

    monkeypatch.setattr(webhook_client, "look_up", look_up)


def webhook(
    url: str = URL, told: str = "", scheme: str = "", credentials: str = ""
) -> TaskPushNotificationConfig:
    """Make a webhook."""
    proof = AuthenticationInfo(scheme=scheme, credentials=credentials)
    return TaskPushNotificationConfig(id="a", url=url, token=told, authentication=proof)


def sent(config: TaskPushNotificationConfig) -> RequestContext:
    """Make a message with a webhook."""
    message = Message(message_id="m", role=Role.ROLE_USER)
    request = SendMessageRequest(message=message)
    request.configuration.task_push_notification_config.CopyFrom(config)
    return RequestContext(CALL, request)


async def refusal(
    guard: PushGuard, config: TaskPushNotificationConfig
) -> Rejected | None:
    """Give how a webhook is refused, if it is: the same wherever it is set."""
    context, (configs, _) = sent(config), guard.push("mine")
    try:
        found = await guard.before_agent(context)
    except Rejected as rejected:
        refused = rejected
    else:
        kept = await configs.set_info("t", config, CALL)
        assert found is context
        assert await configs.get_info_for_dispatch("t") == [kept]
        return None
    with pytest.raises(Rejected, match="webhook") as again:
        await configs.set_info("t", config, CALL)
    assert again.value.policy == "mine"
    assert refused.error is again.value.error is InvalidParamsError
    return refused


async def test_a_message_without_a_webhook_is_let_in() -> None:
    """With a configuration or without."""
    context = request_context()

    assert await PushGuard().before_agent(context) is context
    bare = RequestContext(CALL, task_id="t", context_id="c")
    assert await PushGuard().before_agent(bare) is bare


@pytest.mark.parametrize(
    ("given", "url", "allowed"),
    [
        (Given(), URL, True),
        (Given(), "http://hook.example/", False),
        (Given(schemes=("http",)), "http://hook.example/", True),
        (Given(schemes=("http", "https")), URL, True),
        (Given(hosts=("hook.example",)), URL, True),
        (Given(hosts=("other.example",)), URL, False),
        (Given(), "https://hook.example:8443/", False),
        (Given(ports=(8443,)), "https://hook.example:8443/", True),
        (Given(), "https://inner.example/", False),
        (Given(networks=("10.1.0.0/16",)), "https://inner.example/", True),
        (Given(networks=("10.2.0.0/16",)), "https://inner.example/", False),
        (Given(timeout_s=0.01), "https://slow.example/", False),
    ],
    ids=range(12),
)
async def test_a_webhook_is_one_that_the_rules_allow(
    given: Given, url: str, *, allowed: bool
) -> None:
    """By what it says, and by the address that its host has."""
    refused = await refusal(PushGuard(**given), webhook(url))

    if allowed:
        assert refused is None
        return
    assert refused
    assert refused.reason == "push_url_refused"
    assert "webhook's" in str(refused)


@pytest.mark.parametrize(
    ("config", "allowed"),
    [
        (webhook(told="t"), True),
        (webhook(told="a ~!b"), True),
        (webhook(told="t" * 4096), True),
        (webhook(told="t" * 4097), False),
        (webhook(told="a\nb"), False),
        (webhook(told=" a"), False),
        (webhook(told="a "), False),
        (webhook(told="ä"), False),
        (webhook(told="a\x7f"), False),
        (webhook(scheme="Bearer", credentials="c"), True),
        (webhook(scheme="Bearer", credentials="c\r\nX: y"), False),
        (webhook(told="t", scheme="ä", credentials="c"), False),
    ],
    ids=range(12),
)
async def test_a_header_holds_what_any_server_reads(
    config: TaskPushNotificationConfig, *, allowed: bool
) -> None:
    """It isn't repeated."""
    refused = await refusal(PushGuard(), config)

    if allowed:
        assert refused is None
        return
    assert refused
    assert refused.reason == "push_token_refused"
    assert str(refused) == "a webhook's token and credentials are printable ASCII"


def test_it_is_made_of_its_settings_alone() -> None:
    """And shows nothing else."""
    assert list(signature(PushGuard).parameters) == list(Given.__annotations__)
    assert repr(PushGuard()) == (
        "PushGuard(schemes=('https',), hosts=None, ports=None, networks=(),"
        " timeout_s=10)"
    )


async def test_what_waits_is_sent_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """If anything was pushed at all."""
    closed: list[PushDelivery] = []

    async def close(it: PushDelivery) -> None:
        closed.append(it)

    monkeypatch.setattr(PushDelivery, "close", close)
    guard = PushGuard()
    await guard.close()
    assert closed == []

    _, sender = guard.push("mine")
    await guard.close()

    assert closed == [sender]


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (Given(schemes=()), "^push_guard: schemes are https, or http$"),
        (Given(schemes=("https", "ftp")), "^push_guard: schemes are https, or http$"),
        (Given(timeout_s=0), "^push_guard: timeout_s is above zero$"),
        (Given(networks=("a network",)), "network"),
    ],
    ids=range(4),
)
def test_settings_that_do_not_fit_stop_the_start(given: Given, rule: str) -> None:
    """By what they break."""
    assert PushGuard(timeout_s=0.1)
    with pytest.raises(ValueError, match=rule):
        PushGuard(**given)
