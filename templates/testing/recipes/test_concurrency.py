"""How many requests concurrency lets run at once, and that places come back."""

from pkgutil import resolve_name
from typing import Literal

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import Message, Part, Role, SendMessageRequest

from .harness import WIRES, Caller, Content, Reply, Wire, values
from .scripted import Named, ScriptedAgent
from .subject import Interceptor, app, whole_chain

NAME = "concurrency"
MOST = 10
BY = "user"
HEADER: str | None = None
ON_STORE_ERROR: Literal["closed", "open"] = "closed"

IS_SHARED = BY.startswith("all")

ADDRESS = "127.0.0.1"
"""Where the caller of the service calls from."""


def sent(header: str | None, value: str) -> dict[str, str]:
    """Give the headers of a caller who is known by this value."""
    return {header: value} if header else {}


def is_chosen(value: str, choice: str) -> bool:
    """Tell whether the spec's value is this one."""
    return value == choice


OPENS = is_chosen(ON_STORE_ERROR, "open")
SENT = sent(HEADER, "first")

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(MOST > 100_000, reason="too many for a test"),
]
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture(autouse=True)
def slots(monkeypatch: pytest.MonkeyPatch) -> Interceptor:
    """The recipe, as it stands in the chain of the service under test."""
    found = next(each for each in whole_chain() if each.name == NAME)
    monkeypatch.setattr(app, "build_interceptors", lambda: [found])
    return found


async def fill(slots: Interceptor, count: int) -> None:
    """Let the caller have so many requests that aren't done."""
    for _ in range(count):
        await judged(slots, message_from(ADDRESS, SENT))


def message_from(
    address: str, headers: dict[str, str], user: Named | None = None
) -> RequestContext:
    """Make the context of a message."""
    lower = {name.lower(): value for name, value in headers.items()}
    call = ServerCallContext(state={"headers": lower, "address": address})
    if user is not None:
        call.user = user
    message = Message(message_id="m", role=Role.ROLE_USER, parts=[Part(text="hello")])
    return RequestContext(call, SendMessageRequest(message=message))


async def judged(slots: Interceptor, context: RequestContext) -> None:
    """Let the recipe judge a message; what it raises is raised."""
    assert slots.before_agent is not None
    await slots.before_agent(context)


def hello() -> Content:
    """Make a message of the caller."""
    return Content(parts=[{"text": "hello"}], headers=SENT)


def assert_too_many(reply: Reply) -> None:
    """The caller is told to come back."""
    assert reply.error is not None
    assert reply.error["code"] == -32600
    assert reply.error_data["reason"] == "too_many_at_once"
    assert reply.error_data["policy"] == NAME
    assert reply.error_data["retry_after_s"] == "1"


@each_wire
async def test_one_more_than_allowed_is_refused(
    caller: Caller, agent: ScriptedAgent, slots: Interceptor, wire: Wire
) -> None:
    """Nothing of it runs."""
    await fill(slots, MOST)

    assert_too_many(await caller.send(hello(), wire))
    assert agent.runs == 0


@each_wire
async def test_as_many_as_allowed_run_and_give_their_place_back(
    caller: Caller, agent: ScriptedAgent, slots: Interceptor, wire: Wire
) -> None:
    """The last place is good for one request after the other."""
    await fill(slots, MOST - 1)

    replies = [await caller.send(hello(), wire) for _ in range(2)]

    assert [reply.error for reply in replies] == [None, None]
    assert agent.runs == 2


async def test_a_run_that_fails_gives_its_place_back(
    caller: Caller, agent: ScriptedAgent, slots: Interceptor
) -> None:
    """However it ends."""
    await fill(slots, MOST - 1)
    agent.raises = "it broke"
    failed = await caller.send(hello())
    agent.raises = ""

    reply = await caller.send(hello())

    assert failed.state == "failed"
    assert reply.state == "completed"


async def test_a_task_that_waits_for_its_caller_gives_its_place_back(
    caller: Caller, agent: ScriptedAgent, slots: Interceptor
) -> None:
    """A pause may be long."""
    await fill(slots, MOST - 1)
    agent.pauses = True
    paused = await caller.send(hello())
    agent.pauses = False

    reply = await caller.send(hello())

    assert paused.state == "input-required"
    assert reply.state == "completed"


async def test_a_run_that_is_canceled_gives_its_place_back(
    caller: Caller, agent: ScriptedAgent, slots: Interceptor
) -> None:
    """While it lasts there is none for another."""
    await fill(slots, MOST - 1)
    agent.waits = True
    begun = await caller.send(hello(), wait=False)
    over = await caller.send(hello(), wait=False)
    (task,) = values(begun.answers, "task")
    (task_id,) = list(values(task, "id"))[:1]
    await caller.call("CancelTask", {"id": task_id}, headers=SENT)
    agent.waits = False

    reply = await caller.send(hello())

    assert_too_many(over)
    assert reply.state == "completed"


@pytest.mark.skipif(IS_SHARED, reason="all callers share the places")
async def test_another_caller_has_places_of_their_own(slots: Interceptor) -> None:
    """What tells callers apart is what the spec says."""
    await fill(slots, MOST)
    others = {
        "user": message_from(ADDRESS, SENT, Named("second")),
        "tenant": message_from(ADDRESS, sent(HEADER, "second")),
        "key": message_from(ADDRESS, sent(HEADER, "second")),
        "address": message_from("192.0.2.9", SENT),
    }

    await judged(slots, others[BY])


@pytest.mark.skipif(not IS_SHARED, reason="each caller has places of their own")
async def test_all_callers_share_the_places(caller: Caller, slots: Interceptor) -> None:
    """Whoever it is that holds them."""
    for number in range(MOST):
        await judged(slots, message_from(f"192.0.2.{number % 250}", {}))

    assert_too_many(await caller.send(hello()))


@each_wire
async def test_a_store_that_is_down_opens_or_closes(
    caller: Caller,
    agent: ScriptedAgent,
    slots: Interceptor,
    monkeypatch: pytest.MonkeyPatch,
    wire: Wire,
) -> None:
    """What happens then is the spec's choice, and the caller is told."""
    store_down: type[Exception] = resolve_name(
        f"{type(slots.hooks).__module__}:StoreDown"
    )

    async def down(*_: object) -> bool:
        raise store_down

    places: object = vars(slots.hooks)["_slots"]
    monkeypatch.setattr(type(places), "take", down)

    reply = await caller.send(hello(), wire)

    if OPENS:
        assert reply.error is None
        assert reply.metadata("concurrency") == ["unchecked"]
        assert agent.runs == 1
    else:
        assert reply.error_data["reason"] == "concurrency_unavailable"
        assert agent.runs == 0
