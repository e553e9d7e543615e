"""The application, from its start to its end."""

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from unittest.mock import create_autospec

import httpx
import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.tasks import InMemoryPushNotificationConfigStore, PushNotificationSender
from a2a.types import AgentCard
from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from runtime.boundary.executor import BoundaryExecutor
from runtime.boundary.runner_provider import RunnerProvider
from runtime.seams.chain import Interceptor, guarded
from runtime.seams.exchange import current, exchange_of
from runtime.seams.interceptor import BeforeAgent, OnExit, Outcome
from runtime.seams.protocols import Closing, Perimeter, Pushing
from runtime.serving.application import (
    Definition,
    build_application,
    mount_application,
)
from runtime.serving.environment import ServerSettings

from .harness import Json, Wire, running
from .scripted import Factory, ScriptedAgent, request_context

pytestmark = pytest.mark.anyio

CARD = "/.well-known/agent-card.json"
URL = "https://a.example"


class Hooks(BeforeAgent, OnExit, Perimeter, Closing):
    """Notes what is asked of it."""

    def __init__(self, name: str, steps: list[str]) -> None:
        """Note it under a name."""
        self._name, self._steps = name, steps

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Let a message in."""
        facts = current().facts
        kind = "reply" if facts.is_reply else "message"
        self._steps.append(f"{self._name} gets a {kind} from {facts.address}")
        return context

    async def on_exit(self, outcome: Outcome) -> None:
        """See an end."""
        self._steps.append(f"{self._name} sees {outcome.kind}")

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Stand around the routes."""

        async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
            self._steps.append(f"{self._name} is asked")
            await app(scope, receive, send)

        return wrapped

    def describe(self, card: AgentCard) -> None:
        """Say something in the card."""
        card.description += f" {self._name}"

    async def close(self) -> None:
        """Close."""
        self._steps.append(f"{self._name} closes")


async def status(app: Starlette, path: str = "/readyz") -> int:
    """Ask the application for its status."""
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://a") as http:
        return (await http.get(path)).status_code


@pytest.fixture
def steps() -> list[str]:
    """What happened, in order."""
    return []


@pytest.fixture
def made(agent: ScriptedAgent, factory: Factory, steps: list[str]) -> Definition:
    """What an application is made of."""
    chain = [guarded(name, Hooks(name, steps)) for name in ("outer", "inner")]

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None, None]:
        steps.append(f"opens: {await status(app)}, {len(factory.built)} built")
        try:
            yield
        finally:
            closed = [runner.closed for runner in factory.built]
            steps.append(f"closes: {await status(app)}, closed {closed}")

    return Definition(
        description="Answers",
        agent=agent,
        runner_factory=factory,
        eager=False,
        interceptors=lambda: chain,
        executor=lambda runner, chain: BoundaryExecutor(
            runner=runner, interceptors=chain
        ),
        settings=lambda: ServerSettings(public_url=URL),
        path="/svc",
        prefix="/agents",
        lifespan=lifespan,
    )


async def test_what_is_opened_is_closed_in_the_other_order(
    made: Definition, agent: ScriptedAgent, factory: Factory, steps: list[str]
) -> None:
    """Once the requests are settled, those that run and those that wait."""
    agent.waits = True
    executors: list[BoundaryExecutor] = []

    def build(runner: RunnerProvider, chain: Sequence[Interceptor]) -> BoundaryExecutor:
        executors.append(made.executor(runner, chain))
        return executors[-1]

    app = build_application(replace(made, eager=True, executor=build))
    at_rest = list(app.router.routes)
    assert (steps, await status(app)) == ([], 503)

    async with running(app, made.path) as caller:
        assert len(factory.built) == 1
        await caller.send("hello", wait=False)
        executors[0].ledger.open(exchange_of(request_context()))
        steps.append(f"runs: {await status(app)}")

    assert app.router.routes == at_rest
    assert steps == [
        "opens: 503, 0 built",
        *("outer is asked", "inner is asked"),
        *("outer gets a message from 127.0.0.1", "inner gets a message from 127.0.0.1"),
        "runs: 200",
        *("inner sees shut_down", "outer sees shut_down") * 2,
        *("inner closes", "outer closes"),
        "closes: 503, closed [1]",
    ]


