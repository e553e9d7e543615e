"""That push_guard pushes to webhooks, and to none that it may not call."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from ipaddress import ip_network

import httpcore
import pytest

from .harness import WIRES, Caller, Json, Reply, Wire, running, values
from .scripted import Factory, ScriptedAgent
from .subject import PATH, create_app, executor

NAME = "push_guard"
SCHEMES: tuple[str, ...] = ("https",)
HOSTS: tuple[str, ...] | None = None
PORTS: tuple[int, ...] | None = None
NETWORKS: tuple[str, ...] = ()
TIMEOUT_S = 10.0

PUBLIC = "8.8.8.8"
INSIDE = "169.254.169.254"
"""What no webhook has, whatever networks are named."""
MARK = "of-the-caller"


def a_host(hosts: tuple[str, ...] | None) -> str:
    """Give the name of a host that is allowed."""
    return hosts[0].replace("*", "hooks") if hosts else "hooks.example.com"


def a_port(ports: tuple[int, ...] | None) -> str:
    """Give a port that is allowed, as it stands in an address."""
    return f":{ports[0]}" if ports else ""


def refused_addresses(
    hosts: tuple[str, ...] | None, ports: tuple[int, ...] | None
) -> dict[str, str]:
    """Give addresses of webhooks with one mistake in each."""
    scheme, host, port = SCHEMES[0], a_host(hosts), a_port(ports)
    free = next(n for n in range(1, 65536) if n not in {443, 80, *(ports or ())})
    return {
        "no scheme": f"//{host}{port}/hook",
        "other scheme": f"ftp://{host}{port}/hook",
        "user name": f"{scheme}://user:{MARK}@{host}{port}/hook",
        "fragment": f"{scheme}://{host}{port}/hook#part",
        "other port": f"{scheme}://{host}:{free}/hook",
        "address inside": f"{scheme}://{INSIDE}{port}/hook",
        "carried inside": f"{scheme}://[::ffff:{INSIDE}]{port}/hook",
        "in decimal": f"{scheme}://2852039166{port}/hook",
        **(
            {"other host": f"{scheme}://not-listed.invalid{port}/hook"} if hosts else {}
        ),
    }


HOST = a_host(HOSTS)
URL = f"{SCHEMES[0]}://{HOST}{a_port(PORTS)}/hook"
REFUSED = refused_addresses(HOSTS, PORTS)
INNER = [str(ip_network(network)[0]) for network in NETWORKS]

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
each_version = pytest.mark.parametrize("version", ["1.0", "0.3"])


class Web(httpcore.AsyncNetworkBackend):
    """Stands in for the network: a name server, and a webhook at every address.

    Attributes:
        addresses: What each name has, look-up for look-up; the last answer stays.
        answer: What the webhook answers with; nothing at all if it is empty.
        asked: The names that were looked up.
        connected: The addresses that were connected to.
        verified: The names that TLS was to verify.
        calls: What the webhook got.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Stand in for it until the end of the test."""
        self.addresses = [[PUBLIC]]
        self.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        self.asked: list[str] = []
        self.connected: list[str] = []
        self.verified: list[str] = []
        self.calls: list[tuple[str, Json]] = []
        package = f"{executor.__package__}.recipes.push"
        monkeypatch.setattr(f"{package}.webhook_client.look_up", self.look_up)
        connection = partial(httpcore.AsyncHTTPConnection, network_backend=self)
        monkeypatch.setattr(httpcore, "AsyncHTTPConnection", connection)
        # Who stops isn't kept waiting by a webhook that doesn't answer.
        monkeypatch.setattr(f"{package}.delivery.CLOSE_SECONDS", 1)

    async def look_up(self, host: str, _: int) -> list[str]:
        """Give the addresses of a name."""
        await asyncio.sleep(0)
        self.asked.append(host)
        return self.addresses.pop(0) if self.addresses[1:] else self.addresses[0]

    async def connect_tcp(
        self, host: str, port: int, *_: object, **__: object
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the webhook."""
        await asyncio.sleep(0)
        assert port
        self.connected.append(host)
        return Line(self)

    @property
    def states(self) -> list[Json]:
        """The states of the task that the webhook was told, in order."""
        return [state for _, body in self.calls for state in values(body, "state")]


