"""How many messages rate_limit lets in, from whom, and what it says of the rest."""

import time
from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import Message, Part, Role, SendMessageRequest

from .harness import WIRES, Caller, Content, Reply, Wire
from .scripted import Named, ScriptedAgent
from .subject import Interceptor, app, whole_chain

NAME = "rate_limit"
BY: Literal["user", "tenant", "key", "address"] = "user"
HEADER: str | None = None
ACTION: Literal["reject", "warn"] = "reject"
COUNT_REPLIES = True
ON_STORE_ERROR: Literal["closed", "open"] = "closed"
AT_ONCE = 60
"""How many messages get in at one moment."""
WINDOW_S = 60
"""How long whoever sends one more has to wait at most."""
IS_ONE_LIMIT = True
"""Whether it is the only limit, so that after the wait there is room."""

ADDRESS = "127.0.0.1"
"""Where the caller of the service calls from."""


def is_chosen(value: str, choice: str) -> bool:
    """Tell whether the spec's value is this one."""
    return value == choice


def sent(header: str | None, value: str) -> dict[str, str]:
    """Give the headers of a caller who is known by this value."""
    return {header: value} if header else {}


WARNS = is_chosen(ACTION, "warn")
OPENS = is_chosen(ON_STORE_ERROR, "open")
SENT = sent(HEADER, "first")

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(AT_ONCE > 100_000, reason="too many for a test"),
]
each_wire = pytest.mark.parametrize("wire", WIRES, ids=str)

Sender: TypeAlias = Callable[[int], Awaitable[None]]


class Clock:
    """The time that the limit is counted by; it stands still between messages."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Begin now."""
        self.now = time.time()
        monkeypatch.setattr(time, "time", lambda: self.now)


@pytest.fixture
def recipe() -> str | None:
    """The recipe stands in the chain."""
    return NAME


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """No window ends while a test sends."""
    return Clock(monkeypatch)


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> Interceptor:
    """The recipe, as it stands in the chain of the service under test."""
    found = next(each for each in whole_chain() if each.name == NAME)
    monkeypatch.setattr(app, "build_interceptors", lambda: [found])
    return found


@pytest.fixture
def messages(limit: Interceptor) -> Sender:
    """Let the recipe see messages of the caller, without the way through HTTP."""

    async def see(count: int) -> None:
        for _ in range(count):
            await judged(limit, message_from(ADDRESS, SENT))

    return see


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


async def judged(limit: Interceptor, context: RequestContext) -> None:
    """Let the recipe judge a message; what it raises is raised."""
    assert limit.before_agent is not None
    await limit.before_agent(context)


def hello() -> Content:
    """Make a message of the caller."""
    return Content(parts=[{"text": "hello"}], headers=SENT)


def assert_too_many(reply: Reply) -> None:
    """The caller is told to wait, or that it was one too many."""
    if WARNS:
        assert reply.error is None
        assert reply.metadata("rate_limit") == ["exceeded"]
        return
    assert reply.error is not None
    assert reply.error["code"] == -32600
    assert reply.error_data["reason"] == "rate_limited"
    assert reply.error_data["policy"] == NAME
    assert 1 <= int(str(reply.error_data["retry_after_s"])) <= WINDOW_S


@each_wire
async def test_as_many_as_may_get_in_and_not_one_more(
    caller: Caller, agent: ScriptedAgent, messages: Sender, wire: Wire
) -> None:
    """The limit itself is allowed."""
    await messages(AT_ONCE - 1)

    last = await caller.send(hello(), wire)
    over = await caller.send(hello(), wire)

    assert last.error is None
    assert last.metadata("rate_limit") == []
    assert_too_many(over)
    assert agent.runs == (2 if WARNS else 1)


async def test_reading_is_free(caller: Caller, messages: Sender) -> None:
    """Whoever may send no more still reads what there is."""
    await messages(AT_ONCE)

    listed = await caller.call("ListTasks", {}, headers=SENT)

    assert listed.error is None


async def test_another_caller_has_a_limit_of_their_own(
    limit: Interceptor, messages: Sender
) -> None:
    """What tells callers apart is what the spec says."""
    await messages(AT_ONCE)

    others = {
        "user": message_from(ADDRESS, SENT, Named("second")),
        "tenant": message_from(ADDRESS, sent(HEADER, "second")),
        "key": message_from(ADDRESS, sent(HEADER, "second")),
        "address": message_from("192.0.2.9", SENT),
    }

    await judged(limit, others[BY])


@pytest.mark.skipif(WARNS, reason="nobody has to wait")
@pytest.mark.skipif(not IS_ONE_LIMIT, reason="another limit may be reached by then")
async def test_after_the_wait_there_is_room(
    caller: Caller, messages: Sender, clock: Clock
) -> None:
    """The caller is told the truth."""
    await messages(AT_ONCE)
    over = await caller.send(hello())
    clock.now += int(str(over.error_data["retry_after_s"])) + 0.001

    again = await caller.send(hello())

    assert again.error is None


@each_wire
async def test_a_reply_to_a_paused_task_counts_or_not(
    caller: Caller, agent: ScriptedAgent, messages: Sender, wire: Wire
) -> None:
    """A reply that is refused leaves the task paused."""
    await messages(AT_ONCE - 1)
    agent.pauses = True
    paused = await caller.send(hello())

    reply = await caller.send(hello(), wire, task_id=paused.task_id)
    task = await caller.call("GetTask", {"id": paused.task_id}, headers=SENT)

    if COUNT_REPLIES:
        assert_too_many(reply)
    else:
        assert reply.error is None
        assert reply.metadata("rate_limit") == []
    assert task.state == "input-required"


@each_wire
async def test_a_store_that_is_down_opens_or_closes(
    caller: Caller,
    agent: ScriptedAgent,
    monkeypatch: pytest.MonkeyPatch,
    wire: Wire,
) -> None:
    """What happens then is the spec's choice, and the caller is told."""

    async def down(*_: object, **_more: object) -> int:
        raise OSError

    memory = f"{app.__package__}.recipes.limits.window_memory.WindowMemory"
    for name in ("incr", "acquire_entry", "acquire_sliding_window_entry"):
        monkeypatch.setattr(f"{memory}.{name}", down)

    reply = await caller.send(hello(), wire)

    if OPENS:
        assert reply.error is None
        assert reply.metadata("rate_limit") == ["unchecked"]
        assert agent.runs == 1
    else:
        assert reply.error_data["reason"] == "rate_limit_unavailable"
        assert agent.runs == 0
