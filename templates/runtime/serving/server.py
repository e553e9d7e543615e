"""Serves the application with uvicorn, from the command line."""

import argparse
import gc
import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

import uvicorn
from pydantic_settings import BaseSettings
from starlette.applications import Starlette

from .environment import ServerSettings, SettingsError, load_settings

__all__ = ["serve"]

SettingsT = TypeVar("SettingsT", bound=ServerSettings)

_LAST_PORT = 65535
# A request lasts as long as its agent, and Docker kills after ten seconds: so
# half of that for open requests, the rest to close what is open.
_GRACE_SECONDS = 5

_WORKERS_REFUSED = (
    "tasks are kept in memory, so a second worker would not find the tasks of the "
    "first; run one worker"
)


def serve(
    create_app: Callable[[Callable[[], SettingsT]], Starlette],
    settings: type[SettingsT],
    argv: Sequence[str] | None = None,
    *,
    needs: type[BaseSettings] | None = None,
) -> None:
    """Parse the command line and serve until stopped.

    Args:
        create_app: Makes the application from what gives its settings.
        settings: Read from the environment; the command line wins.
        argv: The arguments, by default those of the process.
        needs: Further settings that must be there before anything starts.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {__name__.partition('.')[0]}",
        description="Serve the agent over A2A.",
    )
    parser.add_argument("--host", help="address to listen at")
    parser.add_argument("--port", type=_port, help="port to listen at")
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    arguments = parser.parse_args(argv)
    if arguments.workers != 1:
        parser.error(_WORKERS_REFUSED)
    given = {key: getattr(arguments, key) for key in ("host", "port")}
    try:
        chosen = load_settings(settings).model_copy(
            update={key: value for key, value in given.items() if value is not None}
        )
        if needs is not None:
            load_settings(needs)
    except SettingsError as error:
        # One line: how to call the command isn't what is wrong.
        parser.exit(2, f"{parser.prog}: {error}\n")
    logging.basicConfig(
        level=logging.INFO, format="%(levelname)s %(name)s: %(message)s"
    )
    app = create_app(lambda: chosen)
    # What was imported lives as long as the process, and is most of what there is:
    # looking through it again and again held requests up.
    gc.freeze()
    uvicorn.run(
        app,
        host=chosen.host,
        port=chosen.port,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        # Else whoever connects over loopback says in X-Forwarded-For who connects.
        proxy_headers=False,
    )


def _port(text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= _LAST_PORT:
        return int(text)
    message = f"{text!r} is not a port, a number from 1 to {_LAST_PORT}"
    raise argparse.ArgumentTypeError(message)
