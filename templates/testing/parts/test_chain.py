"""A hook that breaks its contract is named, and never fails in silence."""

from collections.abc import Callable

import pytest
from a2a.types import TaskArtifactUpdateEvent

from runtime.seams.chain import (
    HookContractError,
    Interceptor,
    guarded,
    without_before_agent,
)
from runtime.seams.interceptor import (
    A2AEvent,
    AdkEvent,
    AfterAgent,
    AfterEvent,
    BeforeAgent,
    EventResult,
    ExecutorContext,
    OnExit,
    Outcome,
    RequestContext,
    RequestFacts,
    TaskStatusUpdateEvent,
)
from runtime.seams.rejection import Rejected

from .scripted import (
    ScriptedAgent,
    adk_event,
    executor_context,
    request_context,
    status_update,
)

pytestmark = pytest.mark.anyio

STATUS, ARTIFACT, CONTEXT = (
    status_update(),
    TaskArtifactUpdateEvent(),
    request_context(),
)
RUN, ADK_EVENT = executor_context(ScriptedAgent(name="scripted")), adk_event()
OUTCOME = Outcome(kind="completed", request=RequestFacts())
FILE = f"{__name__.replace('.', '/')}.py"
HOOKS = ("before_agent", "after_event", "after_agent", "on_exit")


class Whole(BeforeAgent, AfterEvent, AfterAgent, OnExit):
    """Has every hook, and passes everything on.

    Attributes:
        seen: What they were given.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.seen: list[object] = []

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Pass the context on."""
        self.seen = [context]
        return context

    async def after_event(
        self, context: ExecutorContext, event: A2AEvent, adk_event: AdkEvent
    ) -> EventResult:
        """Pass the event on."""
        self.seen = [context, event, adk_event]
        return event

    async def after_agent(
        self, context: ExecutorContext, final_event: TaskStatusUpdateEvent
    ) -> TaskStatusUpdateEvent:
        """Pass the status on."""
        self.seen = [context, final_event]
        return final_event

    async def on_exit(self, outcome: Outcome) -> None:
        """Look at the outcome."""
        self.seen = [outcome]


async def called(made: Interceptor, hook: str) -> object:
    """Call one hook as ADK and the boundary do."""
    assert made.before_agent
    assert made.after_event
    assert made.after_agent
    assert made.on_exit
    if hook == "before_agent":
        return await made.before_agent(CONTEXT)
    if hook == "after_event":
        return await made.after_event(RUN, STATUS, ADK_EVENT)
    if hook == "after_agent":
        return await made.after_agent(RUN, STATUS)
    await made.on_exit(OUTCOME)
    return None


def giving(
    monkeypatch: pytest.MonkeyPatch, hook: str, give: Callable[[], object]
) -> Interceptor:
    """Make an interceptor of which one hook gives something else."""

    async def given(*_: object) -> object:
        return give()

    hooks = Whole()
    monkeypatch.setattr(hooks, hook, given)
    return guarded("mine", hooks)


@pytest.mark.parametrize(
    ("hook", "seen", "result"),
    [
        ("before_agent", [CONTEXT], CONTEXT),
        ("after_event", [RUN, STATUS, ADK_EVENT], STATUS),
        ("after_agent", [RUN, STATUS], STATUS),
        ("on_exit", [OUTCOME], None),
    ],
    ids=HOOKS,
)
async def test_a_hook_sees_what_it_is_for(
    hook: str, seen: list[object], result: object
) -> None:
    """And what it gives goes on."""
    hooks = Whole()
    made = guarded("mine", hooks)

    assert await called(made, hook) is result

    assert hooks.seen == seen
    assert (made.name, made.hooks) == ("mine", hooks)


def test_only_the_hooks_that_are_there_are_called() -> None:
    """By the bases of the class."""
    none, whole = guarded("mine", object()), guarded("mine", Whole())

    assert not any(getattr(none, hook) for hook in HOOKS)
    (copy,) = without_before_agent([whole])
    assert copy.before_agent is None
    assert whole.before_agent
    assert (copy.name, copy.hooks) == ("mine", whole.hooks)
    assert all(getattr(copy, hook) is getattr(whole, hook) for hook in HOOKS[1:])


@pytest.mark.parametrize(
    ("hook", "given", "name", "wanted"),
    [
        ("before_agent", None, "NoneType", "the RequestContext"),
        ("before_agent", STATUS, "TaskStatusUpdateEvent", "the RequestContext"),
        (
            "after_event",
            "text",
            "str",
            "a status or artifact update, a list of them, or None",
        ),
        (
            "after_event",
            [STATUS, 1],
            "list",
            "a status or artifact update, a list of them, or None",
        ),
        ("after_agent", None, "NoneType", "the TaskStatusUpdateEvent"),
        (
            "after_agent",
            ARTIFACT,
            "TaskArtifactUpdateEvent",
            "the TaskStatusUpdateEvent",
        ),
    ],
    ids=range(6),
)
async def test_a_wrong_result_is_told_with_the_right_one(
    monkeypatch: pytest.MonkeyPatch, hook: str, given: object, name: str, wanted: str
) -> None:
    """And with the file that it comes from."""
    made = giving(monkeypatch, hook, lambda: given)

    with pytest.raises(HookContractError) as broken:
        await called(made, hook)

    assert str(broken.value) == (
        f"interceptor 'mine': {hook} in {FILE} returned {name}; return {wanted}"
    )


@pytest.mark.parametrize("given", [None, STATUS, ARTIFACT, [], [ARTIFACT, STATUS]])
async def test_an_event_may_become_none_or_many(
    monkeypatch: pytest.MonkeyPatch, given: object
) -> None:
    """Of the two kinds that a run sends."""
    made = giving(monkeypatch, "after_event", lambda: given)

    assert await called(made, "after_event") is given


async def test_what_the_last_hook_gives_is_nobodys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing is made of it."""
    made = giving(monkeypatch, "on_exit", lambda: 1)

    assert await called(made, "on_exit") is None


@pytest.mark.parametrize("hook", HOOKS)
async def test_a_hook_that_cannot_be_awaited_is_told(
    monkeypatch: pytest.MonkeyPatch, hook: str
) -> None:
    """Whatever it gives, also what would be right."""
    right = {"before_agent": CONTEXT, "on_exit": None}.get(hook, STATUS)

    def give(*_: object) -> object:
        return right

    hooks = Whole()
    monkeypatch.setattr(hooks, hook, give)

    with pytest.raises(HookContractError) as broken:
        await called(guarded("mine", hooks), hook)

    assert (
        str(broken.value) == f"interceptor 'mine': {hook} in {FILE} must be 'async def'"
    )


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize(("policy", "told"), [(None, "mine"), ("its", "its")])
async def test_who_refuses_is_named(
    monkeypatch: pytest.MonkeyPatch, hook: str, policy: str | None, told: str
) -> None:
    """By the name in the spec, unless the hook names somebody."""

    def refuse() -> object:
        raise Rejected("not_now", policy=policy)

    with pytest.raises(Rejected) as refused:
        await called(giving(monkeypatch, hook, refuse), hook)
    assert refused.value.policy == told
