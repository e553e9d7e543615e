"""on_exit runs exactly once for each request, however the request ends."""

import logging

import pytest

from .ends import ON_EXIT, ends, everybody, outcomes
from .harness import WIRES, Caller, Wire, running
from .recorder import Recorder
from .scripted import Factory, ScriptedAgent
from .subject import PATH, create_app

pytestmark = pytest.mark.anyio
each_interceptor = pytest.mark.parametrize("name", ON_EXIT)
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


@each_wire
async def test_it_runs_once_when_a_request_completes(
    caller: Caller, recorder: Recorder, wire: Wire
) -> None:
    """Whoever has the answer finds everything settled."""
    reply = await caller.send("hello", wire)

    assert ends(recorder) == everybody("completed")
    (outcome,) = outcomes(recorder, ON_EXIT[0])
    assert outcome.request.task_id == reply.task_id
    assert outcome.error_code is None
    assert outcome.error is None


@each_wire
async def test_it_runs_once_when_a_request_fails(
    caller: Caller, recorder: Recorder, factory: Factory, wire: Wire
) -> None:
    """It learns what was raised, which the caller doesn't."""
    factory.failures = 9

    reply = await caller.send("hello", wire)

    assert reply.state == "failed"
    assert ends(recorder) == everybody("failed")
    (outcome,) = outcomes(recorder, ON_EXIT[0])
    assert outcome.error_code == "internal_error"
    assert isinstance(outcome.error, ConnectionError)


async def test_it_runs_once_when_a_task_is_canceled(
    caller: Caller, recorder: Recorder, agent: ScriptedAgent
) -> None:
    """Before the caller hears that the task is canceled."""
    agent.waits = True
    sent = await caller.send("hello", wait=False)

    await caller.call("CancelTask", {"id": sent.task_id})

    assert ends(recorder) == everybody("canceled")


@each_wire
async def test_it_runs_once_for_each_message_of_a_paused_task(
    caller: Caller, recorder: Recorder, agent: ScriptedAgent, wire: Wire
) -> None:
    """The message that pauses the task, and the reply to it."""
    agent.pauses = True
    paused = await caller.send("hello", wire)
    assert ends(recorder) == everybody("paused")

    await caller.send("yes", wire, task_id=paused.task_id)

    for name in ON_EXIT:
        first, reply = outcomes(recorder, name)
        assert not first.request.is_reply
        assert reply.request.is_reply
        assert reply.request.task_id == paused.task_id


async def test_it_runs_once_when_the_service_shuts_down(
    recorder: Recorder, agent: ScriptedAgent, factory: Factory
) -> None:
    """What a run holds is released before the process ends."""
    agent.waits = True
    app = create_app(agent=agent, runner_factory=factory)

    async with running(app, PATH) as caller:
        await caller.send("hello", wait=False)

    assert ends(recorder) == everybody("shut_down")


@each_interceptor
async def test_one_that_fails_keeps_no_other_from_running(
    caller: Caller, recorder: Recorder, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """The answer goes out, and the log names the interceptor."""

    def fail(_: object) -> object:
        message = "out of order"
        raise RuntimeError(message)

    recorder.answer(name, "on_exit", fail)

    with caplog.at_level(logging.ERROR):
        reply = await caller.send("hello")

    assert reply.state == "completed"
    assert recorder.order("on_exit") == ON_EXIT[::-1]
    assert f"interceptor '{name}'" in caplog.text
    assert "out of order" in caplog.text


@each_interceptor
async def test_a_hook_that_is_not_async_is_named(
    caller: Caller, recorder: Recorder, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """A forgotten `async` doesn't pass unseen."""
    recorder.answer_at_once(name, "on_exit")

    with caplog.at_level(logging.ERROR):
        await caller.send("hello")

    assert f"interceptor '{name}': on_exit in " in caplog.text
    assert f"/hooks/{name}.py must be 'async def'" in caplog.text
