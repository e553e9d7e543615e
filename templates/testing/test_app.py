"""The application: card, health, lifespan, mounting, command line."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import pytest
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from pydantic import ValidationError
from starlette.applications import Starlette

from .harness import Caller, running
from .recorder import Recorder
from .scripted import Factory, ScriptedAgent
from .subject import (
    DESCRIPTION,
    INTERCEPTORS,
    PATH,
    PREFIX,
    SERVER,
    Settings,
    build_executor,
    create_app,
    main,
    mount_application,
)
from .subject import app as module

pytestmark = pytest.mark.anyio

CARD = PATH + "/.well-known/agent-card.json"


async def test_the_card_can_be_read_by_both_protocol_versions(caller: Caller) -> None:
    """A2A 1.0 reads supportedInterfaces, 0.3 reads url and preferredTransport."""
    card = (await caller.http.get(CARD)).json()

    versions = [each["protocolVersion"] for each in card["supportedInterfaces"]]
    assert versions == ["1.0", "0.3"]
    assert card["description"] == DESCRIPTION
    assert card["preferredTransport"] == "JSONRPC"
    assert card["capabilities"]["streaming"] is True


async def test_the_card_names_the_address_that_clients_reach(
    agent: ScriptedAgent,
) -> None:
    """The public URL wins over the address that the server listens at."""
    settings = Settings(public_url="https://agents.example.com/orders")
    app = create_app(lambda: settings, agent=agent)

    async with running(app) as caller:
        card = (await caller.http.get(CARD)).json()

    expected = "https://agents.example.com/orders" + (PATH or "/")
    assert card["url"] == expected
    assert {each["url"] for each in card["supportedInterfaces"]} == {expected}


async def test_it_is_ready_only_while_it_runs(agent: ScriptedAgent) -> None:
    """Liveness answers always, readiness from start-up to shutdown."""
    app = create_app(agent=agent)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://service"
    ) as http:
        alive = await http.get("/healthz")
        assert (alive.status_code, alive.json()) == (200, {"status": "ok"})
        assert (await http.get("/readyz")).status_code == 503
        async with running(app):
            ready = await http.get("/readyz")
            assert (ready.status_code, ready.json()) == (200, {"status": "ready"})
        assert (await http.get("/readyz")).status_code == 503


async def test_it_can_be_started_again(agent: ScriptedAgent, factory: Factory) -> None:
    """A second start has a runner of its own."""
    app = create_app(agent=agent, runner_factory=factory)
    at_rest = list(app.router.routes)
    for _ in range(2):
        async with running(app, PATH) as caller:
            assert (await caller.send("hello")).state == "completed"
        assert app.router.routes == at_rest

    assert [runner.closed for runner in factory.built] == [1, 1]


async def test_what_lives_with_it_opens_first_and_closes_last(
    agent: ScriptedAgent, factory: Factory
) -> None:
    """A runner may use it from its first request to its close."""
    seen: list[tuple[str, list[int]]] = []

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None, None]:
        seen.append(("opens", [runner.closed for runner in factory.built]))
        yield
        seen.append(("closes", [runner.closed for runner in factory.built]))

    app = create_app(agent=agent, runner_factory=factory, lifespan=lifespan)
    async with running(app, PATH) as caller:
        await caller.send("hello")

    assert seen == [("opens", []), ("closes", [1])]


async def test_no_run_outlives_it(agent: ScriptedAgent, factory: Factory) -> None:
    """A run that is under way at shutdown is ended with it."""
    agent.waits = True
    before = asyncio.all_tasks()
    app = create_app(agent=agent, runner_factory=factory)
    async with running(app, PATH) as caller:
        await caller.send("hello", wait=False)
        assert asyncio.all_tasks() > before

    assert asyncio.all_tasks() == before


async def test_it_works_under_a_prefix_of_another_application(
    agent: ScriptedAgent, factory: Factory
) -> None:
    """The parent's lifespan starts it, and the card names the prefix."""
    parent = Starlette()
    app = create_app(agent=agent, runner_factory=factory, prefix="/agents")
    mount_application(parent, "/agents", app)

    async with running(parent, "/agents" + (PATH or "/")) as caller:
        card = (await caller.http.get("/agents" + CARD)).json()
        reply = await caller.send("hello")

    assert card["url"].endswith("/agents" + (PATH or "/"))
    assert reply.state == "completed"


def test_mounting_tells_it_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card names the whole address."""
    parent = Starlette()
    mounted: list[tuple[object, ...]] = []

    def made(*, prefix: str) -> str:
        return f"made for {prefix}"

    def mount(*words: object) -> None:
        mounted.append(words)

    monkeypatch.setattr(module, "create_app", made)
    monkeypatch.setattr(module, "mount_application", mount)

    module.mount(parent, "/agents")

    assert mounted == [(parent, "/agents", "made for /agents")]


async def test_the_lifespan_of_the_other_application_runs_too(
    agent: ScriptedAgent,
) -> None:
    """Its state reaches the requests as before."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[dict[str, str], None]:
        yield {"name": "parent"}

    parent = Starlette(lifespan=lifespan)
    mount_application(parent, "/agents", create_app(agent=agent))

    async with parent.router.lifespan_context(parent) as state:
        assert state == {"name": "parent"}


async def test_adk_serves_the_same_chain(
    agent: ScriptedAgent, recorder: Recorder
) -> None:
    """The executor fits `to_a2a(agent, agent_executor_factory=...)`."""
    app = to_a2a(agent, agent_executor_factory=build_executor)

    async with running(app) as caller:
        reply = await caller.send("hello")

    assert reply.artifact_texts == ["one"]
    called = {name for _, name in recorder.calls}
    assert called == set(INTERCEPTORS)


def test_the_environment_wins_over_the_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it doesn't say is as the spec has it."""
    said = {"host": "192.0.2.1", "port": 65535, "public_url": "https://a.example"}
    for name in said:
        monkeypatch.delenv(PREFIX + name.upper(), raising=False)
    assert Settings().model_dump(include=set(said)) == SERVER

    for name, value in said.items():
        monkeypatch.setenv(PREFIX + name.upper(), str(value))

    assert Settings().model_dump(include=set(said)) == said


def test_the_environment_names_a_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """From 1 to 65535."""
    monkeypatch.setenv(f"{PREFIX}PORT", "1")
    assert Settings().port == 1
    for port in ("0", "65536", "http"):
        monkeypatch.setenv(f"{PREFIX}PORT", port)
        with pytest.raises(ValidationError, match="port"):
            Settings()


def test_the_command_line_says_where_it_listens(served: list[tuple[str, int]]) -> None:
    """It wins over the environment and the spec."""
    main(["--host", "localhost", "--port", "9000"])

    main(["--host", "localhost", "--port", "65535"])

    assert served == [("localhost", 9000), ("localhost", 65535)]


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http"])
def test_what_is_no_port_is_refused(
    served: list[tuple[str, int]], capsys: pytest.CaptureFixture[str], port: str
) -> None:
    """Before anything starts."""
    with pytest.raises(SystemExit):
        main([f"--port={port}"])

    assert "65535" in capsys.readouterr().err
    assert served == []


def test_a_second_worker_is_refused(
    served: list[tuple[str, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Tasks live in memory, so two processes would not share them."""
    with pytest.raises(SystemExit):
        main(["--workers", "2"])

    assert "kept in memory" in capsys.readouterr().err
    assert served == []
