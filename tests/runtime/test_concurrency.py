import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.genai import types
from tests.runtime.limited import (
    Namespace,
    from_user,
    identity,
    proxied,
    redis_keys,
)
from tests.runtime.messages import begun_task, call_context, message_context
from tests.runtime.serving import CELLS, Cell, Setup, served

from runtime.boundary.policy import Policy
from runtime.recipes.limits.concurrency import Concurrency
from runtime.recipes.limits.slots import RedisSlots
from runtime.recipes.limits.store import LimitStore
from runtime.seams.interceptor import BeforeAgent, RequestContext
from runtime.seams.rejection import Rejected
from testing.harness import Caller, running
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]
each_cell = pytest.mark.parametrize("cell", CELLS, ids=str)
STORES = ["memory", pytest.param("redis", marks=pytest.mark.redis)]


class Agent:
    """Does what it is told; counts how many of its runs there are at once."""

    def __init__(self) -> None:
        self.does = "answer"
        self.running = self.most = self.runs = 0
        self.go_on = asyncio.Event()

    async def __call__(self, _: InvocationContext) -> AsyncGenerator[Event, None]:
        self.runs += 1
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            yield adk_event("so far")
            if self.does == "wait":
                await self.go_on.wait()
            if self.does == "raise":
                raise ConnectionError
            if self.does == "pause":
                yield question()
        finally:
            self.running -= 1


def question() -> Event:
    call = types.FunctionCall(id="call", name="approve", args={})
    content = types.Content(role="model", parts=[types.Part(function_call=call)])
    return Event(author="scripted", content=content, long_running_tool_ids={"call"})


class Refuses(BeforeAgent):
    """Refuses while it is told to, with whatever that is."""

    error: Exception | None = None

    async def before_agent(self, context: RequestContext) -> RequestContext:
        if self.error:
            raise self.error
        return context


def limited(namespace: Namespace | None = None, **more: Any) -> Concurrency:  # noqa: ANN401
    values: dict[str, Any] = {"most": 1, **more}
    if namespace is not None:
        values["namespace"] = namespace.name
        values.setdefault("store", namespace.url)
        values.setdefault("store_timeout_s", 5)
    return Concurrency(**values)


async def until(happened: Callable[[], bool]) -> None:
    for _ in range(5000):
        if happened():
            return
        await asyncio.sleep(0.001)
    pytest.fail("it did not happen")


def hello(cell: Cell) -> dict[str, Any]:
    return {"wire": cell.wire, "extension": cell.extension}


async def begin(it: Caller, agent: Agent) -> str:
    """Begin a run that waits, and give its task."""
    agent.does = "wait"
    before = agent.runs
    begun = await it.send(from_user("u1"), wait=False)
    await until(lambda: agent.runs > before)
    agent.does = "answer"
    return begun_task(begun)


@each_cell
async def test_of_many_at_once_as_many_run_as_may(
    cell: Cell, caplog: pytest.LogCaptureFixture
) -> None:
    agent = Agent()
    hooks: dict[str, object] = {"who": identity(), "slots": limited(most=3)}
    async with served(Setup(script=agent, hooks=hooks, pin=cell.pin)) as it:
        for _ in range(3):
            await begin(it, agent)
        over = [await it.send(from_user("u1"), **hello(cell)) for _ in range(5)]
        other = await it.send(from_user("u2"), **hello(cell))
        agent.go_on.set()
    for reply in over:
        assert reply.error is not None
        assert reply.error["code"] == -32600
        assert reply.error_data["reason"] == "too_many_at_once"
        assert reply.error_data["retry_after_s"] == "1"
        assert reply.error_data["policy"] == "slots"
    assert other.state == "completed"
    assert agent.runs == 4
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]


ENDS = ["answer", "raise", "pause", "cancel", "deadline", "refused", "broken", "late"]