async def test_it_closes_when_it_breaks(made: Definition, steps: list[str]) -> None:
    """As it does otherwise."""
    with pytest.raises(ConnectionError):
        async with running(build_application(made)):
            raise ConnectionError

    assert steps[-3:] == ["inner closes", "outer closes", "closes: 503, closed []"]


@pytest.mark.parametrize("path", ["/svc", ""])
async def test_the_card_says_where_it_stands(
    made: Definition, steps: list[str], path: str
) -> None:
    """It is open to all, and tells what interceptors demand."""
    async with running(build_application(replace(made, path=path))) as caller:
        card = (await caller.http.get(path + CARD)).json()

    assert card["url"] == f"{URL}/agents" + (path or "/")
    assert card["description"] == "Answers outer inner"
    assert card["capabilities"]["pushNotifications"] is False
    assert "outer is asked" not in steps


@pytest.mark.parametrize("path", ["/svc", ""])
async def test_a_reply_finds_its_task(
    made: Definition, agent: ScriptedAgent, steps: list[str], path: str
) -> None:
    """Whatever protocol it speaks; the hooks see each message once."""
    agent.pauses = True
    made = replace(made, path=path, lifespan=None)
    async with running(build_application(made), path) as caller:
        first = await caller.send("hello", Wire("1.0", streaming=False))
        await caller.send("yes", Wire("0.3", streaming=True), task_id=first.task_id)

    assert [step for step in steps if step.startswith("inner gets")] == [
        "inner gets a message from 127.0.0.1",
        "inner gets a reply from 127.0.0.1",
    ]


async def test_one_interceptor_pushes(made: Definition) -> None:
    """The first that can: it is told its name, and keeps the webhooks."""
    first, second = (create_autospec(Pushing, instance=True) for _ in range(2))
    configs = InMemoryPushNotificationConfigStore()
    sender = create_autospec(PushNotificationSender, instance=True)
    first.push.return_value = configs, sender
    chain = [guarded("first", first), guarded("second", second)]
    app = build_application(replace(made, interceptors=lambda: chain))
    async with running(app, made.path) as caller:
        card = (await caller.http.get(made.path + CARD)).json()
        reply = await caller.send("hello")
        webhook: dict[str, Json] = {"taskId": reply.task_id, "id": "h", "url": URL}
        await caller.call("CreateTaskPushNotificationConfig", webhook)

    assert card["capabilities"]["pushNotifications"] is True
    first.push.assert_called_once_with("first")
    second.push.assert_not_called()
    (kept,) = await configs.get_info_for_dispatch(reply.task_id)
    assert kept.url == URL
    assert sender.send_notification.call_args.args[0] == reply.task_id


@pytest.mark.parametrize("bodies", [True, False])
async def test_bodies_are_logged_where_the_settings_say_so(
    made: Definition, caplog: pytest.LogCaptureFixture, *, bodies: bool
) -> None:
    """As long as it runs."""
    made = replace(made, settings=lambda: ServerSettings(log_bodies=bodies))
    async with running(build_application(made)):
        logging.getLogger("a2a").warning("%s", ["words"])
    logging.getLogger("a2a").warning("%s", ["words"])

    assert caplog.messages == ["['words']" if bodies else "<list: 1>", "['words']"]


async def test_another_application_starts_what_it_mounts(
    made: Definition, steps: list[str]
) -> None:
    """Within its own lifespan, whose state reaches the requests as before."""
    opened: list[Starlette] = []

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[dict[str, str], None]:
        opened.append(app)
        assert steps == []
        yield {"name": "parent"}
        assert steps[-1] == "closes: 503, closed []"

    parent, plain = Starlette(lifespan=lifespan), Starlette()
    for each in (parent, plain):
        mount_application(each, "/agents", build_application(made))

    async with parent.router.lifespan_context(parent) as state:
        assert state == {"name": "parent"}
        assert await status(parent, "/agents/readyz") == 200
        assert await status(parent, "/readyz") == 404
    assert opened == [parent]
    async with plain.router.lifespan_context(plain) as state:
        assert state == {}
