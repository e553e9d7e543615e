"""The ASGI application, wired from the SDK's own parts.

ADK's `to_a2a` takes no request context builder, so it has no place for the
gate, and it builds a runner of its own beside the one of the service.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias

from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import (
    InMemoryTaskStore,
    PushNotificationConfigStore,
    PushNotificationSender,
)
from a2a.types import AgentCard
from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from ..boundary.executor import BoundaryExecutor
from ..boundary.log_records import safe_logs
from ..boundary.runner_provider import RunnerFactory, RunnerProvider
from ..seams.chain import Interceptor, without_before_agent
from ..seams.protocols import Closing, Perimeter, Pushing
from .address import endpoint_url
from .call_context import CallContextBuilder
from .card import RootAgent, build_card
from .environment import ServerSettings
from .gate import Gate
from .handler import BoundaryHandler
from .health import health_routes

__all__ = ["Definition", "Lifespan", "build_application", "mount_application"]

Lifespan: TypeAlias = Callable[[Starlette], AbstractAsyncContextManager[None]]
ExecutorBuilder: TypeAlias = Callable[
    [RunnerProvider, Sequence[Interceptor]], BoundaryExecutor
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Definition:
    """What a service is made of.

    Attributes:
        description: What the service does, for its card.
        agent: What it runs.
        runner_factory: Gives the runner, sync or async.
        eager: Whether the runner is built before the first request.
        interceptors: Makes the chain, in the spec's order.
        executor: Makes the executor for a runner and a chain.
        settings: Reads the settings, when the application starts.
        path: Where the A2A routes stand, without a final slash; may be empty.
        prefix: Where another application mounts this one.
        lifespan: What else lives as long as the application.
    """

    description: str
    agent: RootAgent
    runner_factory: RunnerFactory
    eager: bool
    interceptors: Callable[[], Sequence[Interceptor]]
    executor: ExecutorBuilder
    settings: Callable[[], ServerSettings]
    path: str
    prefix: str
    lifespan: Lifespan | None


def build_application(service: Definition) -> Starlette:
    """Make the application; nothing is built or opened before its lifespan."""
    ready = False

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None, None]:
        nonlocal ready
        async with AsyncExitStack() as stack:
            settings = service.settings()
            stack.enter_context(safe_logs(bodies=settings.log_bodies))
            if service.lifespan is not None:
                await stack.enter_async_context(service.lifespan(app))
            routes = await _a2a_routes(service, settings, stack)
            # Before the health routes: most requests are for these.
            app.router.routes[:0] = routes
            ready = True
            try:
                yield
            finally:
                ready = False
                for route in routes:
                    app.router.routes.remove(route)

    return Starlette(routes=health_routes(lambda: ready), lifespan=lifespan)


async def _a2a_routes(
    service: Definition, settings: ServerSettings, stack: AsyncExitStack
) -> list[Route]:
    """Build what one start of the application needs; the stack closes it again."""
    runner = RunnerProvider(service.runner_factory)
    stack.push_async_callback(runner.close)
    if service.eager:
        await runner()
    interceptors = service.interceptors()
    perimeters = [
        each.hooks for each in interceptors if isinstance(each.hooks, Perimeter)
    ]
    url = endpoint_url(settings, service.prefix + (service.path or "/"))
    card = await build_card(service.agent, description=service.description, url=url)
    for perimeter in perimeters:
        perimeter.describe(card)
    push_configs, push_sender = _push(interceptors, card)
    tasks = InMemoryTaskStore()
    executor = service.executor(runner, without_before_agent(interceptors))
    for each in interceptors:
        if isinstance(each.hooks, Closing):
            stack.push_async_callback(each.hooks.close)
    stack.push_async_callback(executor.ledger.close)
    inner = DefaultRequestHandler(
        agent_executor=executor,
        task_store=tasks,
        agent_card=card,
        push_config_store=push_configs,
        push_sender=push_sender,
        request_context_builder=Gate(interceptors, tasks, executor),
    )
    stack.push_async_callback(inner.aclose)
    card_path = service.path + AGENT_CARD_WELL_KNOWN_PATH
    return [
        *create_agent_card_routes(card, card_url=card_path),
        *_guarded(
            create_jsonrpc_routes(
                BoundaryHandler(inner, executor, card, interceptors),
                service.path or "/",
                context_builder=CallContextBuilder(),
                enable_v0_3_compat=True,
            ),
            perimeters,
        ),
    ]


def _push(
    interceptors: Sequence[Interceptor], card: AgentCard
) -> tuple[PushNotificationConfigStore | None, PushNotificationSender | None]:
    """Have the interceptor push that is there for it, and say so in the card."""
    for each in interceptors:
        if isinstance(each.hooks, Pushing):
            card.capabilities.push_notifications = True
            return each.hooks.push(each.name)
    return None, None


def _guarded(routes: list[Route], perimeters: Sequence[Perimeter]) -> list[Route]:
    """Put the perimeters around the routes, the first one outermost."""
    for route in routes:
        for each in reversed(perimeters):
            route.app = each.wrap(route.app)
    return routes


def mount_application(parent: Starlette, path: str, app: Starlette) -> None:
    """Serve the application under a path of another one.

    A mounted application's lifespan isn't run by its parent, and without it
    there are no A2A routes, so the parent's lifespan is made to run it.

    Args:
        parent: A Starlette or FastAPI application that hasn't started.
        path: Where to mount, such as `/agents/orders`.
        app: The application to mount.
    """
    outer = parent.router.lifespan_context

    @asynccontextmanager
    async def lifespan(
        running: Starlette,
    ) -> AsyncGenerator[Mapping[str, object], None]:
        async with outer(running) as state, app.router.lifespan_context(app):
            yield state or {}

    parent.router.lifespan_context = lifespan
    parent.router.routes.append(Mount(path, app=app))