class Line(httpcore.AsyncNetworkStream):
    """One connection to the webhook."""

    def __init__(self, web: Web) -> None:
        """Connect."""
        self._web = web
        self._got = b""

    async def start_tls(
        self, *_: object, server_hostname: str | None = None, **__: object
    ) -> httpcore.AsyncNetworkStream:
        """Note what would be verified."""
        await asyncio.sleep(0)
        self._web.verified.append(server_hostname or "")
        return self

    async def write(self, buffer: bytes, *_: object, **__: object) -> None:
        """Take a part of a call."""
        await asyncio.sleep(0)
        self._got += buffer

    async def read(self, *_: object, **__: object) -> bytes:
        """Answer the call."""
        if not self._web.answer:
            await asyncio.sleep(3600)
        await asyncio.sleep(0)
        head, body = self._got.split(b"\r\n\r\n", 1)
        self._web.calls.append((head.decode(), json.loads(body)))
        return self._web.answer

    async def aclose(self) -> None:
        """Hang up."""
        await asyncio.sleep(0)


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture(autouse=True)
def web(monkeypatch: pytest.MonkeyPatch) -> Web:
    """The network that the service is in."""
    return Web(monkeypatch)


@asynccontextmanager
async def served(agent: ScriptedAgent) -> AsyncGenerator[Caller, None]:
    """Serve as long as the block lasts; what is to be pushed is pushed by its end."""
    application = create_app(agent=agent, runner_factory=Factory(agent))
    async with running(application, PATH) as caller:
        yield caller


def config(version: str, url: str) -> dict[str, Json]:
    """Give the configuration of a webhook."""
    proof: Json = {"scheme": "Bearer", "credentials": MARK}
    if version == "0.3":
        proof = {"schemes": ["Bearer"], "credentials": MARK}
    return {"id": "hook", "url": url, "token": MARK, "authentication": proof}


async def send(caller: Caller, wire: Wire, url: str) -> Reply:
    """Send a message with a webhook in it."""
    if wire.version == "1.0":
        message: dict[str, Json] = {"role": "ROLE_USER", "parts": [{"text": "hello"}]}
        method = "SendStreamingMessage" if wire.streaming else "SendMessage"
        key = "taskPushNotificationConfig"
    else:
        parts: list[Json] = [{"kind": "text", "text": "hello"}]
        message = {"kind": "message", "role": "user", "parts": parts}
        method = "message/stream" if wire.streaming else "message/send"
        key = "pushNotificationConfig"
    params: dict[str, Json] = {
        "message": {"messageId": "message-with-hook", **message},
        "configuration": {key: config(wire.version, url)},
    }
    return await caller.call(method, params, wire.version)


async def set_hook(caller: Caller, version: str, task_id: str, url: str) -> Reply:
    """Set a webhook of a task by the call for it."""
    if version == "1.0":
        method = "CreateTaskPushNotificationConfig"
        params: dict[str, Json] = {"taskId": task_id, **config(version, url)}
    else:
        method = "tasks/pushNotificationConfig/set"
        params = {
            "taskId": task_id,
            "pushNotificationConfig": config(version, url),
        }
    return await caller.call(method, params, version)


async def test_the_card_says_that_it_pushes(agent: ScriptedAgent) -> None:
    """A caller knows that it may set a webhook."""
    async with served(agent) as caller:
        card = await caller.http.get(f"{PATH}/.well-known/agent-card.json")

    assert next(values(card.json(), "pushNotifications")) is True


@each_wire
async def test_updates_are_pushed(agent: ScriptedAgent, web: Web, wire: Wire) -> None:
    """From the first one to the last, with what the caller set to know them by."""
    async with served(agent) as caller:
        reply = await send(caller, wire, URL)

    assert reply.state == "completed"
    assert web.states[0] == "TASK_STATE_SUBMITTED"
    assert web.states[-1] == "TASK_STATE_COMPLETED"
    assert set(web.connected) == {PUBLIC}
    for head, _ in web.calls:
        assert head.startswith("POST /hook HTTP/1.1")
        assert f"X-A2A-Notification-Token: {MARK}" in head
        assert f"Authorization: Bearer {MARK}" in head


@each_version
async def test_a_webhook_of_a_call_is_told_how_it_goes_on(
    agent: ScriptedAgent, web: Web, version: str
) -> None:
    """A task that waits gets a webhook, and is canceled."""
    agent.pauses = True
    async with served(agent) as caller:
        task_id = (await caller.send("hello")).task_id
        kept = await set_hook(caller, version, task_id, URL)
        await caller.call("CancelTask", {"id": task_id})
        listed = await caller.call(
            "ListTaskPushNotificationConfigs", {"taskId": task_id}
        )

    assert kept.error is None
    assert list(values(listed.answers, "url")) == [URL]
    assert web.states == ["TASK_STATE_CANCELED"]


