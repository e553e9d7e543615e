"""The service pushes to the webhooks that it may call, and refuses the others."""

import json
import logging
from collections.abc import AsyncGenerator
from itertools import count

import pytest
from a2a.types import TaskPushNotificationConfig
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.runners import Runner
from google.genai import types
from tests.runtime.issuing import AUDIENCE, ISSUER, public_pem, token
from tests.runtime.messages import PINS, call_context
from tests.runtime.serving import Exits, Setup, served
from tests.runtime.webhooks import OPEN, Call, Hook, Names, hooked

from runtime.recipes.authentication.bearer_jwt import BearerJwt
from runtime.recipes.limits.concurrency import Concurrency
from runtime.recipes.push import delivery as push_delivery
from runtime.recipes.push.push_guard import PushGuard
from runtime.recipes.redaction.redact import Redact
from runtime.seams.rejection import Rejected
from testing.harness import WIRES, Caller, Json, Reply, Wire, values
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_pin = pytest.mark.parametrize("pin", PINS)
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
each_version = pytest.mark.parametrize("version", ["1.0", "0.3"])

TOKEN = "token-of-the-caller"  # noqa: S105
CREDENTIALS = "credentials-of-the-caller"
_ids = count(1)

REFUSED = [
    "http://example.com/hook",
    "https://127.0.0.1/hook",
    "https://169.254.169.254/latest/meta-data",
    "https://[::ffff:169.254.169.254]/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://user:secret@example.com/",
    "https://example.com:22/",
    "https://inside.example.com/",
]


