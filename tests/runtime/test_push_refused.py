"""A service without push says so, also where the webhook comes inside a message."""

from collections.abc import AsyncGenerator

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from tests.runtime.messages import PINS
from tests.runtime.serving import Exits, Setup, served

from testing.harness import WIRES, Caller, Json, Reply, Wire, values
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


async def _says_hello(_: InvocationContext) -> AsyncGenerator[Event, None]:
    yield adk_event("hello")


async def send_with(caller: Caller, wire: Wire, config: Json) -> Reply:
    """Send a message with a configuration of it."""
    message: dict[str, Json] = {"messageId": "m"}
    if wire.version == "1.0":
        message |= {"role": "ROLE_USER", "parts": [{"text": "hello"}]}
        method = "SendStreamingMessage" if wire.streaming else "SendMessage"
    else:
        parts: list[Json] = [{"kind": "text", "text": "hello"}]
        message |= {"kind": "message", "role": "user", "parts": parts}
        method = "message/stream" if wire.streaming else "message/send"
    params: dict[str, Json] = {"message": message, "configuration": config}
    return await caller.call(method, params, wire.version)


@pytest.mark.parametrize("url", ["https://example.com/", "http://169.254.169.254/"])
@pytest.mark.parametrize("pin", PINS)
@each_wire
async def test_a_webhook_in_a_message_is_refused(
    pin: str, wire: Wire, url: str
) -> None:
    exits = Exits()
    name = "taskPushNotificationConfig"
    key = name if wire.version == "1.0" else "pushNotificationConfig"
    setup = Setup(script=_says_hello, pin=pin, hooks={"exits": exits})
    async with served(setup) as caller:
        refused = await send_with(caller, wire, {key: {"url": url, "token": "t"}})
        listed = await caller.call("ListTasks", {})

    assert refused.error is not None
    assert refused.error["code"] == -32003
    assert url not in str(refused.answers)
    assert not list(values(listed.answers, "contextId"))
    # It was never let in, so there is nothing to settle.
    assert exits.kinds == []


@pytest.mark.parametrize("pin", PINS)
@each_wire
async def test_other_configuration_is_let_in(pin: str, wire: Wire) -> None:
    setup = Setup(script=_says_hello, pin=pin)
    async with served(setup) as caller:
        reply = await send_with(caller, wire, {"historyLength": 1})
        card = await caller.http.get("/.well-known/agent-card.json")

    assert reply.state == "completed"
    assert not card.json()["capabilities"].get("pushNotifications", False)
