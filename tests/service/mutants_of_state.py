"""Ways to break on_exit, the state of a request, and what the spec says of a run."""

from functools import partial

from tests.service.mutant import in_service

__all__ = ["STATE_MUTANTS"]

_mutant = partial(in_service, service="state")
_of_run = partial(in_service, service="run")
_LIMITS = (("deadline_s", "60"), ("idle_deadline_s", "20"))
_BASES = ("before_agent", "after_event", "after_agent", "on_exit")

_STATE = [
    _mutant(
        "each hook has a state of its own",
        "seams/stateful_chain",
        "exchange.state(name, state, lambda: state(request=exchange.facts))",
        "state(request=exchange.facts)",
        "state",
    ),
    _mutant(
        "the state knows another request",
        "seams/stateful_chain",
        "state(request=exchange.facts)",
        "state(request=type(exchange.facts)())",
        "state",
    ),
    _mutant(
        "requests share a state",
        "seams/exchange",
        "self._states: dict[str, object] = {}",
        "self._states = type(self).__dict__.get('kept') or {}; "
        "type(self).kept = self._states",
        "state",
    ),
    *(
        _mutant(
            f"{hook} with a state not taken",
            "seams/stateful_chain",
            f"if _has_{hook}(hooks):",
            "if False:",
            "chain",
        )
        for hook in _BASES
    ),
    _mutant(
        "a reply isn't told from a new message",
        "seams/exchange",
        "is_reply=context.current_task is not None",
        "is_reply=False",
        "state",
    ),
]

_ON_EXIT = [
    _mutant(
        "on_exit upside down",
        "boundary/ledger",
        "for each in reversed(chain) if",
        "for each in chain if",
        "chain",
    ),
    _mutant(
        "no on_exit after a refusal",
        "serving/gate",
        "await self._settle(exchange, error)",
        "self._settle(exchange, error).close()",
        "on_exit_refused",
    ),
    _mutant(
        "a cancel is taken for a shutdown",
        "boundary/executor",
        '"canceled" if canceled else "shut_down"',
        '"shut_down"',
        "on_exit",
    ),
    _mutant(
        "a sync on_exit passes",
        "seams/stateful_chain",
        "    if inspect.isawaitable(given):\n        return await given\n",
        "    return await given if inspect.isawaitable(given) else given\n",
        "on_exit",
    ),
]

_RUN = [
    *(
        _of_run(
            f"another {name}",
            "executor",
            f" {name}={seconds},",
            f" {name}={seconds}1,",
            "deadline",
        )
        for name, seconds in _LIMITS
    ),
    *(
        _of_run(
            f"no {name}",
            "boundary/run",
            "total, idle = self._policy.deadline_s, self._policy.idle_deadline_s",
            f"{which}, {other} = None, self._policy.{kept}",
            "deadline",
        )
        for name, which, other, kept in (
            ("deadline", "total", "idle", "idle_deadline_s"),
            ("idle_deadline", "idle", "total", "deadline_s"),
        )
    ),
    _of_run(
        "another text",
        "executor",
        'empty_text="Nothing',
        'empty_text="Something',
        "empty_text",
    ),
    _of_run(
        "no text for an empty result",
        "executor",
        'empty_result="text"',
        'empty_result="complete"',
        "empty_text",
    ),
]

STATE_MUTANTS = (*_STATE, *_ON_EXIT, *_RUN)