async def _says_two(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("one")
    yield adk_event("two")


async def _says_secrets(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("write to ann@example.com")
    raise ConnectionError("the database is at ann@example.com")


def allowing(hook: Hook, timeout_s: float = 5) -> PushGuard:
    """Allow a webhook on loopback."""
    return PushGuard(
        schemes=("http",), ports=(hook.port,), networks=OPEN, timeout_s=timeout_s
    )


def setup(pin: str, **hooks: object) -> Setup:
    return Setup(script=_says_two, pin=pin, hooks=hooks)


def config_of(wire: Wire, url: str) -> Json:
    """Give the configuration of a webhook in the form of the wire."""
    proof: Json = {"scheme": "Bearer", "credentials": CREDENTIALS}
    if wire.version == "0.3":
        proof = {"schemes": ["Bearer"], "credentials": CREDENTIALS}
    return {"id": "hook", "url": url, "token": TOKEN, "authentication": proof}


async def send(
    caller: Caller, wire: Wire, url: str | None, headers: dict[str, str] | None = None
) -> Reply:
    """Send a message, with a webhook in it or without one."""
    message: dict[str, Json] = {"messageId": f"m-{next(_ids)}"}
    if wire.version == "1.0":
        message |= {"role": "ROLE_USER", "parts": [{"text": "hello"}]}
        method = "SendStreamingMessage" if wire.streaming else "SendMessage"
        key = "taskPushNotificationConfig"
    else:
        parts: list[Json] = [{"kind": "text", "text": "hello"}]
        message |= {"kind": "message", "role": "user", "parts": parts}
        method = "message/stream" if wire.streaming else "message/send"
        key = "pushNotificationConfig"
    params: dict[str, Json] = {"message": message}
    if url is not None:
        params["configuration"] = {key: config_of(wire, url)}
    return await caller.call(method, params, wire.version, headers)


async def set_hook(
    caller: Caller,
    version: str,
    task_id: str,
    url: str,
    headers: dict[str, str] | None = None,
) -> Reply:
    """Set a webhook of a task by the call for it."""
    wire = Wire(version, streaming=False)
    config = config_of(wire, url)
    assert isinstance(config, dict)
    if version == "1.0":
        params: dict[str, Json] = {"taskId": task_id, **config}
        method = "CreateTaskPushNotificationConfig"
    else:
        params = {"taskId": task_id, "pushNotificationConfig": config}
        method = "tasks/pushNotificationConfig/set"
    return await caller.call(method, params, version, headers)


def task_id_of(reply: Reply) -> str:
    found = [*values(reply.answers, "taskId"), *values(reply.answers, "id")]
    return str(next(each for each in found if isinstance(each, str)))


def states(calls: list[Call]) -> list[Json]:
    return [state for call in calls for state in values(call.body, "state")]


@each_pin
async def test_the_card_says_that_it_pushes(pin: str) -> None:
    async with served(setup(pin, push=PushGuard())) as caller:
        card = await caller.http.get("/.well-known/agent-card.json")
    assert card.json()["capabilities"]["pushNotifications"] is True


@each_pin
@each_wire
async def test_updates_are_pushed_to_a_webhook_in_a_message(
    pin: str, wire: Wire
) -> None:
    async with hooked() as hook:
        async with served(setup(pin, push=allowing(hook))) as caller:
            reply = await send(caller, wire, hook.url())
        # The end of the service sends what waits.
        calls = hook.calls
    assert reply.state == "completed"
    assert states(calls)[0] == "TASK_STATE_SUBMITTED"
    assert states(calls)[-1] == "TASK_STATE_COMPLETED"
    told = [text for call in calls for text in values(call.body, "text")]
    assert "two" in told
    assert {call.headers["x-a2a-notification-token"] for call in calls} == {TOKEN}
    assert {call.headers["authorization"] for call in calls} == {
        f"Bearer {CREDENTIALS}"
    }


@each_pin
@each_version
async def test_updates_are_pushed_to_a_webhook_that_a_call_set(
    pin: str, version: str
) -> None:
    """A task that waits for its caller gets a webhook, and then an answer."""

    async def pauses(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        if len([each for each in ctx.session.events if each.author == "user"]) > 1:
            yield adk_event("done")
            return
        call = types.FunctionCall(id="call", name="approve", args={})
        asked = types.Content(role="model", parts=[types.Part(function_call=call)])
        yield Event(author="scripted", content=asked, long_running_tool_ids={"call"})

    async with hooked() as hook:
        what = Setup(script=pauses, pin=pin, hooks={"push": allowing(hook)})
        async with served(what) as caller:
            asked = await send(caller, Wire("1.0", streaming=False), None)
            task_id = task_id_of(asked)
            made = await set_hook(caller, version, task_id, hook.url())
            assert made.error is None
            response: Json = {"id": "call", "name": "approve", "response": {"ok": True}}
            part: Json = {
                "data": response,
                "metadata": {"adk_type": "function_response"},
            }
            message: Json = {
                "messageId": "answer",
                "role": "ROLE_USER",
                "parts": [part],
                "taskId": task_id,
            }
            await caller.call("SendMessage", {"message": message})
        calls = hook.calls
    assert asked.state == "input-required"
    assert states(calls)[-1] == "TASK_STATE_COMPLETED"


# --- what is refused ---------------------------------------------------------------


def assert_refused(reply: Reply, reason: str, policy: str = "push") -> None:
    assert reply.error is not None
    assert reply.error["code"] == -32602
    assert reply.error_data["reason"] == reason
    assert reply.error_data["policy"] == policy
    assert reply.error_data["correlation_id"]
    for secret in (TOKEN, CREDENTIALS, "secret", "example.com", "169.254"):
        assert secret not in str(reply.answers)


@each_pin
@each_wire
async def test_a_webhook_in_a_message_is_screened(
    pin: str, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    Names(monkeypatch, ["10.1.2.3"])
    exits = Exits()

    def factory() -> Runner:
        raise AssertionError

    what = setup(pin, exits=exits, push=PushGuard())
    what.factory = factory
    async with served(what) as caller:
        for url in REFUSED:
            assert_refused(await send(caller, wire, url), "push_url_refused")
        listed = await caller.call("ListTasks", {})
    assert not list(values(listed.answers, "contextId"))
    assert exits.kinds == ["rejected"] * len(REFUSED)
    assert {outcome.error_code for outcome in exits.outcomes} == {"push_url_refused"}


@each_pin
@each_version
async def test_a_webhook_of_a_call_is_screened(
    pin: str, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Names(monkeypatch, ["10.1.2.3"])
    async with served(setup(pin, push=PushGuard())) as caller:
        task_id = task_id_of(await send(caller, WIRES[0], None))
        for url in REFUSED:
            refused = await set_hook(caller, version, task_id, url)
            assert_refused(refused, "push_url_refused")
        kept = await caller.call("ListTaskPushNotificationConfigs", {"taskId": task_id})
    assert kept.error is None
    assert not list(values(kept.answers, "url"))


@each_version
async def test_the_task_comes_before_the_webhook(version: str) -> None:
    """Who doesn't own the task has no name looked up."""
    async with served(setup("new", push=PushGuard())) as caller:
        refused = await set_hook(caller, version, "no-such-task", REFUSED[0])
    assert refused.error is not None
    assert refused.error["code"] == -32001


@pytest.mark.parametrize(
    "value", ["q\r\nHost: evil", "q\x00", "ä", "q\t", "q ", "x" * 5000], ids=ascii
)
@pytest.mark.parametrize("field", ["token", "credentials"])
async def test_what_no_header_can_hold_is_refused(
    field: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Names(monkeypatch, ["8.8.8.8"])
    config = TaskPushNotificationConfig(id="a", url="https://example.com/")
    config.authentication.scheme = "Bearer"
    if field == "token":
        config.token = value
    else:
        config.authentication.credentials = value
    configs, _ = PushGuard().push("push")
    with pytest.raises(Rejected) as found:
        await configs.set_info("t", config, call_context())
    assert found.value.reason == "push_token_refused"
    assert value not in str(found.value)


async def test_a_task_has_ten_webhooks_at_most() -> None:
    async with hooked() as hook:
        configs, _ = allowing(hook).push("push")

        async def set_info(name: str, task: str = "t") -> None:
            config = TaskPushNotificationConfig(id=name, url=hook.url())
            await configs.set_info(task, config, call_context())

        for number in range(10):
            await set_info(f"{number}")
        await set_info("0")
        await set_info("10", task="other")
        with pytest.raises(Rejected, match="at most 10") as found:
            await set_info("10")
        assert found.value.reason == "too_many_webhooks"
        await configs.delete_info("t", call_context(), "3")
        await set_info("10")
        await configs.delete_info("t", call_context())
        assert await configs.get_info_for_dispatch("t") == []


# --- what may not happen while it is sent ---------------------------------------------


@each_pin
async def test_a_name_that_changed_since_is_not_called(
    pin: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with hooked() as hook:
        # Once for the message, once for the store, and then it points inside.
        names = Names(monkeypatch, ["8.8.8.8"], ["8.8.8.8"], ["127.0.0.1"])
        guard = PushGuard(schemes=("http",), ports=(hook.port,))
        async with served(setup(pin, push=guard)) as caller:
            reply = await send(caller, WIRES[0], hook.url("rebinding.example.com"))
    assert reply.state == "completed"
    assert len(names.asked) > 2
    assert hook.opened == 0
    assert "the webhook's address isn't allowed" in caplog.text
    assert "rebinding" not in caplog.text


@each_pin
@each_wire
async def test_a_silent_webhook_holds_up_nobody(
    pin: str, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push_delivery, "CLOSE_SECONDS", 0.2)
    exits = Exits()
    async with hooked(Hook(silent=True)) as hook:
        guard = allowing(hook, timeout_s=60)
        async with served(setup(pin, exits=exits, push=guard)) as caller:
            for _ in range(3):
                reply = await send(caller, wire, hook.url())
                assert reply.state == "completed"
            await hook.called(3)
    assert exits.kinds == ["completed"] * 3


@each_pin
@each_wire
async def test_what_is_pushed_is_masked(pin: str, wire: Wire) -> None:
    async with hooked() as hook:
        hooks = {"redact": Redact(entities=("email",)), "push": allowing(hook)}
        what = Setup(script=_says_secrets, pin=pin, hooks=hooks)
        async with served(what) as caller:
            reply = await send(caller, wire, hook.url())
            stored = await caller.call("GetTask", {"id": task_id_of(reply)})
        pushed = json.dumps([call.body for call in hook.calls])
    assert reply.state == "failed"
    assert states(hook.calls)[-1] == "TASK_STATE_FAILED"
    assert "[email]" in pushed
    assert "ann@" not in pushed
    assert "ann@" not in str(stored.answers)


@pytest.mark.parametrize("level", [logging.INFO, logging.DEBUG])
@each_pin
@each_wire
async def test_nothing_of_a_webhook_is_logged(
    pin: str, wire: Wire, level: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(level)
    async with hooked() as hook, served(setup(pin, push=allowing(hook))) as caller:
        url = f"{hook.url()}/path-secret"
        reply = await send(caller, wire, url)
        await set_hook(caller, wire.version, task_id_of(reply), url)
        await send(caller, wire, "https://user:pass-secret@example.com/")
        await hook.called(1)
    assert TOKEN not in caplog.text
    assert CREDENTIALS not in caplog.text
    assert "pass-secret" not in caplog.text
    # At DEBUG the SDK writes down what it was sent.
    assert level == logging.DEBUG or "path-secret" not in caplog.text


@each_version
async def test_a_webhook_is_its_callers_alone(version: str) -> None:
    """Another caller neither reads nor deletes it, nor sets one of her task."""
    identity = BearerJwt(issuers=(ISSUER,), audiences=(AUDIENCE,), key=public_pem())

    def as_(name: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {token(sub=name)}"}

    async def named(caller: Caller, what: str, who: str) -> Reply:
        if version == "1.0":
            method, key, inner = f"{what}TaskPushNotificationConfig", "taskId", "id"
        else:
            method = f"tasks/pushNotificationConfig/{what.lower()}"
            key, inner = "id", "pushNotificationConfigId"
        params: dict[str, Json] = {key: task_id, inner: "hook"}
        if what == "List":
            del params[inner]
            method += "s" if version == "1.0" else ""
        return await caller.call(method, params, version, as_(who))

    async with hooked() as hook:
        what = setup("new", identity=identity, push=allowing(hook))
        async with served(what) as caller:
            task_id = task_id_of(await send(caller, WIRES[0], hook.url(), as_("ann")))
            for method in ("Get", "List", "Delete"):
                refused = await named(caller, method, "bob")
                assert refused.error is not None
                assert refused.error["code"] == -32001
                assert TOKEN not in str(refused.answers)
            url = hook.url()
            his = await set_hook(caller, version, task_id, url, as_("bob"))
            assert his.error is not None
            hers = await named(caller, "Get", "ann")
            assert list(values(hers.answers, "token")) == [TOKEN]
            assert (await named(caller, "Delete", "ann")).error is None
            assert not list(values((await named(caller, "List", "ann")).answers, "url"))


async def test_what_a_hook_acquired_is_released_by_a_late_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The store refuses what the message's own check let through."""
    Names(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])
    exits = Exits()
    hooks = {"slots": Concurrency(most=1), "exits": exits, "push": PushGuard()}
    what = Setup(script=_says_two, hooks=hooks)
    async with served(what) as caller:
        refused = await send(caller, WIRES[0], "https://example.com/")
        assert_refused(refused, "push_url_refused")
        assert (await send(caller, WIRES[0], None)).state == "completed"
    assert exits.kinds == ["never_started", "completed"]


@pytest.mark.parametrize(
    "values_",
    [
        {"schemes": ()},
        {"schemes": ("ftp",)},
        {"timeout_s": 0},
        {"networks": ("10.0.0.1/8",)},
    ],
    ids=str,
)
def test_values_that_cannot_be_used(values_: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"."):
        PushGuard(**values_)  # type: ignore[arg-type]
