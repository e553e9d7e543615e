"""before_agent stands before the task: a refusal costs nothing and stores nothing."""

import asyncio

import pytest
from a2a.server.agent_execution import RequestContext

from .harness import WIRES, Caller, Wire
from .recorder import Recorder
from .scripted import ScriptedAgent, request_context
from .subject import HookContractError, Rejected, build_interceptors, with_hook

pytestmark = pytest.mark.anyio
each_interceptor = pytest.mark.parametrize("name", with_hook("before_agent"))


def refuse(_: object) -> object:
    """Refuse as a hook does."""
    raise Rejected("not_you", message="not you", retry_after_s=7)


@each_interceptor
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_a_refusal_reaches_the_caller_and_stores_nothing(
    caller: Caller, recorder: Recorder, agent: ScriptedAgent, name: str, wire: Wire
) -> None:
    """The same code for every caller; no run, no task."""
    recorder.answer(name, "before_agent", refuse)

    reply = await caller.send("hello", wire)
    listed = await caller.call("ListTasks", {})

    assert reply.error is not None
    assert reply.error["code"] == -32600
    assert reply.error["message"] == "not you"
    assert reply.metadata("reason")[-1] == "not_you"
    assert reply.metadata("policy") == [name]
    assert reply.metadata("retry_after_s") == ["7"]
    assert agent.runs == 0
    assert listed.state is None


@each_interceptor
async def test_a_refused_reply_leaves_a_paused_task_paused(
    caller: Caller, recorder: Recorder, agent: ScriptedAgent, name: str
) -> None:
    """The hook knows the task, and refusing doesn't end it."""
    agent.pauses = True
    paused = await caller.send("hello")
    seen: list[object] = []

    def see_and_refuse(context: object) -> object:
        assert isinstance(context, RequestContext)
        seen.append(context.current_task and context.current_task.id)
        return refuse(context)

    recorder.answer(name, "before_agent", see_and_refuse)
    refused = await caller.send("yes", task_id=paused.task_id)
    task = await caller.call("GetTask", {"id": paused.task_id})

    assert paused.state == "input-required"
    assert refused.error is not None
    assert seen == [paused.task_id]
    assert task.state == "input-required"


@each_interceptor
@pytest.mark.parametrize("wire", WIRES, ids=str)
async def test_an_exception_stays_in_the_log(
    caller: Caller,
    recorder: Recorder,
    caplog: pytest.LogCaptureFixture,
    name: str,
    wire: Wire,
) -> None:
    """The caller learns what to ask with, and nothing is stored."""

    def fail(_: object) -> object:
        message = "out of order"
        raise RuntimeError(message)

    recorder.answer(name, "before_agent", fail)

    reply = await caller.send("hello", wire)
    listed = await caller.call("ListTasks", {})

    assert reply.error is not None
    assert reply.error["code"] == -32603
    assert "out of order" not in str(reply.answers)
    (correlation_id,) = reply.metadata("correlation_id")
    assert f"request {correlation_id} failed: RuntimeError: out of order" in caplog.text
    assert listed.state is None


@each_interceptor
async def test_a_cancel_that_nobody_asked_for_is_an_exception(
    caller: Caller, recorder: Recorder, name: str
) -> None:
    """The caller doesn't wait for an answer for ever."""

    def cancel(_: object) -> object:
        raise asyncio.CancelledError

    recorder.answer(name, "before_agent", cancel)

    reply = await caller.send("hello")

    assert reply.error is not None
    assert reply.error["code"] == -32603


@each_interceptor
@pytest.mark.parametrize("result", [None, [], {}], ids=repr)
async def test_a_wrong_result_is_named_in_the_log(
    caller: Caller,
    recorder: Recorder,
    caplog: pytest.LogCaptureFixture,
    name: str,
    result: object,
) -> None:
    """Only the RequestContext goes on to the agent."""
    recorder.answer(name, "before_agent", lambda _: result)

    reply = await caller.send("hello")

    assert reply.error is not None
    assert f"interceptor '{name}': before_agent in " in caplog.text
    assert f"/hooks/{name}.py" in caplog.text
    assert f"returned {type(result).__name__}; return the RequestContext" in caplog.text


@each_interceptor
async def test_a_hook_that_is_not_async_is_named_in_the_log(
    caller: Caller, recorder: Recorder, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """A forgotten `async` doesn't pass unseen."""
    recorder.answer_at_once(name, "before_agent")

    reply = await caller.send("hello")

    assert f"interceptor '{name}': before_agent in " in caplog.text
    assert "must be 'async def'" in caplog.text
    assert reply.error is not None


@each_interceptor
async def test_the_hook_as_written_keeps_its_contract(
    recorder: Recorder, name: str
) -> None:
    """It returns the context or refuses."""
    recorder.stop()
    hook = build_interceptors()[name].before_agent
    assert hook is not None

    (result,) = await asyncio.gather(hook(request_context()), return_exceptions=True)

    assert not isinstance(result, HookContractError), result
