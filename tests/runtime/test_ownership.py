"""A task belongs to the caller who started it, whatever method asks for it."""

import asyncio
from collections.abc import AsyncGenerator
from itertools import count

import httpx
import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types
from tests.runtime.issuing import AUDIENCE, ISSUER, public_pem, token
from tests.runtime.serving import Exits, Setup, served

from runtime.recipes.authentication.bearer_jwt import BearerJwt
from testing.harness import Caller, Json, Reply, values
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]

_ids = count(1)
PINS = ["legacy", "new"]
NAMED = {
    "1.0": {
        "get": ("GetTask", "id"),
        "cancel": ("CancelTask", "id"),
        "subscribe": ("SubscribeToTask", "id"),
        "get push": ("GetTaskPushNotificationConfig", "taskId"),
        "create push": ("CreateTaskPushNotificationConfig", "taskId"),
        "list push": ("ListTaskPushNotificationConfigs", "taskId"),
        "delete push": ("DeleteTaskPushNotificationConfig", "taskId"),
    },
    "0.3": {
        "get": ("tasks/get", "id"),
        "cancel": ("tasks/cancel", "id"),
        "subscribe": ("tasks/resubscribe", "id"),
        "get push": ("tasks/pushNotificationConfig/get", "id"),
        "create push": ("tasks/pushNotificationConfig/set", "taskId"),
        "list push": ("tasks/pushNotificationConfig/list", "id"),
        "delete push": ("tasks/pushNotificationConfig/delete", "id"),
    },
}
each_method = pytest.mark.parametrize(
    ("version", "what"),
    [(version, what) for version, methods in NAMED.items() for what in methods],
)


async def tells_who(ctx: InvocationContext) -> AsyncGenerator[Event, None]:
    """Say who asks and how much was said so far, and wait for approval if told to."""
    content = ctx.user_content
    text = (content.parts or [])[0].text if content else ""
    yield adk_event(f"{ctx.session.user_id}, {len(ctx.session.events)} events")
    if text == "pause":
        call = types.FunctionCall(id="call", name="approve", args={})
        asked = types.Content(role="model", parts=[types.Part(function_call=call)])
        yield Event(author="scripted", content=asked, long_running_tool_ids={"call"})
    if text == "wait":
        await asyncio.sleep(3600)


def setup(pin: str, exits: Exits | None = None) -> Setup:
    identity = BearerJwt(issuers=(ISSUER,), audiences=(AUDIENCE,), key=public_pem())
    hooks: dict[str, object] = {"identity": identity, "exits": exits or Exits()}
    return Setup(script=tells_who, pin=pin, hooks=hooks)


def as_caller(name: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token(sub=name)}"} if name else {}


async def say(
    caller: Caller, name: str | None, text: str, **more: Json
) -> httpx.Response:
    """Send a message as somebody."""
    message: Json = {
        "messageId": f"m-{next(_ids)}",
        "role": "ROLE_USER",
        "parts": [{"text": text}],
        **more,
    }
    return await post(caller, name, "SendMessage", {"message": message})


async def post(
    caller: Caller,
    name: str | None,
    method: str,
    params: Json,
    version: str = "1.0",
) -> httpx.Response:
    """Call a method as somebody."""
    return await caller.http.post(
        "/",
        json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
        headers={
            **({"A2A-Version": "1.0"} if version == "1.0" else {}),
            **as_caller(name),
        },
    )


def params_of(version: str, what: str, task_id: str) -> tuple[str, Json]:
    """Give the method and the arguments that ask for a task."""
    method, key = NAMED[version][what]
    params: dict[str, Json] = {key: task_id}
    if what == "create push":
        config: Json = {"id": "hook", "url": "https://example.com/hook"}
        if version == "1.0":
            params |= {"id": "hook", "url": "https://example.com/hook"}
        else:
            params["pushNotificationConfig"] = config
    elif what in {"get push", "delete push"}:
        params["id" if version == "1.0" else "pushNotificationConfigId"] = "hook"
    return method, params


