"""What the on_exit hooks were told of the ends of requests."""

from .recorder import Recorder
from .subject import Outcome, with_hook

__all__ = ["ON_EXIT", "ends", "everybody", "outcomes"]

ON_EXIT = with_hook("on_exit")
"""The interceptors that have the hook."""


def outcomes(recorder: Recorder, name: str) -> list[Outcome]:
    """Tell what an interceptor was told, request by request."""
    told = [first for first, *_ in recorder.given("on_exit", name)]
    return [outcome for outcome in told if isinstance(outcome, Outcome)]


def ends(recorder: Recorder) -> dict[str, list[str]]:
    """Tell how requests ended, as each interceptor was told."""
    return {name: [each.kind for each in outcomes(recorder, name)] for name in ON_EXIT}


def everybody(*kinds: str) -> dict[str, list[str]]:
    """Give the same ends for each interceptor."""
    return {name: list(kinds) for name in ON_EXIT}
