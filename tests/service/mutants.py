"""Services to break, and each way to break them.

A mutant names the tests that must see it: no others are run, so it also says
which test guards what.
"""

from dataclasses import dataclass

__all__ = ["MUTANTS", "SPECS", "Mutant"]

_HEAD = """\
version: 1
service:
  package: orders
  description: Answers questions about orders.
agent: orders.agent:root_agent
"""
_HOOKS = "[before_agent, after_event, after_agent]"

SPECS = {
    "new": f"""\
{_HEAD}
interceptors:
  - name: audit
    description: Writes down who asked what.
    hooks: {_HOOKS}
  - name: house_style
    description: Signs every answer.
    hooks: {_HOOKS}
    config:
      key: {{type: str, default: {{env: ORDERS_KEY}}}}
""",
    "legacy": f"""\
{_HEAD}
implementation: legacy
runner: {{resolve: eager}}
server: {{path: /a2a}}
interceptors:
  - name: audit
    description: Writes down who asked what.
    hooks: {_HOOKS}
""",
    "client": f"""\
{_HEAD}
implementation: client
interceptors:
  - name: audit
    description: Writes down who asked what.
    hooks: {_HOOKS}
""",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of a service.

    Attributes:
        name: What is broken.
        service: The key of the service's spec.
        file: The file to change, from the service's root.
        old: A text that stands there once.
        new: What takes its place.
        tests: The test files that must see it, from `tests/`.
    """

    name: str
    service: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def __str__(self) -> str:
        """Name the mutant in a test's id."""
        return f"{self.service}: {self.name}"


def _in_service(
    name: str, file: str, old: str, new: str, *tests: str, service: str = "new"
) -> Mutant:
    return Mutant(
        name=name,
        service=service,
        file=f"src/orders/service/{file}.py",
        old=old,
        new=new,
        tests=tuple(f"generated/test_{test}.py" for test in tests),
    )


def _in_hooks() -> list[Mutant]:
    returned = {
        "before_agent": "context",
        "after_event": "event",
        "after_agent": "final_event",
    }
    mutants: list[Mutant] = []
    for interceptor in ("audit", "house_style"):
        for hook, name in returned.items():
            file = f"src/orders/hooks/{interceptor}.py"
            # Dropping every event is an after_event hook's good right: only
            # the test that goes with the hook's code knows better.
            empty = (
                f"test_{interceptor}.py"
                if hook == "after_event"
                else f"generated/test_{hook}.py"
            )
            mutants += [
                Mutant(
                    name=f"{interceptor}.{hook} is empty",
                    service="new",
                    file=file,
                    old=f"        return {name}\n",
                    new="",
                    tests=(empty,),
                ),
                Mutant(
                    name=f"{interceptor}.{hook} is empty, as its own test sees it",
                    service="new",
                    file=file,
                    old=f"        return {name}\n",
                    new="",
                    tests=(f"test_{interceptor}.py",),
                ),
                Mutant(
                    name=f"{interceptor}.{hook} is sync",
                    service="new",
                    file=file,
                    old=f"    async def {hook}(",
                    new=f"    def {hook}(",
                    tests=(f"generated/test_{hook}.py",),
                ),
            ]
    return mutants


_FORCED = "config=config, force_new_version=True)"
_LEGACY = "config=config, use_legacy=True)"
_PLAIN = "runner=runner, config=config)"

_EXECUTOR = [
    _in_service(
        "two interceptors swapped",
        "executor",
        """\
        guarded("audit", Audit()),
        guarded(
            "house_style",
            HouseStyle(house_style.Config(key=settings.orders_key.get_secret_value())),
        ),
""",
        """\
        guarded(
            "house_style",
            HouseStyle(house_style.Config(key=settings.orders_key.get_secret_value())),
        ),
        guarded("audit", Audit()),
""",
        "chain",
    ),
    _in_service(
        "to_a2a gets no chain",
        "executor",
        "build_interceptors() if interceptors is None else interceptors",
        "interceptors or []",
        "app",
    ),
    _in_service("pin dropped", "executor", _FORCED, "config=config)", "pin_new"),
    _in_service("pin flipped", "executor", _FORCED, _LEGACY, "pin_new"),
    _in_service(
        "pin dropped",
        "executor",
        _LEGACY,
        "config=config)",
        "pin_legacy",
        service="legacy",
    ),
    _in_service(
        "pin flipped", "executor", _LEGACY, _FORCED, "pin_legacy", service="legacy"
    ),
    _in_service(
        "new implementation pinned",
        "executor",
        _PLAIN,
        f"runner=runner, {_FORCED}",
        "pin_client",
        service="client",
    ),
    _in_service(
        "legacy implementation pinned",
        "executor",
        _PLAIN,
        f"runner=runner, {_LEGACY}",
        "pin_client",
        service="client",
    ),
]

_LOCKED = """\
        async with self._lock:
            if self._closed:
"""
_UNLOCKED = """\
        if True:
            if self._closed:
"""

_RUNNER = [
    *(
        _in_service(
            "runner built without a lock",
            "runner_provider",
            _LOCKED,
            _UNLOCKED,
            "runner",
            service=service,
        )
        for service in ("new", "client")
    ),
    _in_service(
        "runner not kept",
        "runner_provider",
        "                self._runner = await self._build()\n",
        "                return await self._build()\n",
        "runner",
    ),
    _in_service(
        "anything taken for a runner",
        "runner_provider",
        "        made = await _made(self._factory())\n",
        "        made = await self._factory()\n        return made\n",
        "runner_lazy",
    ),
    _in_service(
        "factory not named",
        "runner_provider",
        'f"runner factory {self._factory.__module__}:{name} "',
        'f"runner factory "',
        "runner_lazy",
    ),
    _in_service(
        "failed build kept",
        "runner_provider",
        "                self._runner = await self._build()\n",
        """\
                self._closed = True
                self._runner = await self._build()
                self._closed = False
""",
        "runner_lazy",
    ),
    _in_service(
        "runner not closed",
        "runner_provider",
        "                await runner.close()\n",
        "                pass\n",
        "runner",
    ),
    _in_service(
        "runner closed twice",
        "runner_provider",
        "                await runner.close()\n",
        "                await runner.close()\n" * 2,
        "runner",
    ),
    _in_service(
        "close not called at shutdown",
        "application",
        "    stack.push_async_callback(runner.close)\n",
        "",
        "runner",
    ),
    _in_service(
        "close not called when the start fails",
        "application",
        """\
    stack.push_async_callback(runner.close)
    if service.eager:
        await runner()
""",
        """\
    if service.eager:
        await runner()
    if getattr(service.agent, "root_agent", service) is None:
        raise TypeError
    stack.push_async_callback(runner.close)
""",
        "runner_eager",
        service="legacy",
    ),
    _in_service(
        "built at start-up",
        "application",
        "if service.eager:",
        "if True:",
        "runner_lazy",
    ),
    _in_service(
        "eager ignored",
        "application",
        "if service.eager:",
        "if False:",
        "runner_eager",
        service="legacy",
    ),
    _in_service(
        "eager dropped",
        "app",
        "eager=True",
        "eager=False",
        "runner_eager",
        service="legacy",
    ),
]

_WIRING = "        request_context_builder=Gate(interceptors, tasks),\n"

_GATE = [
    _in_service("no gate", "application", _WIRING, "", "chain"),
    _in_service(
        "before_agent behind the task",
        "application",
        "without_before_agent(interceptors)),",
        "interceptors if interceptors else ()),",
        "chain",
    ),
    _in_service(
        "before_agent in the executor only",
        "application",
        _WIRING,
        """\
        request_context_builder=Gate([], tasks),
    )
    handler.agent_executor = service.executor(runner, interceptors)
    handler = DefaultRequestHandler(
        agent_executor=service.executor(runner, interceptors),
        task_store=tasks,
        agent_card=card,
        request_context_builder=Gate([], tasks),
""",
        "before_agent",
    ),
    _in_service(
        "gate upside down",
        "gate",
        "list(interceptors)",
        "list(reversed(interceptors))",
        "chain",
    ),
    _in_service(
        "hooks don't know the task",
        "gate",
        "if task_id is not None:",
        "if False:",
        "before_agent",
    ),
]

_CHAIN = [
    _in_service(
        "before_agent unguarded",
        "chain",
        "isinstance(result, RequestContext)",
        "True",
        "before_agent",
    ),
    _in_service(
        "after_event unguarded",
        "chain",
        "if result is None or isinstance(result, _UPDATES):",
        "if True:",
        "after_event",
    ),
    _in_service(
        "after_event may return a tuple",
        "chain",
        "isinstance(result, list) and",
        "isinstance(result, list | tuple) and",
        "after_event",
    ),
    _in_service(
        "after_event's list unguarded",
        "chain",
        "all(isinstance(e, _UPDATES) for e in result)",
        "len(result) > 0",
        "after_event",
    ),
    _in_service(
        "after_event may not drop",
        "chain",
        "if result is None or isinstance",
        "if isinstance",
        "after_event",
    ),
    _in_service(
        "after_event may not return a list",
        "chain",
        "if isinstance(result, list) and",
        "if result == () and",
        "after_event",
    ),
    _in_service(
        "after_agent unguarded",
        "chain",
        "isinstance(result, TaskStatusUpdateEvent)",
        "True",
        "after_agent",
    ),
    *(
        _in_service(
            f"sync hook passes {hook}",
            "chain",
            "await given if inspect.isawaitable(given) else _NotAsync()",
            "await given if inspect.isawaitable(given) else given",
            hook,
        )
        for hook in ("before_agent", "after_event", "after_agent")
    ),
    *(
        _in_service(f"file not named, {hook}", "chain", " in {file}", " in ?", hook)
        for hook in ("before_agent", "after_event", "after_agent")
    ),
    *(
        _in_service(
            f"{hook} not taken",
            "chain",
            f"isinstance(hooks, {cls})",
            f"isinstance(hooks, {cls}) and False",
            "chain",
        )
        for hook, cls in (
            ("before_agent", "BeforeAgent"),
            ("after_event", "AfterEvent"),
            ("after_agent", "AfterAgent"),
        )
    ),
]

_APP = [
    _in_service("no card for A2A 0.3", "card", '("1.0", "0.3")', '("1.0",)', "app"),
    _in_service("no card for A2A 1.0", "card", '("1.0", "0.3")', '("0.3",)', "app"),
    _in_service("not streaming", "card", "streaming=True", "streaming=False", "app"),
    _in_service(
        "description not on the card",
        "card",
        "    card.description = description\n",
        "",
        "app",
    ),
    _in_service(
        "A2A 0.3 refused",
        "application",
        "enable_v0_3_compat=True",
        "enable_v0_3_compat=False",
        "round_trip",
    ),
    _in_service(
        "settings ignored",
        "application",
        "endpoint_url(service.settings(), ",
        "endpoint_url(ServerSettings(), ",
        "app",
    ),
    _in_service(
        "prefix not on the card",
        "application",
        'service.prefix + (service.path or "/")',
        'service.path or "/"',
        "app",
    ),
    _in_service(
        "path ignored",
        "app",
        'path="/a2a"',
        'path=""',
        "round_trip",
        service="legacy",
    ),
    _in_service("always ready", "application", "lambda: ready", "lambda: True", "app"),
    _in_service(
        "ready after the end",
        "application",
        "                ready = False\n",
        "",
        "app",
    ),
    _in_service("never ready", "application", "            ready = True\n", "", "app"),
    _in_service(
        "routes of the last start kept",
        "application",
        "app.router.routes.remove(route)",
        "pass",
        "app",
    ),
    _in_service(
        "lifespan ignored",
        "application",
        "if service.lifespan is not None:",
        "if False:",
        "app",
    ),
    _in_service(
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
    _in_service(
        "handler not closed",
        "application",
        "    stack.push_async_callback(handler.aclose)\n",
        "",
        "app",
    ),
    _in_service(
        "parent's lifespan lost",
        "application",
        "async with outer(running) as state, app.router.lifespan_context(app):",
        "state = None\n        async with app.router.lifespan_context(app):",
        "app",
    ),
    _in_service(
        "parent's state lost", "application", "yield state or {}", "yield {}", "app"
    ),
    _in_service(
        "mounted app not started",
        "application",
        " as state, app.router.lifespan_context(app):",
        " as state:",
        "app",
    ),
    _in_service("workers allowed", "server", "arguments.workers != 1", "False", "app"),
    _in_service(
        "command line ignored",
        "server",
        "if value is not None}",
        "if value is False}",
        "app",
    ),
    _in_service(
        "missing variable unseen at the start",
        "server",
        "if needs is not None:",
        "if False:",
        "environment",
    ),
    _in_service(
        "needs not handed on",
        "app",
        ", needs=InterceptorSettings)",
        ")",
        "environment",
    ),
]

MUTANTS = (*_in_hooks(), *_EXECUTOR, *_RUNNER, *_GATE, *_CHAIN, *_APP)
