"""State: made anew for each request, and shared by the hooks of an interceptor."""

import asyncio
from collections.abc import AsyncGenerator

import anyio
import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event

from .harness import WIRES, Caller, Reply, Wire, running, values
from .recorder import HOOKS, Recorder
from .scripted import Factory, ScriptedAgent
from .subject import PATH, STATEFUL, SharedState, create_app

pytestmark = pytest.mark.anyio
each_interceptor = pytest.mark.parametrize("name", STATEFUL)
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


def states(recorder: Recorder, name: str) -> list[SharedState]:
    """Give what the interceptor's hooks were given as state, call by call."""
    lasts = [told[-1] for hook in HOOKS for told in recorder.given(hook, name)]
    return [state for state in lasts if isinstance(state, SharedState)]


def the_one(recorder: Recorder, name: str) -> SharedState:
    """Give the state that all hooks of the only request shared."""
    first, *others = states(recorder, name)
    assert all(state is first for state in others)
    return first


@each_interceptor
@each_wire
async def test_all_hooks_of_a_request_share_it(
    caller: Caller, recorder: Recorder, name: str, wire: Wire
) -> None:
    """And it knows the request's facts."""
    caller.http.headers["X-Tenant"] = "acme"

    reply = await caller.send("hello", wire)

    request = the_one(recorder, name).request
    assert request.task_id == reply.task_id
    assert request.context_id in values(reply.answers, "contextId")
    assert request.headers["x-tenant"] == "acme"
    assert request.correlation_id
    assert not request.is_reply


@each_interceptor
async def test_it_begins_with_the_values_of_the_spec(
    caller: Caller, recorder: Recorder, name: str
) -> None:
    """Nobody has changed it yet, since the hooks are stand-ins."""
    await caller.send("hello")

    state = the_one(recorder, name)

    assert state == type(state)(request=state.request)


@each_interceptor
async def test_two_requests_at_a_time_have_each_their_own(
    recorder: Recorder, name: str
) -> None:
    """Nothing of one is seen by the other."""
    replies: list[Reply] = []
    both = asyncio.Barrier(2)

    class Meeting(ScriptedAgent):
        async def _run_async_impl(
            self, ctx: InvocationContext
        ) -> AsyncGenerator[Event, None]:
            await both.wait()
            async for event in super()._run_async_impl(ctx):
                yield event

    agent = Meeting(name="scripted", description="Waits for another run.")
    app = create_app(agent=agent, runner_factory=Factory(agent))

    async with running(app, PATH) as caller:

        async def send() -> None:
            replies.append(await caller.send("hello"))

        async with anyio.create_task_group() as group:
            group.start_soon(send)
            group.start_soon(send)

    found = states(recorder, name)
    for reply in replies:
        own = [state for state in found if state.request.task_id == reply.task_id]
        assert own
        assert len({id(state) for state in own}) == 1
    assert len({id(state) for state in found}) == 2
    assert len({state.request.correlation_id for state in found}) == 2


@each_interceptor
@each_wire
async def test_a_reply_to_a_paused_task_begins_anew(
    caller: Caller, recorder: Recorder, agent: ScriptedAgent, name: str, wire: Wire
) -> None:
    """It is a request of its own, of the same task."""
    agent.pauses = True
    paused = await caller.send("hello", wire)
    first = the_one(recorder, name)

    await caller.send("yes", wire, task_id=paused.task_id)

    second = [state for state in states(recorder, name) if state is not first]
    assert len({id(state) for state in second}) == 1
    assert second[0].request.is_reply
    assert second[0].request.task_id == paused.task_id
    assert second[0].request.correlation_id != first.request.correlation_id
