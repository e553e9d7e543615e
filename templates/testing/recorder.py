"""Stand-ins for the hooks that a person writes; the chain is tested without them."""

from collections.abc import Callable, Mapping

import pytest

__all__ = ["Recorder"]

HOOKS = ("before_agent", "after_event", "after_agent", "on_exit")
FIRST = {"before_agent", "on_exit"}
"""Hooks whose first argument is what they decide on; of others it is the second."""


class Recorder:
    """Records which hook ran, in order; each passes its argument on.

    Attributes:
        calls: Hook and interceptor of each call, in order.
    """

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, interceptors: Mapping[str, type]
    ) -> None:
        """Put a stand-in in the place of each hook of the interceptors."""
        self.calls: list[tuple[str, str]] = []
        self._given: list[tuple[str, str, tuple[object, ...]]] = []
        self._monkeypatch = monkeypatch
        self._interceptors = interceptors
        for name, hooks in interceptors.items():
            for hook in HOOKS:
                if hasattr(hooks, hook):
                    self.answer(name, hook, lambda value: value)

    def answer(self, name: str, hook: str, result: Callable[[object], object]) -> None:
        """Let the hook return what the function makes of its context or event.

        Of on_exit it is the outcome; what is returned there means nothing.
        """

        async def stand_in(_: object, *arguments: object) -> object:
            self.calls.append((hook, name))
            self._given.append((hook, name, arguments))
            return result(arguments[0 if hook in FIRST else 1])

        self._monkeypatch.setattr(self._interceptors[name], hook, stand_in)

    def answer_at_once(self, name: str, hook: str) -> None:
        """Let the hook be a plain function, as if `async` were forgotten."""

        def stand_in(_: object, *arguments: object) -> object:
            return arguments[0 if hook in FIRST else 1]

        self._monkeypatch.setattr(self._interceptors[name], hook, stand_in)

    def order(self, hook: str) -> list[str]:
        """Tell whose hook ran, in order."""
        return [name for called, name in self.calls if called == hook]

    def given(self, hook: str, name: str) -> list[tuple[object, ...]]:
        """Tell what an interceptor's hook was given, call by call."""
        return [
            told for called, by, told in self._given if (called, by) == (hook, name)
        ]

    def stop(self) -> None:
        """Put the hooks of the service back."""
        self._monkeypatch.undo()
