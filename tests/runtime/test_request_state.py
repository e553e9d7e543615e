import logging
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from google.adk.a2a.converters.request_converter import AgentRunRequest
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from tests.runtime.messages import (
    PINS,
    Verified,
    call_context,
    message_context,
    reason,
    send,
)
from tests.runtime.serving import Scripted, Setup, served

from runtime.recipes.inbound.request_state import RequestState
from runtime.seams.rejection import Rejected
from testing.harness import values
from testing.scripted import adk_event

pytestmark = [pytest.mark.service, pytest.mark.anyio]

PLANTED = "planted-4711"


@dataclass
class Claims:
    """What an authentication backend gives."""

    claims: Mapping[str, object]


@dataclass
class Spy:
    """An agent that notes the state at its first step."""

    seen: list[dict[str, object]] = field(default_factory=list[dict[str, object]])

    async def script(self, ctx: InvocationContext) -> AsyncGenerator[Event, None]:
        """Note the state, and say something."""
        self.seen.append(dict(ctx.session.state))
        yield adk_event("done")


TENANT = RequestState(
    header="X-Tenant",
    key="tenant",
    scope="session",
    pattern="[a-z]+",
    on_missing="keep",
)


@pytest.mark.parametrize("pin", PINS)
async def test_a_secret_header_lasts_for_one_request(
    pin: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """D1-07: with a session store in a file."""
    caplog.set_level(logging.DEBUG)
    spy, store = Spy(), tmp_path / "sessions.db"

    def factory() -> Runner:
        agent = Scripted(name="scripted", description="", script=spy.script)
        sessions = SqliteSessionService(str(store))
        return Runner(app_name="scripted", agent=agent, session_service=sessions)

    optional = RequestState(header="X-Token", key="token", on_missing="keep")
    hooks: dict[str, object] = {"token": optional, "tenant": TENANT}
    setup = Setup(script=spy.script, hooks=hooks, pin=pin, factory=factory)
    async with served(setup) as caller:
        both = {"X-Token": PLANTED, "X-Tenant": "acme"}
        first = await send(caller, headers=both, context_id="c")
        second = await send(caller, context_id="c")
        third = await send(caller, headers={"X-Tenant": "ACME!"}, context_id="c")

    assert (first.state, second.state) == ("completed", "completed")
    assert reason(third) == "invalid_header"
    assert spy.seen == [
        {"temp:token": PLANTED, "tenant": "acme"},
        {"tenant": "acme"},
    ]
    written = _bytes_in(tmp_path)
    assert b"acme" in written
    assert PLANTED.encode() not in written
    assert PLANTED not in caplog.text
    assert PLANTED not in str(first.answers)


@pytest.mark.parametrize("pin", PINS)
async def test_a_missing_header_is_refused_and_nothing_is_stored(pin: str) -> None:
    spy = Spy()
    token = RequestState(header="X-Token", key="token")
    setup = Setup(script=spy.script, hooks={"token": token}, pin=pin)
    async with served(setup) as caller:
        reply = await send(caller)
        tasks = await caller.call("ListTasks", {})

    assert reason(reply) == "missing_header"
    assert "X-Token" in reply.text
    assert not list(values(tasks.answers, "contextId"))
    assert not spy.seen


@pytest.mark.parametrize("pin", PINS)
async def test_user_state_is_there_in_another_session(pin: str) -> None:
    spy = Spy()
    language = RequestState(
        metadata="lang", key="lang", scope="user", on_missing="keep"
    )
    setup = Setup(script=spy.script, hooks={"language": language}, pin=pin)
    async with served(setup) as caller:
        await send(caller, metadata={"lang": "de"}, context_id="c")
        await send(caller, context_id="c")

    assert [seen["user:lang"] for seen in spy.seen] == ["de", "de"]


@pytest.mark.parametrize(
    ("state", "headers", "repeated", "why", "told"),
    [
        (RequestState(header="X-A", key="a"), {}, (), "missing_header", "X-A"),
        (RequestState(header="X-A", key="a"), {"X-A": ""}, (), "missing_header", "X-A"),
        (
            RequestState(header="X-A", key="a"),
            {"X-A": PLANTED},
            ("x-a",),
            "repeated_header",
            "more than once",
        ),
        (
            RequestState(header="X-A", key="a", max_length=5),
            {"X-A": PLANTED},
            (),
            "invalid_header",
            "too long",
        ),
        (
            RequestState(header="X-A", key="a", pattern="planted"),
            {"X-A": PLANTED},
            (),
            "invalid_header",
            "form",
        ),
        (
            RequestState(header="X-A", key="a", kind="int"),
            {"X-A": PLANTED},
            (),
            "invalid_header",
            "whole number",
        ),
        (RequestState(claim="a", key="a"), {"a": PLANTED}, (), "missing_claim", "a"),
        (
            RequestState(metadata="a", key="a"),
            {"a": PLANTED},
            (),
            "missing_metadata",
            "a",
        ),
    ],
    ids=[
        "missing",
        "empty",
        "repeated",
        "long",
        "pattern",
        "type",
        "claim",
        "metadata",
    ],
)
async def test_a_refusal_names_the_header_and_not_its_value(
    state: RequestState,
    headers: dict[str, str],
    repeated: tuple[str, ...],
    why: str,
    told: str,
) -> None:
    with pytest.raises(Rejected) as refused:
        await state.before_agent(
            message_context(call=call_context(headers, repeated=repeated))
        )

    assert refused.value.reason == why
    assert told in str(refused.value)
    assert PLANTED not in str(refused.value)
    # Nor in what a traceback would show.
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__ or refused.value.__context__ is None


@pytest.mark.parametrize(
    ("kind", "text", "taken"),
    [
        ("str", "a b", "a b"),
        ("int", "-12", -12),
        ("float", "1.5e3", 1500.0),
        ("float", "2", 2.0),
        ("bool", "True", True),
        ("bool", "false", False),
    ],
)
def test_a_header_becomes_the_type_that_is_asked_for(
    kind: str, text: str, taken: object
) -> None:
    state = _of_kind(kind, header="X-A")
    assert _delta(state, {"X-A": text}) == {"temp:a": taken}
    assert type(_delta(state, {"X-A": text})["temp:a"]) is type(taken)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("int", "1.0"),
        ("int", "1_000"),
        ("int", "٣"),
        ("int", "9" * 1024),
        ("float", "nan"),
        ("float", "1e999"),
        ("float", "0x10"),
        ("bool", "1"),
        ("bool", "yes"),
    ],
)
def test_a_header_of_another_type_is_refused(kind: str, text: str) -> None:
    with pytest.raises(Rejected, match="invalid"):
        _delta(_of_kind(kind, header="X-A"), {"X-A": text})