@each_cell
@pytest.mark.parametrize("end", ENDS)
async def test_the_place_comes_back_on_every_exit(cell: Cell, end: str) -> None:
    agent, later = Agent(), Refuses()
    slots = limited()
    hooks: dict[str, object] = {"who": identity(), "slots": slots, "later": later}
    policy = Policy(deadline_s=0.05) if end == "deadline" else None
    setup = Setup(script=agent, hooks=hooks, pin=cell.pin, policy=policy)
    async with served(setup) as it:
        for _ in range(3):
            await exit_by(it, agent, later, end, cell)
            reply = await it.send(from_user("u1"), **hello(cell))
            assert reply.state == "completed", reply
    assert agent.most == 1
    assert vars(slots)["_held"] == {}
    assert len(vars(slots)["_slots"]) == 0


async def exit_by(
    it: Caller, agent: Agent, later: Refuses, end: str, cell: Cell
) -> None:
    if end == "cancel":
        await it.call(
            "CancelTask",
            {"id": await begin(it, agent)},
            headers=from_user("u1").headers,
        )
    elif end == "late":
        # The SDK refuses what the gate has let in: the task is over.
        done = await it.send(from_user("u1"))
        await it.send(from_user("u1"), task_id=done.task_id)
    elif end in ("refused", "broken"):
        later.error = Rejected("not_today") if end == "refused" else KeyError("key")
        await it.send(from_user("u1"), **hello(cell))
        later.error = None
    else:
        agent.does = "wait" if end == "deadline" else end
        await it.send(from_user("u1"), **hello(cell))
        agent.does = "answer"


async def test_a_caller_who_hangs_up_keeps_the_place_while_the_run_lasts() -> None:
    agent = Agent()
    hooks: dict[str, object] = {"who": identity(), "slots": limited()}
    async with served(Setup(script=agent, hooks=hooks)) as it:
        agent.does = "wait"
        gone = asyncio.create_task(it.send(from_user("u1")))
        await until(lambda: agent.runs > 0)
        gone.cancel()
        await asyncio.wait({gone})
        agent.does = "answer"
        meanwhile = await it.send(from_user("u1"))
        agent.go_on.set()
        await until(lambda: not agent.running)
        await asyncio.sleep(0.05)
        after = await it.send(from_user("u1"))
    assert meanwhile.error_data["reason"] == "too_many_at_once"
    assert after.state == "completed"


@pytest.mark.parametrize("store", STORES)
async def test_all_callers_may_share_the_places(store: str) -> None:
    if store == "memory":
        await assert_shared(limited(by="all"), limited())
        return
    async with redis_keys() as one, redis_keys() as two:
        await assert_shared(limited(one, by="all"), limited(two))


async def assert_shared(shared: Concurrency, own: Concurrency) -> None:
    reasons: list[object] = []
    for slots in (shared, own):
        agent = Agent()
        hooks: dict[str, object] = {"who": identity(), "slots": slots}
        async with served(Setup(script=agent, hooks=hooks)) as it:
            task_id = await begin(it, agent)
            reply = await it.send(from_user("u2"))
            reasons.append(reply.error_data.get("reason"))
            headers = from_user("u1").headers
            await it.call("CancelTask", {"id": task_id}, headers=headers)
            assert (await it.send(from_user("u2"))).state == "completed"
        await slots.close()
    assert reasons == ["too_many_at_once", None]


async def test_all_share_the_places_wherever_they_call_from() -> None:
    slots = limited(by="all")
    calls = [call_context(), call_context()]
    for address, call in zip(("192.0.2.1", "192.0.2.2"), calls, strict=True):
        call.state["address"] = address
    await slots.before_agent(message_context(call=calls[0]))
    with pytest.raises(Rejected, match="at most 1 at once"):
        await slots.before_agent(message_context(call=calls[1]))


