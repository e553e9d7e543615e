"""Ways to break the executor, its pin, and the runner."""

from tests.service.mutant import in_service

__all__ = ["RUN_MUTANTS"]

_FORCED = "interceptors=chain, force_new_version=True)"
_LEGACY = "interceptors=chain, use_legacy=True)"
_PLAIN = "interceptors=chain)"

_EXECUTOR = [
    in_service(
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
    in_service(
        "to_a2a gets no chain",
        "executor",
        "build_interceptors() if interceptors is None else interceptors",
        "interceptors or []",
        "app",
    ),
    in_service("pin dropped", "executor", _FORCED, _PLAIN, "pin_new"),
    in_service("pin flipped", "executor", _FORCED, _LEGACY, "pin_new"),
    in_service(
        "pin dropped",
        "executor",
        _LEGACY,
        _PLAIN,
        "pin_legacy",
        service="legacy",
    ),
    in_service(
        "pin flipped", "executor", _LEGACY, _FORCED, "pin_legacy", service="legacy"
    ),
    in_service(
        "new implementation pinned",
        "executor",
        _PLAIN,
        _FORCED,
        "pin_client",
        service="client",
    ),
    in_service(
        "legacy implementation pinned",
        "executor",
        _PLAIN,
        _LEGACY,
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
        in_service(
            "runner built without a lock",
            "boundary/runner_provider",
            _LOCKED,
            _UNLOCKED,
            "runner",
            service=service,
        )
        for service in ("new", "client")
    ),
    in_service(
        "runner not kept",
        "boundary/runner_provider",
        "                self._runner = await self._build()\n",
        "                return await self._build()\n",
        "runner",
    ),
    in_service(
        "anything taken for a runner",
        "boundary/runner_provider",
        "        made = await _made(self._factory())\n",
        "        made = await self._factory()\n        return made\n",
        "runner_lazy",
    ),
    in_service(
        "factory not named",
        "boundary/runner_provider",
        'f"runner factory {self._factory.__module__}:{name} "',
        'f"runner factory "',
        "runner_lazy",
    ),
    in_service(
        "failed build kept",
        "boundary/runner_provider",
        "                self._runner = await self._build()\n",
        """\
                self._closed = True
                self._runner = await self._build()
                self._closed = False
""",
        "runner_lazy",
    ),
    in_service(
        "runner not closed",
        "boundary/runner_provider",
        "                await runner.close()\n",
        "                pass\n",
        "runner",
    ),
    in_service(
        "runner closed twice",
        "boundary/runner_provider",
        "                await runner.close()\n",
        "                await runner.close()\n" * 2,
        "runner",
    ),
    in_service(
        "close not called at shutdown",
        "serving/application",
        "    stack.push_async_callback(runner.close)\n",
        "",
        "runner",
    ),
    in_service(
        "close not called when the start fails",
        "serving/application",
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
    in_service(
        "built at start-up",
        "serving/application",
        "if service.eager:",
        "if True:",
        "runner_lazy",
    ),
    in_service(
        "eager ignored",
        "serving/application",
        "if service.eager:",
        "if False:",
        "runner_eager",
        service="legacy",
    ),
    in_service(
        "eager dropped",
        "app",
        "eager=True",
        "eager=False",
        "runner_eager",
        service="legacy",
    ),
]

RUN_MUTANTS = (*_EXECUTOR, *_RUNNER)
