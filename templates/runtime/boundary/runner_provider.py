"""One runner for the whole service, built when it is first needed."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from google.adk.runners import Runner

__all__ = ["RunnerFactory", "RunnerProvider"]

RunnerFactory: TypeAlias = Callable[[], Runner | Awaitable[Runner]]


class RunnerProvider:
    """Builds a runner once, gives the same one to all, and closes it once.

    ADK resolves a factory without a lock and once for each of its two
    implementations, so concurrent first requests would get a runner each.
    """

    def __init__(self, factory: RunnerFactory) -> None:
        """Keep the factory; nothing is built yet.

        Args:
            factory: A function, sync or async, that takes nothing and gives a runner.
        """
        self._factory = factory
        self._lock = asyncio.Lock()
        self._runner: Runner | None = None
        self._closed = False

    async def __call__(self) -> Runner:
        """Give the runner, building it at the first call.

        A failed build is not kept: the next call tries again.

        Raises:
            TypeError: If the factory gives something else than a runner.
            RuntimeError: If the provider is closed.
        """
        async with self._lock:
            if self._closed:
                message = "the service is shutting down"
                raise RuntimeError(message)
            if self._runner is None:
                self._runner = await self._build()
            return self._runner

    async def close(self) -> None:
        """Close the runner if one was built; further calls do nothing."""
        async with self._lock:
            self._closed = True
            runner, self._runner = self._runner, None
            if runner is not None:
                await runner.close()

    async def _build(self) -> Runner:
        made = await _made(self._factory())
        if isinstance(made, Runner):
            return made
        kind = type(self._factory)
        name = getattr(self._factory, "__qualname__", kind.__qualname__)
        message = (
            f"runner factory {self._factory.__module__}:{name} "
            f"gave {type(made).__name__}, not an ADK Runner"
        )
        raise TypeError(message)


async def _made(given: object) -> object:
    return await given if inspect.isawaitable(given) else given