@pytest.mark.redis
async def test_two_services_share_places_in_redis() -> None:
    agent = Agent()
    async with redis_keys() as namespace:
        both = [limited(namespace, most=3) for _ in range(2)]
        apps = [
            Setup(script=agent, hooks={"who": identity(), "slots": slots}).application()
            for slots in both
        ]
        async with running(apps[0]) as one, running(apps[1]) as two:
            agent.does = "wait"
            asked = [
                asyncio.create_task(it.send(from_user("u1")))
                for it in (one, two)
                for _ in range(20)
            ]
            await until(lambda: sum(task.done() for task in asked) == 37)
            refused = [task.result() for task in asked if task.done()]
            assert agent.running == 3
            agent.go_on.set()
            replies = await asyncio.gather(*asked)
            again = await one.send(from_user("u1"))
            keys = await namespace.keys()
        for slots in both:
            await slots.close()
    assert agent.runs == agent.most + 1 == 4
    assert {str(each.error_data["reason"]) for each in refused} == {"too_many_at_once"}
    assert sum(reply.state == "completed" for reply in replies) == 3
    assert again.state == "completed"
    assert keys == []


@pytest.mark.redis
async def test_the_place_of_a_process_that_died_is_free_after_its_lease() -> None:
    async with redis_keys() as namespace:
        store = LimitStore(namespace.url, timeout_s=5, remembered=1)
        dead, alive = (
            RedisSlots(2, store, lease_s=lease_s, namespace=namespace.name)
            for lease_s in (0.3, 60)
        )
        assert await dead.take("key", "holder")
        assert await alive.take("key", "lasting")
        assert not await alive.take("key", "other")
        await asyncio.sleep(0.35)
        assert await alive.take("key", "other")
        assert not await alive.take("key", "third")
        await alive.give_back("key", "third")
        assert not await alive.take("key", "third")
        await alive.give_back("key", "other")
        assert await alive.take("key", "third")
        await store.close()


@pytest.mark.redis
@pytest.mark.parametrize("problem", ["slow", "down"])
@pytest.mark.parametrize("door", ["closed", "open"])
async def test_a_store_that_fails_and_comes_back(problem: str, door: str) -> None:
    agent = Agent()
    async with redis_keys() as namespace, proxied() as proxy:
        slots = limited(
            namespace, store_timeout_s=0.3, on_store_error=door, store=proxy.url
        )
        hooks: dict[str, object] = {"who": identity(), "slots": slots}
        async with served(Setup(script=agent, hooks=hooks)) as it:
            up = await it.send(from_user("u1"))
            await proxy.be("slow" if problem == "slow" else "down")
            failed = await it.send(from_user("u1"))
            await proxy.be("up")
            await asyncio.sleep(0.1)
            back = await it.send(from_user("u1"))
            keys = await namespace.keys()
        await slots.close()
    assert up.state == "completed"
    if door == "open":
        assert failed.state == "completed"
        assert failed.metadata("concurrency") == ["unchecked"]
    else:
        assert failed.error_data["reason"] == "concurrency_unavailable"
    assert vars(slots)["_held"] == {}
    if problem == "down":
        assert back.state == "completed"
        assert keys == []


@pytest.mark.redis
async def test_keys_give_no_name_away() -> None:
    agent = Agent()
    async with redis_keys() as namespace:
        slots = limited(namespace, by="key", header="X-Api-Key")
        setup = Setup(script=agent, hooks={"who": identity(), "slots": slots})
        async with served(setup) as it:
            agent.does = "wait"
            given = from_user("u1", **{"X-Api-Key": "token-secret"})
            await it.send(given, wait=False)
            await until(lambda: agent.runs > 0)
            keys = str(await namespace.keys())
            agent.go_on.set()
        await slots.close()
    assert "/key/" in keys
    assert "secret" not in keys


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"most": 0}, "above zero"),
        ({"lease_s": 0}, "above zero"),
        ({"by": "all", "header": "X-Tenant"}, "no use"),
        ({"by": "tenant"}, "header goes with"),
        ({"store": "memcached://127.0.0.1:11211"}, "in Redis only"),
    ],
)
def test_values_that_cannot_be_used(values: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        limited(**values)
