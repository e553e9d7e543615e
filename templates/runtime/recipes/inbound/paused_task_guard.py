"""The recipe `paused_task_guard`: who may answer a paused task, when, and how."""

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeVar

from a2a.server.agent_execution import RequestContext
from a2a.types import Task, TaskState

from ...seams.exchange import current, exchange_of
from ...seams.interceptor import BeforeAgent, OnExit
from ...seams.rejection import Rejected
from ...seams.request import Outcome, RequestFacts
from .function_answers import answers, earlier_answers, questions

__all__ = ["PausedTaskGuard"]

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

_PAUSED = (TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_AUTH_REQUIRED)
# How a request may end both on its way in and in its run.
_ANYWHERE = ("failed", "canceled", "shut_down")
_RUNNING = (TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING)


@dataclass(frozen=True, slots=True)
class _Pause:
    caller: str | None
    since: float


class PausedTaskGuard(BeforeAgent, OnExit):
    """Lets a reply to a paused task in once: from its caller, in time, in form.

    A refused reply leaves the task paused. What was answered is found in the
    task's own history, and in this process's memory while the answer is being
    worked on, so a replay is refused after a restart too.
    """

    def __init__(
        self,
        *,
        accept_text: bool = False,
        expires_after_s: float | None = None,
        remembered: int = 10_000,
    ) -> None:
        """Start with nothing remembered.

        Args:
            accept_text: Whether a reply needs no function response. ADK's legacy
                implementation then runs the agent with the text, its new one
                asks again.
            expires_after_s: How long a paused task takes replies, in seconds.
            remembered: How many pauses and answers are kept in memory.

        Raises:
            ValueError: If a number isn't above zero.
        """
        if remembered < 1 or (expires_after_s is not None and expires_after_s <= 0):
            raise ValueError("expires_after_s and remembered must be above zero")
        self._accept_text = accept_text
        self._expires_after_s = expires_after_s
        self._remembered = remembered
        self._pauses: OrderedDict[str, _Pause] = OrderedDict()
        self._answered: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._claims: OrderedDict[str, list[tuple[str, str]]] = OrderedDict()

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Refuse a reply that isn't the caller's, is late, repeated or mere text.

        Raises:
            Rejected: With `wrong_caller`, `pause_expired`, `already_answered`,
                `unknown_function_response`, `function_response_required` or
                `task_is_running`.
        """
        task, message = context.current_task, context.message
        if task is None or message is None:
            return context
        facts = exchange_of(context).facts
        given = answers(message)
        if task.status.state in _PAUSED:
            self._require_caller(task, facts)
            self._require_in_time(task)
            if not given and not self._accept_text:
                raise Rejected(
                    "function_response_required",
                    message="answer the function call with its function response",
                )
        # From here on nothing awaits, so that of two replays one is first.
        self._require_unanswered(task, given)
        if task.status.state in _RUNNING:
            # The SDK would keep it, and hand it over once the task is paused.
            raise Rejected("task_is_running", message="the task waits for nothing yet")
        self._claim(facts, [(task.id, answer) for answer in given])
        return context

    async def on_exit(self, outcome: Outcome) -> None:
        """Remember a new pause, and give back answers that reached no agent."""
        task_id = outcome.request.task_id
        claims = self._claims.pop(outcome.request.correlation_id, [])
        if _reached_no_agent(outcome):
            for claim in claims:
                self._answered.pop(claim, None)
        elif outcome.kind != "paused":
            self._pauses.pop(task_id, None)
        elif claims or task_id not in self._pauses:
            # Asking again after a mere text is no new pause.
            pause = _Pause(outcome.request.caller, time.time())
            self._keep(self._pauses, task_id, pause)

    def _require_caller(self, task: Task, facts: RequestFacts) -> None:
        known = self._pauses.get(task.id)
        if known is not None and known.caller != facts.caller:
            raise Rejected("wrong_caller", message="another caller's task")

    def _require_in_time(self, task: Task) -> None:
        if self._expires_after_s is None:
            return
        known = self._pauses.get(task.id)
        # A status without a time counts from 1970, so it has expired.
        since = known.since if known else task.status.timestamp.ToMicroseconds() / 1e6
        if time.time() - since > self._expires_after_s:
            raise Rejected("pause_expired", message="the task waited for too long")

    def _require_unanswered(self, task: Task, given: list[str]) -> None:
        if not given:
            return
        earlier, asked = earlier_answers(task), questions(task)
        for position, answer in enumerate(given):
            earlier.update(given[:position])
            if answer in earlier or (task.id, answer) in self._answered:
                raise Rejected("already_answered", message="this was answered before")
            if asked and answer not in asked:
                raise Rejected(
                    "unknown_function_response", message="no such call was made"
                )

    def _claim(self, facts: RequestFacts, claims: list[tuple[str, str]]) -> None:
        if not claims:
            return
        self._keep(self._claims, facts.correlation_id, claims)
        for claim in claims:
            self._keep(self._answered, claim, None)

    def _keep(
        self, memory: OrderedDict[KeyT, ValueT], key: KeyT, value: ValueT
    ) -> None:
        memory[key] = value
        memory.move_to_end(key)
        while len(memory) > self._remembered:
            memory.popitem(last=False)


def _reached_no_agent(outcome: Outcome) -> bool:
    """Tell whether the request ended on its way in, so that its task waits on."""
    if outcome.kind in ("rejected", "never_started"):
        return True
    # A hook further down failed, or the caller hung up there.
    return outcome.kind in _ANYWHERE and not current().started
