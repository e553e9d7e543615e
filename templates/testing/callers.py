"""What must hold of each caller, however a service finds out who calls."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass

import httpx
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from .harness import Caller, Content, Json, Reply, Wire, running, values
from .scripted import ScriptedAgent, adk_event
from .subject import PATH, build_executor

__all__ = [
    "METHODS",
    "Declared",
    "Headers",
    "TellingAgent",
    "assert_adk_lets_nobody_in",
    "assert_card_and_health_are_open",
    "assert_nobody_reads_it_but",
    "assert_refused",
    "declared",
    "say",
]

Headers = Mapping[str, str]

_CARD = PATH + "/.well-known/agent-card.json"
_HOOK: dict[str, Json] = {"id": "hook", "url": "https://example.com/hook"}

METHODS: Mapping[str, Mapping[str, dict[str, Json]]] = {
    "1.0": {
        "GetTask": {"id": ""},
        "CancelTask": {"id": ""},
        "SubscribeToTask": {"id": ""},
        "CreateTaskPushNotificationConfig": {"taskId": "", **_HOOK},
        "GetTaskPushNotificationConfig": {"taskId": "", "id": "hook"},
        "ListTaskPushNotificationConfigs": {"taskId": ""},
        "DeleteTaskPushNotificationConfig": {"taskId": "", "id": "hook"},
    },
    "0.3": {
        "tasks/get": {"id": ""},
        "tasks/cancel": {"id": ""},
        "tasks/resubscribe": {"id": ""},
        "tasks/pushNotificationConfig/set": {
            "taskId": "",
            "pushNotificationConfig": _HOOK,
        },
        "tasks/pushNotificationConfig/get": {
            "id": "",
            "pushNotificationConfigId": "hook",
        },
        "tasks/pushNotificationConfig/list": {"id": ""},
        "tasks/pushNotificationConfig/delete": {
            "id": "",
            "pushNotificationConfigId": "hook",
        },
    },
}
"""Each method that names a task, by protocol version, with what it takes."""

_WITHOUT_A_TASK: Mapping[str, Mapping[str, dict[str, Json]]] = {
    "1.0": {"ListTasks": {}, "GetExtendedAgentCard": {}},
    "0.3": {"agent/getAuthenticatedExtendedCard": {}},
}


class TellingAgent(ScriptedAgent):
    """Says who calls, as ADK has it, and pauses if it is told to."""

    async def _run_async_impl(
        self, ctx: InvocationContext
    ) -> AsyncGenerator[Event, None]:
        told = adk_event(f"caller <{ctx.session.user_id}>")
        told.invocation_id = ctx.invocation_id
        yield told
        async for event in super()._run_async_impl(ctx):
            yield event


async def say(
    caller: Caller,
    headers: Headers,
    wire: Wire | None = None,
    *,
    metadata: Mapping[str, Json] | None = None,
    task_id: str | None = None,
) -> Reply:
    """Send a message with these HTTP headers."""
    content = Content(
        parts=[{"text": "hello"}], metadata=metadata or {}, headers=headers
    )
    chosen = [] if wire is None else [wire]
    return await caller.send(content, *chosen, task_id=task_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """What the card demands of every caller.

    Attributes:
        scheme: The one scheme, in the words of A2A 0.3.
        scopes: What it has to grant.
    """

    scheme: Mapping[str, Json]
    scopes: list[str]


async def declared(caller: Caller) -> Declared:
    """Read what the card demands, the same for both protocol versions."""
    response = await caller.http.get(_CARD)
    card = response.json()
    ((name, scheme),) = card["securitySchemes"].items()
    (new,), (old,) = card["securityRequirements"], card["security"]
    scopes = old[name]
    assert new == {"schemes": {name: {"list": scopes} if scopes else {}}}
    return Declared(scheme=scheme, scopes=scopes)


async def assert_card_and_health_are_open(caller: Caller) -> None:
    """Nobody has to say who they are for these."""
    paths = (_CARD, "/healthz", "/readyz")
    found = [(await caller.http.get(path)).status_code for path in paths]
    assert found == [200, 200, 200]


async def assert_refused(
    caller: Caller, headers: Headers, status: int, challenge: str
) -> None:
    """Whatever method is called, the answer is the same, and nothing is in it.

    Args:
        caller: Calls the service.
        headers: What comes with each request.
        status: 401 or 403.
        challenge: What `WWW-Authenticate` begins with.
    """
    sending: dict[str, Json] = {
        "SendMessage": {},
        "SendStreamingMessage": {},
        "message/send": {},
        "message/stream": {},
    }
    for method in [
        *sending,
        *(name for names in METHODS.values() for name in names),
        *(name for names in _WITHOUT_A_TASK.values() for name in names),
    ]:
        response = await _posted(caller, method, {}, headers)
        assert response.status_code == status, method
        assert response.headers["WWW-Authenticate"].startswith(challenge), method
        assert list(response.json()) == ["error"], method


async def assert_adk_lets_nobody_in(agent: TellingAgent, headers: Headers) -> None:
    """Without this service's application there is no perimeter, and no way in."""
    app = to_a2a(agent, agent_executor_factory=build_executor)

    async with running(app) as caller:
        reply = await say(caller, headers)

    assert "caller <" not in reply.text
    assert reply.error_data["reason"] == "unauthorized"
    assert agent.runs == 0


async def assert_nobody_reads_it_but(
    caller: Caller, owner: Headers, other: Headers, version: str
) -> None:
    """A task of another caller isn't found, whatever method asks for it."""
    begun = await say(caller, owner)
    task_id = begun.task_id
    for method, params in METHODS[version].items():
        named: dict[str, Json] = {k: v or task_id for k, v in params.items()}
        response = await _posted(caller, method, named, other, version)
        assert response.status_code == 200, method
        assert "error" in response.text, method
        assert str(_INTERNAL_ERROR) not in response.text, method
        assert "caller <" not in response.text, method
    listed = await caller.call("ListTasks", {}, headers=other)
    assert task_id not in str(listed.answers)
    replied = await say(caller, other, task_id=task_id)
    assert replied.error is not None
    assert replied.error["code"] == _TASK_NOT_FOUND
    kept = await caller.call("GetTask", {"id": task_id}, headers=owner)
    assert kept.error is None
    assert list(values(kept.answers, "id")) != []


_TASK_NOT_FOUND = -32001
_INTERNAL_ERROR = -32603


async def _posted(
    caller: Caller,
    method: str,
    params: dict[str, Json],
    headers: Headers,
    version: str = "1.0",
) -> httpx.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    versioned = {"A2A-Version": version} if version == "1.0" else {}
    return await caller.http.post(
        PATH or "/", json=body, headers={**versioned, **headers}
    )
