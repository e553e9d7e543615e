"""What a service's command line and environment accept, and how they refuse."""

import asyncio
import gc
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from tests.runtime.asking import asked

from runtime.serving.address import endpoint_url
from runtime.serving.environment import ServerSettings, SettingsError, load_settings
from runtime.serving.server import serve


class Settings(ServerSettings):
    """As a service has them."""

    model_config = SettingsConfigDict(env_prefix="ORDERS_")


class Secrets(BaseSettings):
    """What interceptors get from the environment."""

    key: SecretStr = Field(validation_alias="ORDERS_KEY")
    retries: int = Field(validation_alias="ORDERS_RETRIES")


class Served:
    """Notes what uvicorn is started with."""

    def __init__(self) -> None:
        self.settings: list[Settings] = []
        self.at: list[tuple[str, int]] = []

    def create_app(self, settings: Callable[[], Settings]) -> Starlette:
        """Make an application, as a service does."""
        self.settings.append(settings())
        return Starlette()

    def run(self, _: Starlette, *, host: str, port: int, **_more: object) -> None:
        """Stand in for `uvicorn.run`."""
        self.at.append((host, port))


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Serve without a server."""
    found = Served()
    monkeypatch.setattr(uvicorn, "run", found.run)
    for name in ("HOST", "PORT", "PUBLIC_URL", "KEY", "RETRIES"):
        monkeypatch.delenv(f"ORDERS_{name}", raising=False)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield found
    root.handlers[:], root.level = handlers, level
    gc.unfreeze()


def refused(served: Served, capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """Start a service that must not start; give what the terminal shows."""
    with pytest.raises(SystemExit) as stopped:
        serve(served.create_app, Settings, argv, needs=Secrets)
    assert stopped.value.code == 2
    assert served.at == []
    return capsys.readouterr().err


# --- the command line ----------------------------------------------------------


def test_it_serves_where_the_spec_says(served: Served) -> None:
    serve(served.create_app, Settings, [])
    assert served.at == [("127.0.0.1", 8001)]


def test_collections_pass_over_what_was_imported(served: Served) -> None:
    assert gc.get_freeze_count() == 0
    serve(served.create_app, Settings, [])
    assert gc.get_freeze_count() > 0


def test_the_environment_wins_over_the_spec(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORDERS_HOST", "0.0.0.0")  # noqa: S104 - nothing is bound
    monkeypatch.setenv("ORDERS_PORT", "9000")
    monkeypatch.setenv("ORDERS_PUBLIC_URL", "https://example.com")
    serve(served.create_app, Settings, [])
    assert served.at == [("0.0.0.0", 9000)]  # noqa: S104 - as above
    assert served.settings[0].public_url == "https://example.com"


def test_the_command_line_wins_over_the_environment(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ORDERS_HOST", "::1")
    monkeypatch.setenv("ORDERS_PORT", "9000")
    serve(served.create_app, Settings, ["--host", "localhost", "--port", "9001"])
    assert served.at == [("localhost", 9001)]
    # The card names the address, so it must learn of it too.
    assert (served.settings[0].host, served.settings[0].port) == ("localhost", 9001)


@pytest.mark.parametrize("workers", ["0", "2", "8"])
def test_more_than_one_worker_is_refused_with_the_reason(
    served: Served, capsys: pytest.CaptureFixture[str], workers: str
) -> None:
    assert "tasks are kept in memory" in refused(served, capsys, "--workers", workers)


@pytest.mark.parametrize("port", ["0", "-1", "65536", "http", "1e3", ""])
def test_a_port_that_is_none_is_refused(
    served: Served, capsys: pytest.CaptureFixture[str], port: str
) -> None:
    assert "argument --port: " in refused(served, capsys, f"--port={port}")


def test_who_connects_is_not_what_a_header_says(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    del served

    async def who(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.client.host if request.client else "nobody")

    def run(app: Starlette, **settings: Any) -> None:  # noqa: ANN401 - uvicorn's own
        config = uvicorn.Config(app, **settings)
        config.load()
        # Uvicorn's own types of an application and Starlette's don't fit.
        loaded: Any = vars(config)["loaded_app"]
        headers = [("X-Forwarded-For", "10.1.2.3")]
        answer = asyncio.run(asked(loaded, headers, path="/"))
        told.append(answer.text)

    told: list[str] = []
    monkeypatch.setattr(uvicorn, "run", run)
    app = Starlette(routes=[Route("/", who, methods=["POST"])])
    serve(lambda _: app, Settings, [])
    assert told == ["127.0.0.1"]


# --- the environment -----------------------------------------------------------


@pytest.mark.parametrize("port", ["abc", "0", "65536", ""])
def test_a_wrong_variable_stops_the_start_with_one_line(
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    port: str,
) -> None:
    monkeypatch.setenv("ORDERS_PORT", port)
    shown = refused(served, capsys)
    assert shown.count("\n") == 1
    assert "ORDERS_PORT: " in shown


def test_all_wrong_variables_are_named_and_no_value_is_shown(
    served: Served,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("ORDERS_RETRIES", "s3cret")
    shown = refused(served, capsys)
    assert shown.count("\n") == 1
    assert "ORDERS_KEY: Field required" in shown
    assert "ORDERS_RETRIES: " in shown
    assert "s3cret" not in shown


def test_no_traceback_shows_a_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORDERS_KEY", "hidden")
    monkeypatch.setenv("ORDERS_RETRIES", "s3cret")
    with pytest.raises(SettingsError) as raised:
        load_settings(Secrets)
    assert "s3cret" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None


# --- the address on the card ---------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "path", "url"),
    [
        (Settings(), "/", "http://127.0.0.1:8001/"),
        (Settings(host="localhost", port=80), "/svc", "http://localhost:80/svc"),
        (Settings(host="::1"), "/", "http://[::1]:8001/"),
        (Settings(public_url="https://example.com"), "/", "https://example.com/"),
        (
            Settings(public_url="https://example.com/"),
            "/svc",
            "https://example.com/svc",
        ),
        (
            Settings(public_url="https://example.com/a"),
            "/svc",
            "https://example.com/a/svc",
        ),
    ],
)
def test_the_card_names_the_address(settings: Settings, path: str, url: str) -> None:
    assert endpoint_url(settings, path) == url


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104 - nothing is bound
def test_an_address_that_no_client_reaches_is_warned_of(
    caplog: pytest.LogCaptureFixture, host: str
) -> None:
    endpoint_url(Settings(host=host), "/")
    assert "set the public URL" in caplog.text
    caplog.clear()
    endpoint_url(Settings(host=host, public_url="https://example.com"), "/")
    assert caplog.text == ""
