"""That push_guard pushes to webhooks, and to none that it may not call."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from ipaddress import ip_network

import pytest

from .harness import WIRES, Caller, Reply, Wire, running, values
from .scripted import Factory, ScriptedAgent
from .subject import PATH, create_app
from .webhooks import MARK, PUBLIC, Web, send, set_hook

NAME = "push_guard"
SCHEMES: tuple[str, ...] = ("https",)
HOSTS: tuple[str, ...] | None = None
PORTS: tuple[int, ...] | None = None
NETWORKS: tuple[str, ...] = ()
TIMEOUT_S = 10.0

INSIDE = "169.254.169.254"
"""What no webhook has, whatever networks are named."""


def a_host(hosts: tuple[str, ...] | None) -> str:
    """Give the name of a host that is allowed."""
    return hosts[0].replace("*", "hooks") if hosts else "hooks.example.com"


def a_port(ports: tuple[int, ...] | None) -> str:
    """Give a port that is allowed, as it stands in an address."""
    return f":{ports[0]}" if ports else ""


def refused_addresses(
    hosts: tuple[str, ...] | None, ports: tuple[int, ...] | None
) -> dict[str, str]:
    """Give addresses with one mistake in each; `test_part_webhook_url` has more."""
    scheme, host, port = SCHEMES[0], a_host(hosts), a_port(ports)
    free = next(n for n in range(1, 65536) if n not in {443, 80, *(ports or ())})
    return {
        "other scheme": f"ftp://{host}{port}/hook",
        "user name": f"{scheme}://user:{MARK}@{host}{port}/hook",
        "other port": f"{scheme}://{host}:{free}/hook",
        "address inside": f"{scheme}://{INSIDE}{port}/hook",
        **({"other host": f"{scheme}://other.invalid{port}/hook"} if hosts else {}),
    }


HOST = a_host(HOSTS)
URL = f"{SCHEMES[0]}://{HOST}{a_port(PORTS)}/hook"
REFUSED = refused_addresses(HOSTS, PORTS)
INNER = [str(ip_network(network)[0]) for network in NETWORKS]

pytestmark = pytest.mark.anyio
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)
each_version = pytest.mark.parametrize("version", ["1.0", "0.3"])


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


@pytest.mark.parametrize("address", INNER)
async def test_an_address_in_a_network_that_is_named_is_called(
    agent: ScriptedAgent, web: Web, address: str
) -> None:
    """Webhooks may be where the service says."""
    web.addresses = [[address]]
    async with served(agent) as caller:
        await send(caller, WIRES[0], URL)

    assert set(web.connected) == {address}


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
