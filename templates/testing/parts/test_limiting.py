"""While a store is down, messages are refused, or let in with a mark."""

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.types import (
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatus,
    TaskStatusUpdateEvent,
)

from runtime.recipes.limits.limiting import Limiting
from runtime.recipes.limits.store import LimitStore, StoreDown
from runtime.seams.exchange import Exchange, exchange_of
from runtime.seams.rejection import Rejected

from .scripted import request_context

pytestmark = pytest.mark.anyio


class Quota(Limiting):
    """A limit that lets everything in."""

    label = "quota"

    def __init__(self, *, is_open: bool = True) -> None:
        """Let messages in while the store is down, or don't."""
        self.on_store_error = "open" if is_open else "closed"
        self.store = LimitStore("redis://r.example", timeout_s=1, remembered=1)
        self._store = self.store

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Let it in."""
        return context


class Other(Quota):
    """A limit of another kind."""

    label = "other"


def marks(quota: Quota, exchange: Exchange, state: TaskState) -> dict[str, object]:
    """Give what a status of the request says besides."""
    update = TaskStatusUpdateEvent(status=TaskStatus(state=state))
    update.metadata["own"] = "kept"
    with exchange.entered():
        assert quota.on_send(update) is update
    found: dict[str, object] = dict(update.metadata)
    assert found.pop("own") == "kept"
    return found


@pytest.mark.parametrize(
    ("state", "is_last"),
    [
        (TaskState.TASK_STATE_COMPLETED, True),
        (TaskState.TASK_STATE_FAILED, True),
        (TaskState.TASK_STATE_INPUT_REQUIRED, True),
        (TaskState.TASK_STATE_AUTH_REQUIRED, True),
        (TaskState.TASK_STATE_WORKING, False),
    ],
)
def test_the_last_status_has_the_mark(state: TaskState, *, is_last: bool) -> None:
    """Of the request that it was made for."""
    quota, exchange = Quota(), exchange_of(request_context())
    assert marks(quota, exchange, state) == {}

    quota.mark(exchange, "exceeded")

    assert marks(quota, exchange, state) == ({"quota": "exceeded"} if is_last else {})
    assert marks(Quota(), exchange, state) == marks(quota, exchange, state)
    assert marks(quota, exchange_of(request_context()), state) == {}
    assert marks(Other(), exchange, state) == {}


def test_another_event_has_none() -> None:
    """It goes on as it is."""
    quota, exchange, artifact = (
        Quota(),
        exchange_of(request_context()),
        TaskArtifactUpdateEvent(),
    )
    quota.mark(exchange, "exceeded")

    with exchange.entered():
        assert quota.on_send(artifact) is artifact

    assert not artifact.HasField("metadata")


def test_a_message_is_let_in_unchecked(caplog: pytest.LogCaptureFixture) -> None:
    """What was found out of it before counts more."""
    quota, exchange = Quota(), exchange_of(request_context())
    done = TaskState.TASK_STATE_COMPLETED

    quota.without_store(exchange, StoreDown("no route"))

    assert marks(quota, exchange, done) == {"quota": "unchecked"}
    (record,) = caplog.records
    assert record.name.endswith(".recipes.limits.limiting")
    assert record.getMessage() == (
        f"request {exchange.facts.correlation_id}: the store of quota is down, "
        "so it is let in: no route"
    )
    quota.mark(exchange, "exceeded")
    quota.without_store(exchange, StoreDown("no route"))
    assert marks(quota, exchange, done) == {"quota": "exceeded"}


def test_a_message_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    """The caller isn't told of the store."""
    quota, exchange = Quota(is_open=False), exchange_of(request_context())

    with pytest.raises(Rejected) as refused:
        quota.without_store(exchange, StoreDown("no route"))

    assert (refused.value.reason, refused.value.retry_after_s) == (
        "quota_unavailable",
        1,
    )
    assert str(refused.value) == "the limit can't be checked now"
    (record,) = caplog.records
    assert record.getMessage() == (
        f"request {exchange.facts.correlation_id}: the store of quota is down, "
        "so it is refused: no route"
    )


async def test_the_store_is_closed_with_the_application(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its connections are."""
    quota, closed = Quota(), list[bool]()

    async def close() -> None:
        closed.append(True)

    monkeypatch.setattr(quota.store, "close", close)

    await quota.close()

    assert closed == [True]