@pytest.mark.parametrize("what", REFUSED)
@each_wire
async def test_a_message_with_another_webhook_is_refused(
    agent: ScriptedAgent, web: Web, wire: Wire, what: str
) -> None:
    """Before a task is made, and nothing has run."""
    async with served(agent) as caller:
        refused = await send(caller, wire, REFUSED[what])
        listed = await caller.call("ListTasks", {})

    assert_refused(refused)
    assert agent.runs == 0
    assert listed.state is None
    assert web.connected == []


@pytest.mark.parametrize("what", REFUSED)
@each_version
async def test_another_webhook_of_a_call_is_refused(
    agent: ScriptedAgent, web: Web, version: str, what: str
) -> None:
    """The task has none then."""
    agent.pauses = True
    async with served(agent) as caller:
        task_id = (await caller.send("hello")).task_id
        refused = await set_hook(caller, version, task_id, REFUSED[what])
        listed = await caller.call(
            "ListTaskPushNotificationConfigs", {"taskId": task_id}
        )

    assert_refused(refused)
    assert not list(values(listed.answers, "url"))
    assert web.connected == []


def assert_refused(reply: Reply) -> None:
    """The caller is told why, and nothing of what it sent."""
    assert reply.error is not None
    assert reply.error["code"] == -32602
    assert reply.error_data["reason"] == "push_url_refused"
    assert reply.error_data["policy"] == NAME
    assert MARK not in str(reply.answers)


@each_wire
async def test_a_name_that_leads_inside_is_refused(
    agent: ScriptedAgent, web: Web, wire: Wire
) -> None:
    """One address of several is enough."""
    web.addresses = [[PUBLIC, INSIDE]]
    async with served(agent) as caller:
        refused = await send(caller, wire, URL)

    assert_refused(refused)
    assert agent.runs == 0


@each_wire
async def test_a_name_that_leads_inside_later_is_not_called(
    agent: ScriptedAgent, web: Web, wire: Wire
) -> None:
    """What it had when it was set is worth nothing when it is called."""
    web.addresses = [[PUBLIC], [PUBLIC], [INSIDE]]
    async with served(agent) as caller:
        reply = await send(caller, wire, URL)

    assert reply.state == "completed"
    assert len(web.asked) > 2
    assert web.connected == []


async def test_what_was_checked_is_what_is_connected_to(
    agent: ScriptedAgent, web: Web
) -> None:
    """There is no look-up between the two that could tell another address."""
    web.addresses = [[PUBLIC], [PUBLIC], [PUBLIC], [INSIDE]]
    async with served(agent) as caller:
        await send(caller, WIRES[0], URL)

    assert web.connected == [PUBLIC]


@pytest.mark.parametrize("address", INNER)
async def test_an_address_in_a_network_that_is_named_is_called(
    agent: ScriptedAgent, web: Web, address: str
) -> None:
    """Webhooks may be where the service says."""
    web.addresses = [[address]]
    async with served(agent) as caller:
        await send(caller, WIRES[0], URL)

    assert set(web.connected) == {address}


@pytest.mark.skipif("https" not in URL, reason="without TLS nothing is verified")
async def test_tls_verifies_the_name(agent: ScriptedAgent, web: Web) -> None:
    """Not the address that is connected to."""
    async with served(agent) as caller:
        await send(caller, WIRES[0], URL)

    assert set(web.verified) == {HOST}


async def test_a_redirect_is_not_followed(agent: ScriptedAgent, web: Web) -> None:
    """Where the webhook sends the service, it doesn't go."""
    web.answer = (
        f"HTTP/1.1 307 Elsewhere\r\nLocation: {SCHEMES[0]}://other.example/\r\n"
        "Content-Length: 0\r\n\r\n"
    ).encode()
    async with served(agent) as caller:
        await send(caller, WIRES[0], URL)

    assert web.calls
    assert set(web.asked) == {HOST}


@pytest.mark.skipif(TIMEOUT_S < 2, reason="nobody would notice a call so short")
@each_wire
async def test_a_webhook_that_does_not_answer_holds_up_nobody(
    agent: ScriptedAgent, web: Web, wire: Wire
) -> None:
    """The caller has its answer while the first call still waits for its own."""
    web.answer = b""
    async with served(agent) as caller:
        reply = await send(caller, wire, URL)
        called = len(web.connected)

    assert reply.state == "completed"
    assert called <= 1
    assert web.connected