@pytest.mark.parametrize(
    ("kind", "value", "taken"),
    [("int", 3, 3), ("float", 3, 3.0), ("str", "3", "3"), ("bool", False, False)],
)
def test_metadata_keep_their_type(kind: str, value: object, taken: object) -> None:
    """On the wire every number is a float."""
    delta = _delta(_of_kind(kind, metadata="m"), request={"m": value})
    assert delta == {"temp:a": taken}
    assert type(delta["temp:a"]) is type(taken)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("int", 3.5),
        ("int", "3"),
        ("int", True),
        ("float", "3"),
        ("str", 3),
        ("str", ["a"]),
        ("bool", 1),
        ("bool", "true"),
    ],
)
def test_metadata_of_another_type_are_refused(kind: str, value: object) -> None:
    with pytest.raises(Rejected, match="invalid"):
        _delta(_of_kind(kind, metadata="m"), request={"m": value})


def test_metadata_that_json_has_no_form_for_are_refused() -> None:
    context = message_context()
    assert context.message is not None
    context.message.metadata.update({"other": float("nan")})
    with pytest.raises(Rejected, match="invalid"):
        RequestState(metadata="m", key="a").on_request(context, AgentRunRequest())


def test_metadata_of_the_request_come_before_those_of_the_message() -> None:
    state = RequestState(metadata="m", key="a")
    both = _delta(state, message={"m": "message"}, request={"m": "request"})
    one = _delta(state, message={"m": "message"}, request={"n": "request"})
    assert (both, one) == ({"temp:a": "request"}, {"temp:a": "message"})


