"""after_agent has the last word on the final status."""

import asyncio

import pytest
from a2a.types import TaskStatusUpdateEvent

from .harness import WIRES, Caller, Wire
from .recorder import Recorder
from .scripted import ScriptedAgent, executor_context, status_update
from .subject import HookContractError, build_interceptors, with_hook

pytestmark = pytest.mark.anyio
each_interceptor = pytest.mark.parametrize("name", with_hook("after_agent"))


@each_interceptor
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_what_it_adds_reaches_the_caller(
    caller: Caller, recorder: Recorder, name: str, wire: Wire
) -> None:
    """The caller gets the status as the hook returned it."""

    def stamp(event: object) -> object:
        assert isinstance(event, TaskStatusUpdateEvent)
        event.metadata["stamp"] = "seen"
        return event

    recorder.answer(name, "after_agent", stamp)

    reply = await caller.send("hello", wire)

    assert reply.state == "completed"
    assert reply.metadata("stamp") == ["seen"]


@each_interceptor
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_an_exception_fails_the_task(
    caller: Caller, recorder: Recorder, name: str, wire: Wire
) -> None:
    """The caller isn't left waiting."""

    def fail(_: object) -> object:
        message = "out of order"
        raise RuntimeError(message)

    recorder.answer(name, "after_agent", fail)

    assert (await caller.send("hello", wire)).state == "failed"


@each_interceptor
@pytest.mark.parametrize("result", [None, [], {}, "text"], ids=repr)
async def test_a_wrong_result_is_named_in_the_log(
    caller: Caller,
    recorder: Recorder,
    caplog: pytest.LogCaptureFixture,
    name: str,
    result: object,
) -> None:
    """No task stays `working` for ever."""
    recorder.answer(name, "after_agent", lambda _: result)

    reply = await caller.send("hello")

    assert reply.state == "failed"
    assert f"interceptor '{name}': after_agent in " in caplog.text
    assert f"/hooks/{name}.py" in caplog.text


@each_interceptor
async def test_a_hook_that_is_not_async_is_named_in_the_log(
    caller: Caller, recorder: Recorder, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """A forgotten `async` doesn't pass unseen."""
    recorder.answer_at_once(name, "after_agent")

    reply = await caller.send("hello")

    assert f"interceptor '{name}': after_agent in " in caplog.text
    assert "must be 'async def'" in caplog.text
    assert name not in reply.text


@each_interceptor
async def test_the_hook_as_written_keeps_its_contract(
    recorder: Recorder, agent: ScriptedAgent, name: str
) -> None:
    """It returns the final status."""
    recorder.stop()
    hook = build_interceptors()[name].after_agent
    assert hook is not None

    call = hook(executor_context(agent), status_update())
    (result,) = await asyncio.gather(call, return_exceptions=True)

    assert not isinstance(result, HookContractError), result
