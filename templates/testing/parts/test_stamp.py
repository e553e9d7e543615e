"""The status that ends a request tells what it used and took, as far as it fits."""

from datetime import UTC, datetime
from time import monotonic

import pytest
from a2a.server.agent_execution import RequestContext
from a2a.types import (
    Artifact,
    TaskArtifactUpdateEvent,
    TaskState,
    TaskStatusUpdateEvent,
)
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.genai import types
from google.protobuf.json_format import MessageToDict

from runtime.recipes.outbound import stamp as module
from runtime.recipes.outbound.metadata_values import as_metadata, size_of
from runtime.recipes.outbound.stamp import Stamp
from runtime.seams.exchange import exchange_of

from .scripted import adk_event, request_context, status_update

pytestmark = pytest.mark.anyio


def using(model: str | None, *, partial: bool = False, **state: object) -> Event:
    """Make an event that used tokens."""
    event = adk_event()
    event.id = f"{model}"
    event.invocation_id = f"run of {model}"
    event.partial = partial
    event.model_version = model
    event.actions = EventActions(state_delta=state)
    event.usage_metadata = types.GenerateContentResponseUsageMetadata(
        prompt_token_count=100, candidates_token_count=30, total_token_count=130
    )
    return event


def ended(state: TaskState = TaskState.TASK_STATE_COMPLETED) -> TaskStatusUpdateEvent:
    """Make a last status."""
    event = status_update()
    event.status.state = state
    return event


async def told(
    stamp: Stamp, *events: Event, context: RequestContext | None = None
) -> dict[str, object]:
    """Give what the last status of a request tells."""
    context = context or request_context()
    assert await stamp.before_agent(context) is context
    with exchange_of(context).entered():
        for event in events:
            stamp.on_adk_event(event)
        last = ended()
        assert stamp.on_send(last) is last
    found: dict[str, object] = MessageToDict(last.metadata)[stamp.key]
    return found


async def test_it_tells_usage_ids_and_times_if_nothing_else_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Under its key."""
    monkeypatch.setattr(module, "monotonic", lambda: monotonic() + 1000)
    context, before = request_context(), datetime.now(UTC)

    found = await told(Stamp(), using("a"), using("b"), context=context)

    assert (Stamp().key, Stamp().max_bytes) == ("stamp", 4096)
    assert set(found) == {
        *("correlation_id", "invocation_id", "started_at", "duration_ms", "usage")
    }
    assert found["correlation_id"] == exchange_of(context).facts.correlation_id
    assert found["invocation_id"] == "run of a"
    assert (
        before <= datetime.fromisoformat(str(found["started_at"])) <= datetime.now(UTC)
    )
    assert float(str(found["duration_ms"])) >= 1_000_000
    assert found["usage"] == {
        "prompt_tokens": 200,
        "output_tokens": 60,
        "total_tokens": 260,
    }


async def test_it_tells_only_what_it_is_asked_for() -> None:
    """Under a key of one's own."""
    usage = await told(Stamp(fields=("usage",), key="k"))
    ids = await told(Stamp(fields=("ids",)))

    assert set(usage) == {"usage"}
    assert set(ids) == {"correlation_id", "invocation_id"}
    assert ids["invocation_id"] is None
    assert set(await told(Stamp(fields=("timings",)))) == {"started_at", "duration_ms"}
    assert await told(Stamp(fields=())) == {}


async def test_a_part_of_an_event_does_not_count() -> None:
    """The whole one says again what it used; one that comes twice counts once."""
    stamp = Stamp(fields=("usage",), session_state=("seen",))
    silent = adk_event()
    events = [using("a", partial=True, seen=1), using("a"), using("a"), silent]

    found = await told(stamp, *events)

    assert found["usage"] == {
        "prompt_tokens": 100,
        "output_tokens": 30,
        "total_tokens": 130,
    }
    assert found["session_state"] == {}


async def test_what_it_cost_is_told_with_the_currency() -> None:
    """If there are prices; of a model without one it isn't known."""
    stamp = Stamp(fields=(), prices={"a": "1/10", "*": "2/20"}, currency="EUR")
    dollars = Stamp(fields=(), prices={"a": "1/10"})

    assert await told(stamp, using("a")) == {"cost": "0.000400", "currency": "EUR"}
    assert (await told(stamp, using(None)))["cost"] == "0.000800"
    assert (await told(dollars, using("a")))["currency"] == "USD"
    assert (await told(dollars, using("b")))["cost"] is None
    with pytest.raises(ValueError, match="price"):
        Stamp(prices={"a": "cheap"})


async def test_tags_and_state_are_told_if_they_are_named() -> None:
    """Tags sorted, and of the state what is new."""
    stamp = Stamp(fields=(), tags=("b", "a", "b"), session_state=("seen", "unseen"))
    events = [using("a", seen="one", other=1), using("b", seen="two")]

    found = await told(stamp, *events)

    assert found == {"tags": ["a", "b"], "session_state": {"seen": "two"}}


@pytest.mark.parametrize(
    ("state", "is_told"),
    [
        (TaskState.TASK_STATE_COMPLETED, True),
        (TaskState.TASK_STATE_FAILED, True),
        (TaskState.TASK_STATE_INPUT_REQUIRED, True),
        (TaskState.TASK_STATE_WORKING, False),
    ],
)
async def test_only_an_end_is_stamped(state: TaskState, *, is_told: bool) -> None:
    """Or a pause, and neither an artifact nor anything before the end."""
    stamp, event = Stamp(), ended(state)
    artifact = TaskArtifactUpdateEvent(artifact=Artifact(artifact_id="a"))
    event.metadata["own"] = 1
    with exchange_of(request_context()).entered():
        assert stamp.on_send(event) is event
        assert stamp.on_send(artifact) is artifact

    assert set(event.metadata) == ({"own", "stamp"} if is_told else {"own"})
    assert not artifact.metadata


async def test_two_stamps_of_one_request_are_two() -> None:
    """Each counts what it sees by itself."""
    context = request_context()
    one, other = Stamp(fields=("usage",)), Stamp(fields=("usage",))

    first = await told(one, using("a"), context=context)
    second = await told(other, context=context)

    assert first != second
    assert second["usage"] == {
        "prompt_tokens": 0,
        "output_tokens": 0,
        "total_tokens": 0,
    }


async def test_what_does_not_fit_is_left_out_and_named() -> None:
    """All that fits stays; names have room of their own."""
    tags = ("x" * 100,)
    size = size_of({"tags": as_metadata(tags)})
    state = {"seen": "y"}

    async def fit(room: int) -> dict[str, object]:
        stamp = Stamp(
            fields=(), tags=tags, session_state=("seen",), max_bytes=room + 160
        )
        return await told(stamp, using("a", seen="y"))

    more = size_of({"session_state": as_metadata(state)})
    both = size_of({"tags": as_metadata(tags), "session_state": as_metadata(state)})
    whole = {"tags": list(tags), "session_state": state}
    assert await fit(both) == whole
    assert await fit(both - 1) == {"tags": list(tags), "left_out": ["session_state"]}
    assert await fit(size) == {"tags": list(tags), "left_out": ["session_state"]}
    assert await fit(size - 1) == {"session_state": state, "left_out": ["tags"]}
    assert await fit(more - 1) == {"left_out": ["tags", "session_state"]}