@pytest.mark.parametrize("pin", PINS)
@each_method
async def test_another_caller_gets_nothing(pin: str, version: str, what: str) -> None:
    async with served(setup(pin)) as caller:
        hers = await say(caller, "ann", "pause")
        task_id = str(hers.json()["result"]["task"]["id"])
        method, params = params_of(version, what, task_id)
        his = await post(caller, "bob", method, params, version)
        nobody = await post(caller, None, method, params, version)
        still = await post(caller, "ann", "GetTask", {"id": task_id})
    assert his.status_code == 200
    assert '"error"' in his.text
    assert "ann" not in his.text
    assert nobody.status_code == 401
    assert nobody.headers["WWW-Authenticate"].startswith("Bearer")
    assert "ann" not in nobody.text
    assert Reply([still.json()]).state == "input-required"


@pytest.mark.parametrize("pin", PINS)
async def test_a_list_holds_ones_own_tasks(pin: str) -> None:
    async with served(setup(pin)) as caller:
        await say(caller, "ann", "hi")
        his = await post(caller, "bob", "ListTasks", {})
        hers = await post(caller, "ann", "ListTasks", {})
        nobody = await post(caller, None, "ListTasks", {})
    assert his.json()["result"]["tasks"] == []
    assert len(hers.json()["result"]["tasks"]) == 1
    assert nobody.status_code == 401


@pytest.mark.parametrize("pin", PINS)
async def test_the_subject_is_the_user_and_owner(pin: str) -> None:
    exits = Exits()
    async with served(setup(pin, exits)) as caller:
        hers = await say(caller, "ann", "hi")
        task_id = str(hers.json()["result"]["task"]["id"])
        polled = await post(caller, "ann", "GetTask", {"id": task_id})
    assert "ann, 1 events" in hers.text
    assert Reply([polled.json()]).state == "completed"
    assert exits.outcomes[0].request.caller == "ann"


@pytest.mark.parametrize("pin", PINS)
async def test_a_message_to_anothers_task_is_refused(pin: str) -> None:
    async with served(setup(pin)) as caller:
        hers = await say(caller, "ann", "pause")
        task_id = str(hers.json()["result"]["task"]["id"])
        his = await say(caller, "bob", "yes", taskId=task_id)
        nobody = await say(caller, None, "yes", taskId=task_id)
        still = await post(caller, "ann", "GetTask", {"id": task_id})
    assert his.json()["error"]["code"] == -32001
    assert nobody.status_code == 401
    assert Reply([still.json()]).state == "input-required"


@pytest.mark.parametrize("pin", PINS)
async def test_a_message_to_anothers_context_runs_in_an_empty_session(pin: str) -> None:
    async with served(setup(pin)) as caller:
        hers = await say(caller, "ann", "hi")
        context_id = str(hers.json()["result"]["task"]["contextId"])
        again = await say(caller, "ann", "hi", contextId=context_id)
        his = await say(caller, "bob", "hi", contextId=context_id)
    assert "ann, 3 events" in again.text
    assert "bob, 1 events" in his.text


@pytest.mark.parametrize("pin", PINS)
async def test_another_caller_cannot_cancel_a_run(pin: str) -> None:
    exits = Exits()
    async with served(setup(pin, exits)) as caller:
        message: Json = {
            "messageId": "m",
            "role": "ROLE_USER",
            "parts": [{"text": "wait"}],
        }
        begun = await post(
            caller,
            "ann",
            "SendMessage",
            {"message": message, "configuration": {"returnImmediately": True}},
        )
        task_id = str(begun.json()["result"]["task"]["id"])
        his = await post(caller, "bob", "CancelTask", {"id": task_id})
        assert exits.kinds == []
        hers = await post(caller, "ann", "CancelTask", {"id": task_id})
    assert his.json()["error"]["code"] == -32001
    assert Reply([hers.json()]).state == "canceled"
    assert exits.kinds == ["canceled"]


async def test_the_card_is_public_and_says_what_is_asked() -> None:
    async with served(setup("new")) as caller:
        card = await caller.http.get("/.well-known/agent-card.json")
        healthy = await caller.http.get("/healthz")
    assert card.status_code == healthy.status_code == 200
    assert list(card.json()["securitySchemes"]) == ["bearer_jwt"]
    assert next(values(card.json(), "scheme")) == "bearer"
