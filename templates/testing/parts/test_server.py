"""The command line: what it takes, and what the server is started with."""

import gc
import logging
from collections.abc import Callable

import pytest
import uvicorn
from pydantic_settings import BaseSettings, SettingsConfigDict
from starlette.applications import Starlette

from runtime.serving import server
from runtime.serving.environment import ServerSettings
from runtime.serving.server import serve

PROGRAM = "python -m " + server.__name__.split(".", maxsplit=1)[0]


class Settings(ServerSettings):
    """Settings of a service."""

    model_config = SettingsConfigDict(env_prefix="SERVED_")


class Needed(BaseSettings):
    """Settings that must be there."""

    model_config = SettingsConfigDict(env_prefix="SERVED_")

    key: str


class Service:
    """Stands in for a service, the collector and the server.

    Attributes:
        app: The application that it makes.
        settings: What the application was made with.
        started: What the server was started with.
        steps: What was done, in order.
    """

    def __init__(self) -> None:
        """Begin with nothing done."""
        self.app = Starlette()
        self.settings: list[Settings] = []
        self.started: list[dict[str, object]] = []
        self.steps: list[str] = []

    def create_app(self, settings: Callable[[], Settings]) -> Starlette:
        """Make the application."""
        self.steps.append("made")
        self.settings.append(settings())
        return self.app

    def freeze(self) -> None:
        """Stand in for the collector's."""
        self.steps.append("frozen")

    def run(self, app: Starlette, **given: object) -> None:
        """Stand in for the server's."""
        self.steps.append("served")
        self.started.append({"app": app, **given})


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    """A service that isn't served."""
    stand_in = Service()
    monkeypatch.setattr(gc, "freeze", stand_in.freeze)
    monkeypatch.setattr(uvicorn, "run", stand_in.run)
    # So wide that no line is broken, and without colors.
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    for name in ("HOST", "PORT", "PUBLIC_URL", "LOG_BODIES", "KEY"):
        monkeypatch.delenv(f"SERVED_{name}", raising=False)
    return stand_in


def test_it_serves_what_it_made(service: Service) -> None:
    """By the settings; what was imported is looked through no more."""
    serve(service.create_app, Settings, ["--workers", "1"])

    assert service.steps == ["made", "frozen", "served"]
    assert service.settings == [Settings()]
    assert service.started == [
        {
            "app": service.app,
            "host": "127.0.0.1",
            "port": 8001,
            "timeout_graceful_shutdown": 5,
            "proxy_headers": False,
        }
    ]


def test_the_command_line_wins(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the environment, in what it says."""
    monkeypatch.setenv("SERVED_HOST", "localhost")
    monkeypatch.setenv("SERVED_PORT", "9000")
    monkeypatch.setenv("SERVED_PUBLIC_URL", "https://a.example")

    serve(service.create_app, Settings, ["--port", "1"])
    serve(service.create_app, Settings, ["--host", "::1"])

    first, second = service.settings
    assert (first.host, first.port) == ("localhost", 1)
    assert (second.host, second.port) == ("::1", 9000)
    assert first.public_url == second.public_url == "https://a.example"
    assert [(each["host"], each["port"]) for each in service.started] == [
        ("localhost", 1),
        ("::1", 9000),
    ]


def test_the_arguments_are_those_of_the_process(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless others are given."""
    monkeypatch.setattr("sys.argv", ["served", "--port", "65535"])

    serve(service.create_app, Settings)

    assert service.settings[0].port == 65535


@pytest.mark.parametrize("port", ["0", "65536", "-1", "8_0", "1.0", "\u00b2", ""])
def test_what_is_no_port_is_named(
    service: Service, capsys: pytest.CaptureFixture[str], port: str
) -> None:
    """Before anything starts."""
    with pytest.raises(SystemExit) as ended:
        serve(service.create_app, Settings, [f"--port={port}"])

    assert ended.value.code == 2
    problem = f"argument --port: {port!r} is not a port, a number from 1 to 65535"
    assert capsys.readouterr().err.splitlines()[-1] == f"{PROGRAM}: error: {problem}"
    assert service.steps == []


@pytest.mark.parametrize("workers", ["0", "2"])
def test_one_worker_is_all(
    service: Service, capsys: pytest.CaptureFixture[str], workers: str
) -> None:
    """Another one would not find its tasks."""
    with pytest.raises(SystemExit) as ended:
        serve(service.create_app, Settings, ["--workers", workers])

    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"{PROGRAM}: error: tasks are kept in memory, so a second worker would not "
        "find the tasks of the first; run one worker"
    )
    assert service.steps == []


@pytest.mark.usefixtures("service")
def test_the_help_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """By the name of the service's package."""
    with pytest.raises(SystemExit) as ended:
        serve(Service().create_app, Settings, ["--help"])

    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert ended.value.code == 0
    assert lines[0].startswith(f"usage: {PROGRAM} [-h] ")
    assert lines[2] == "Serve the agent over A2A."
    assert lines[-3:] == [
        "--host HOST address to listen at",
        "--port PORT port to listen at",
        "--workers WORKERS processes (1)",
    ]


def test_what_must_be_set_is_told_in_one_line(
    service: Service,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """How to call the command isn't what is wrong."""
    with pytest.raises(SystemExit) as ended:
        serve(service.create_app, Settings, [], needs=Needed)

    assert ended.value.code == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"{PROGRAM}: SERVED_KEY: Field required\n")
    assert service.steps == []
    monkeypatch.setenv("SERVED_KEY", "k")
    serve(service.create_app, Settings, [], needs=Needed)
    monkeypatch.setenv("SERVED_PORT", "http")
    with pytest.raises(SystemExit):
        serve(service.create_app, Settings, ["--port", "1"])
    assert capsys.readouterr().err.startswith(f"{PROGRAM}: SERVED_PORT: ")
    assert service.steps == ["made", "frozen", "served"]


def test_what_is_logged_can_be_read(
    service: Service,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From information on, one line each."""
    # Not in a fixture: pytest has handlers of its own for the test.
    monkeypatch.setattr(logging.root, "handlers", [])
    with caplog.at_level(logging.WARNING):
        serve(service.create_app, Settings, [])
        logging.getLogger("orders").debug("too much")
        logging.getLogger("orders").info("an order came")

    assert capsys.readouterr().err == "INFO orders: an order came\n"
