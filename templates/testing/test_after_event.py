"""after_event decides what becomes of each event on its way to the caller."""

import asyncio

import pytest
from a2a.types import Message, TaskArtifactUpdateEvent, TaskStatusUpdateEvent

from .harness import WIRES, Caller, Wire
from .recorder import Recorder
from .scripted import (
    ScriptedAgent,
    adk_event,
    executor_context,
    status_update,
    with_text,
)
from .subject import HookContractError, build_interceptors, with_hook

pytestmark = pytest.mark.anyio
INTERCEPTORS = with_hook("after_event")
each_interceptor = pytest.mark.parametrize("name", INTERCEPTORS)


@each_interceptor
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_none_drops_the_event(
    caller: Caller, recorder: Recorder, name: str, wire: Wire
) -> None:
    """The text doesn't leave, and later interceptors don't see it."""
    recorder.answer(name, "after_event", lambda _: None)

    reply = await caller.send("hello", wire)

    assert "internal_error" not in reply.metadata("error_code")
    assert "one" not in reply.artifact_texts
    assert recorder.order("after_event") == INTERCEPTORS[: INTERCEPTORS.index(name) + 1]


@each_interceptor
async def test_a_list_is_sent_in_place_of_the_event(
    caller: Caller, recorder: Recorder, name: str
) -> None:
    """The caller gets both, and later interceptors each of them."""

    def twice(event: object) -> object:
        assert isinstance(event, TaskStatusUpdateEvent | TaskArtifactUpdateEvent)
        return [with_text(event, "first"), with_text(event, "second")]

    recorder.answer(name, "after_event", twice)

    reply = await caller.send("hello", WIRES[1])

    assert "first" in reply.text
    assert "second" in reply.text
    later = INTERCEPTORS[INTERCEPTORS.index(name) + 1 :]
    assert [recorder.order("after_event").count(each) for each in later] == [
        2 for _ in later
    ]


@each_interceptor
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_an_exception_fails_the_task(
    caller: Caller, recorder: Recorder, name: str, wire: Wire
) -> None:
    """The caller isn't left waiting."""

    def fail(_: object) -> object:
        message = "out of order"
        raise RuntimeError(message)

    recorder.answer(name, "after_event", fail)

    assert (await caller.send("hello", wire)).state == "failed"


@each_interceptor
@pytest.mark.parametrize("result", [(), {}, "text", [None], Message()], ids=repr)
async def test_a_wrong_result_is_named_in_the_log(
    caller: Caller,
    recorder: Recorder,
    caplog: pytest.LogCaptureFixture,
    name: str,
    result: object,
) -> None:
    """No event vanishes in silence."""
    recorder.answer(name, "after_event", lambda _: result)

    reply = await caller.send("hello")

    assert reply.state == "failed"
    assert f"interceptor '{name}': after_event in " in caplog.text
    assert f"/hooks/{name}.py" in caplog.text


@each_interceptor
async def test_a_hook_that_is_not_async_is_named_in_the_log(
    caller: Caller, recorder: Recorder, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """A forgotten `async` doesn't pass unseen."""
    recorder.answer_at_once(name, "after_event")

    reply = await caller.send("hello")

    assert f"interceptor '{name}': after_event in " in caplog.text
    assert "must be 'async def'" in caplog.text
    assert name not in reply.text


@each_interceptor
async def test_the_hook_as_written_keeps_its_contract(
    recorder: Recorder, agent: ScriptedAgent, name: str
) -> None:
    """It returns an event, a list of them, or None."""
    recorder.stop()
    hook = build_interceptors()[name].after_event
    assert hook is not None

    call = hook(executor_context(agent), status_update(), adk_event())
    (result,) = await asyncio.gather(call, return_exceptions=True)

    assert not isinstance(result, HookContractError), result
