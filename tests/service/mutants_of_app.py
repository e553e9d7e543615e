"""Ways to break the application: card, routes, lifespan, command line."""

from tests.service.mutant import in_service

__all__ = ["APP_MUTANTS"]

APP_MUTANTS = [
    in_service("no card for A2A 0.3", "card", '("1.0", "0.3")', '("1.0",)', "app"),
    in_service("no card for A2A 1.0", "card", '("1.0", "0.3")', '("0.3",)', "app"),
    in_service("not streaming", "card", "streaming=True", "streaming=False", "app"),
    in_service(
        "description not on the card",
        "card",
        "    card.description = description\n",
        "",
        "app",
    ),
    in_service(
        "A2A 0.3 refused",
        "application",
        "enable_v0_3_compat=True",
        "enable_v0_3_compat=False",
        "round_trip",
    ),
    in_service(
        "settings ignored",
        "application",
        "endpoint_url(service.settings(), ",
        "endpoint_url(ServerSettings(), ",
        "app",
    ),
    in_service(
        "prefix not on the card",
        "application",
        'service.prefix + (service.path or "/")',
        'service.path or "/"',
        "app",
    ),
    in_service(
        "path ignored",
        "app",
        'path="/a2a"',
        'path=""',
        "round_trip",
        service="legacy",
    ),
    in_service("always ready", "application", "lambda: ready", "lambda: True", "app"),
    in_service(
        "ready after the end",
        "application",
        "                ready = False\n",
        "",
        "app",
    ),
    in_service("never ready", "application", "            ready = True\n", "", "app"),
    in_service(
        "routes of the last start kept",
        "application",
        "app.router.routes.remove(route)",
        "pass",
        "app",
    ),
    in_service(
        "lifespan ignored",
        "application",
        "if service.lifespan is not None:",
        "if False:",
        "app",
    ),
    in_service(
        "lifespan inside the runner",
        "application",
        """\
            if service.lifespan is not None:
                await stack.enter_async_context(service.lifespan(app))
            routes = await _a2a_routes(service, stack)
""",
        """\
            routes = await _a2a_routes(service, stack)
            if service.lifespan is not None:
                await stack.enter_async_context(service.lifespan(app))
""",
        "app",
    ),
    in_service(
        "handler not closed",
        "application",
        "    stack.push_async_callback(inner.aclose)\n",
        "",
        "app",
    ),
    in_service(
        "parent's lifespan lost",
        "application",
        "async with outer(running) as state, app.router.lifespan_context(app):",
        "state = None\n        async with app.router.lifespan_context(app):",
        "app",
    ),
    in_service(
        "parent's state lost", "application", "yield state or {}", "yield {}", "app"
    ),
    in_service(
        "mounted app not started",
        "application",
        " as state, app.router.lifespan_context(app):",
        " as state:",
        "app",
    ),
    in_service("workers allowed", "server", "arguments.workers != 1", "False", "app"),
    in_service(
        "command line ignored",
        "server",
        "if value is not None}",
        "if value is False}",
        "app",
    ),
    in_service(
        "missing variable unseen at the start",
        "server",
        "if needs is not None:",
        "if False:",
        "environment",
    ),
    in_service(
        "needs not handed on",
        "app",
        ", needs=InterceptorSettings)",
        ")",
        "environment",
    ),
]