def test_a_claim_counts_for_a_verified_caller_only() -> None:
    state = RequestState(claim="tenant", key="tenant", on_missing="keep")
    auth = Claims({"tenant": "acme"})
    calls = [
        call_context(auth=auth, user=Verified("u1")),
        call_context(auth=auth),
        call_context(auth=object(), user=Verified("u1")),
    ]
    deltas = [
        state.on_request(message_context(call=call), AgentRunRequest()).state_delta
        for call in calls
    ]
    assert deltas == [{"temp:tenant": "acme"}, None, None]


def test_a_header_never_overwrites_what_a_claim_has_set() -> None:
    claim = RequestState(claim="tenant", key="tenant")
    header = RequestState(header="tenant", key="tenant")
    auth = Claims({"tenant": "acme"})
    call = call_context({"tenant": "evil"}, user=Verified("u1"), auth=auth)
    context = message_context(call=call)
    for order in ((claim, header), (header, claim)):
        request = AgentRunRequest()
        for state in order:
            request = state.on_request(context, request)
        assert request.state_delta == {"temp:tenant": "acme"}


def test_what_is_missing_overwrites_nothing() -> None:
    keep = RequestState(header="X-A", key="a", on_missing="keep")
    before = AgentRunRequest(state_delta={"b": 1})
    assert keep.on_request(message_context(), before).state_delta == {"b": 1}


def test_a_default_is_written_for_a_missing_value_only() -> None:
    state = RequestState(
        header="X-A", key="a", kind="int", on_missing="default", default=7
    )
    assert _delta(state) == {"temp:a": 7}
    assert _delta(state, {"X-A": "8"}) == {"temp:a": 8}


def test_a_default_has_the_type_of_the_value() -> None:
    state = RequestState(
        header="X-A", key="a", kind="float", on_missing="default", default=7
    )
    assert type(_delta(state)["temp:a"]) is float


def test_the_first_of_repeated_headers_can_be_taken() -> None:
    state = RequestState(header="X-A", key="a", on_repeated="first")
    context = message_context(call=call_context({"X-A": "1"}, repeated=["x-a"]))
    request = state.on_request(context, AgentRunRequest())
    assert request.state_delta == {"temp:a": "1"}


def test_what_others_write_stays_and_their_object_is_not_changed() -> None:
    delta = {"b": 1}
    state = RequestState(header="X-A", key="a")
    context = message_context(call=call_context({"X-A": "1"}))
    request = state.on_request(context, AgentRunRequest(state_delta=delta))
    assert request.state_delta == {"b": 1, "temp:a": "1"}
    assert delta == {"b": 1}


@pytest.mark.parametrize(
    "key", ["adk_x", "ADK_x", "_adk", "temp:a", "app:a", "", "a b"]
)
def test_a_key_of_adk_or_with_a_prefix_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="no key"):
        RequestState(header="X-A", key=key)


def test_arguments_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(ValueError, match="one header"):
        RequestState(key="a")
    with pytest.raises(ValueError, match="one header"):
        RequestState(key="a", header="X-A", claim="a")
    with pytest.raises(ValueError, match="default goes with"):
        RequestState(key="a", header="X-A", default="b")
    with pytest.raises(ValueError, match="default goes with"):
        RequestState(key="a", header="X-A", on_missing="default")
    with pytest.raises(ValueError, match="whole number"):
        RequestState(
            key="a", header="X-A", kind="int", on_missing="default", default="x"
        )
    with pytest.raises(ValueError, match="for texts"):
        RequestState(key="a", header="X-A", kind="int", pattern="1")
    with pytest.raises(ValueError, match="nested"):
        RequestState(key="a", header="X-A", pattern="(a+)+")


def _of_kind(
    kind: str, *, header: str | None = None, metadata: str | None = None
) -> RequestState:
    made = {
        "str": RequestState(key="a", header=header, metadata=metadata, kind="str"),
        "int": RequestState(key="a", header=header, metadata=metadata, kind="int"),
        "float": RequestState(key="a", header=header, metadata=metadata, kind="float"),
        "bool": RequestState(key="a", header=header, metadata=metadata, kind="bool"),
    }
    return made[kind]


def _delta(
    state: RequestState,
    headers: Mapping[str, str] | None = None,
    *,
    message: Mapping[str, object] | None = None,
    request: Mapping[str, object] | None = None,
) -> dict[str, object]:
    context = message_context(
        call=call_context(headers), metadata=message, request_metadata=request
    )
    return state.on_request(context, AgentRunRequest()).state_delta or {}


def _bytes_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())
