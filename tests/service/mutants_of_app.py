"""Ways to break the application: card, routes, lifespan, command line."""

from tests.service.mutant import in_service

__all__ = ["APP_MUTANTS"]

APP_MUTANTS = [
    in_service(
        "no card for A2A 0.3", "serving/card", '("1.0", "0.3")', '("1.0",)', "app"
    ),
    in_service(
        "no card for A2A 1.0", "serving/card", '("1.0", "0.3")', '("0.3",)', "app"
    ),
    in_service(
        "not streaming", "serving/card", "streaming=True", "streaming=False", "app"
    ),
    in_service(
        "description not on the card",
        "serving/card",
        "    card.description = description\n",
        "",
        "app",
    ),
    in_service(
        "A2A 0.3 refused",
        "serving/application",
        "enable_v0_3_compat=True",
        "enable_v0_3_compat=False",
        "round_trip",
    ),
    in_service(
        "settings ignored",
        "serving/application",
        "endpoint_url(service.settings(), ",
        "endpoint_url(ServerSettings(), ",
        "app",
    ),
    in_service(
        "prefix not on the card",
        "serving/application",
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
    in_service(
        "always ready", "serving/application", "lambda: ready", "lambda: True", "app"
    ),
    in_service(
        "ready after the end",
        "serving/application",
        "                ready = False\n",
        "",
        "app",
    ),
    in_service(
        "never ready", "serving/application", "            ready = True\n", "", "app"
    ),
    in_service(
        "routes of the last start kept",
        "serving/application",
        "app.router.routes.remove(route)",
        "pass",
        "app",
    ),
    in_service(
        "lifespan ignored",
        "serving/application",
        "if service.lifespan is not None:",
        "if False:",
        "app",
    ),
    in_service(
        "lifespan inside the runner",
        "serving/application",
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
        "serving/application",
        "    stack.push_async_callback(inner.aclose)\n",
        "",
        "app",
    ),
    in_service(
        "parent's lifespan lost",
        "serving/application",
        "async with outer(running) as state, app.router.lifespan_context(app):",
        "state = None\n        async with app.router.lifespan_context(app):",
        "app",
    ),
    in_service(
        "parent's state lost",
        "serving/application",
        "yield state or {}",
        "yield {}",
        "app",
    ),
    in_service(
        "mounted app not started",
        "serving/application",
        " as state, app.router.lifespan_context(app):",
        " as state:",
        "app",
    ),
    in_service(
        "workers allowed", "serving/server", "arguments.workers != 1", "False", "app"
    ),
    in_service(
        "command line ignored",
        "serving/server",
        "if value is not None}",
        "if value is False}",
        "app",
    ),
    in_service(
        "missing variable unseen at the start",
        "serving/server",
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
