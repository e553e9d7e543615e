"""The application: `uvicorn orders.service.app:app`."""

from collections.abc import Callable, Sequence
from functools import partial

from starlette.applications import Starlette

from orders.agent import root_agent
from orders.runner import build_runner

from .boundary.runner_provider import RunnerFactory
from .executor import build_executor, build_interceptors
from .serving.application import (
    Definition,
    Lifespan,
    build_application,
    mount_application,
)
from .serving.card import RootAgent
from .serving.environment import load_settings
from .serving.server import serve
from .settings import Settings

__all__ = ["app", "create_app", "main", "mount"]


def create_app(
    settings: Callable[[], Settings] | None = None,
    *,
    agent: RootAgent = root_agent,
    runner_factory: RunnerFactory = build_runner,
    lifespan: Lifespan | None = None,
    prefix: str = "",
) -> Starlette:
    """Make the application; nothing is read, built or opened before its lifespan.

    Args:
        settings: Gives what the environment may set; read from it by default.
        agent: What the card describes.
        runner_factory: Gives the runner, sync or async.
        lifespan: What else lives as long as the application.
        prefix: Where another application mounts this one.
    """
    return build_application(
        Definition(
            description="Answers questions about orders.",
            agent=agent,
            runner_factory=runner_factory,
            eager=False,
            interceptors=build_interceptors,
            executor=build_executor,
            settings=settings or partial(load_settings, Settings),
            path="",
            prefix=prefix,
            lifespan=lifespan,
        )
    )


def mount(parent: Starlette, prefix: str) -> None:
    """Serve the agent under a prefix of another Starlette or FastAPI application."""
    mount_application(parent, prefix, create_app(prefix=prefix))


def main(argv: Sequence[str] | None = None) -> None:
    """Serve from the command line."""
    serve(create_app, Settings, argv)


app = create_app()
