"""One value of a request gets into the state, or the request is refused."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypedDict

import pytest
from a2a.auth.user import User
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import Message, Role, SendMessageRequest
from google.adk.a2a.converters.request_converter import AgentRunRequest

from runtime.recipes.inbound.request_state import RequestState
from runtime.seams.exchange import REPEATED_HEADERS
from runtime.seams.rejection import Rejected

pytestmark = pytest.mark.anyio


class Given(TypedDict, total=False):
    """Settings of the recipe."""

    key: str
    header: str | None
    claim: str
    metadata: str
    scope: Literal["temp", "session", "user"]
    kind: Literal["str", "int", "float", "bool"]
    pattern: str
    max_length: int
    on_missing: Literal["reject", "keep", "default"]
    default: str | float
    on_repeated: Literal["reject", "first"]


class Claims(User):
    """A caller who is known, with what the issuer says."""

    def __init__(self, claims: Mapping[str, object]) -> None:
        """Say this."""
        self.claims = claims

    @property
    def is_authenticated(self) -> bool:
        """Tell that it is verified."""
        return True

    @property
    def user_name(self) -> str:
        """Give the name."""
        return "ann"


def built(given: Given) -> RequestState:
    """Build the recipe with these in place of the least that it takes."""
    least: Given = {"key": "tenant", "header": "X-Tenant"}
    whole: Given = {**least, **given}
    return RequestState(**whole)


def sent(
    header: str | None = None,
    *,
    repeated: Iterable[str] = (),
    claims: Mapping[str, object] | None = None,
    metadata: Mapping[str, str] | None = None,
) -> RequestContext:
    """Make a request with these."""
    call = ServerCallContext()
    if claims is not None:
        call.user = call.state["auth"] = Claims(claims)
    call.state["headers"] = {} if header is None else {"x-tenant": header}
    call.state[REPEATED_HEADERS] = frozenset(repeated)
    request = SendMessageRequest(message=Message(message_id="m", role=Role.ROLE_USER))
    request.metadata.update(metadata or {})
    return RequestContext(call, request)


def written(
    recipe: RequestState, context: RequestContext, **before: object
) -> dict[str, object]:
    """Give what the run writes into the state."""
    request = AgentRunRequest(user_id="u", state_delta=before or None)
    found = recipe.on_request(context, request)
    assert found.user_id == "u"
    return dict(found.state_delta or {})


async def refused(recipe: RequestState, context: RequestContext) -> tuple[str, str]:
    """Give why a request is refused, before its run and at its start."""
    with pytest.raises(Rejected) as first:
        await recipe.before_agent(context)
    with pytest.raises(Rejected) as second:
        recipe.on_request(context, AgentRunRequest())
    assert str(first.value) == str(second.value)
    return first.value.reason, str(first.value)


@pytest.mark.parametrize(
    ("given", "context", "state"),
    [
        (Given(), sent("acme"), {"temp:tenant": "acme"}),
        (Given(scope="session"), sent("acme"), {"tenant": "acme"}),
        (Given(scope="user"), sent("acme"), {"user:tenant": "acme"}),
        (Given(header=None, claim="t"), sent(claims={"t": "a"}), {"temp:tenant": "a"}),
        (
            Given(header=None, metadata="t"),
            sent(metadata={"t": "a"}),
            {"temp:tenant": "a"},
        ),
        (Given(kind="int"), sent("12"), {"temp:tenant": 12}),
        (Given(pattern="[a-z]+"), sent("acme"), {"temp:tenant": "acme"}),
        (Given(max_length=4), sent("acme"), {"temp:tenant": "acme"}),
        (Given(), sent("a" * 1024), {"temp:tenant": "a" * 1024}),
        (Given(on_missing="keep"), sent(), {}),
        (Given(on_missing="default", default="none"), sent(), {"temp:tenant": "none"}),
        (Given(on_missing="default", default="none"), sent("a"), {"temp:tenant": "a"}),
        (
            Given(kind="int", on_missing="default", default=2.0),
            sent(),
            {"temp:tenant": 2},
        ),
        (
            Given(on_repeated="first"),
            sent("a", repeated=["x-tenant"]),
            {"temp:tenant": "a"},
        ),
        (Given(), sent("a", repeated=["x-other"]), {"temp:tenant": "a"}),
        (
            Given(header=None, metadata="x-tenant"),
            sent(metadata={"x-tenant": "a"}, repeated=["x-tenant"]),
            {"temp:tenant": "a"},
        ),
    ],
    ids=range(16),
)
async def test_a_value_is_written(
    given: Given, context: RequestContext, state: dict[str, object]
) -> None:
    """In the scope and kind that the spec says."""
    recipe = built(given)

    assert await recipe.before_agent(context) is context
    found = written(recipe, context)

    assert found == state
    assert list(map(type, found.values())) == list(map(type, state.values()))


async def test_nothing_to_write_leaves_the_run_as_it_is() -> None:
    """Not even a copy is made."""
    recipe, request = built(Given(on_missing="keep")), AgentRunRequest()

    assert recipe.on_request(sent(), request) is request
    assert request.state_delta is None


@pytest.mark.parametrize(
    ("given", "context", "after"),
    [
        (Given(), sent("new"), "old"),
        (Given(header=None, metadata="t"), sent(metadata={"t": "new"}), "old"),
        (Given(header=None, claim="t"), sent(claims={"t": "new"}), "new"),
    ],
    ids=range(3),
)
def test_only_what_is_verified_replaces_what_is_to_be_written(
    given: Given, context: RequestContext, after: str
) -> None:
    """What else is to be written stays."""
    found = written(built(given), context, **{"temp:tenant": "old", "other": 1})

    assert found == {"temp:tenant": after, "other": 1}


@pytest.mark.parametrize(
    ("given", "context", "reason", "message"),
    [
        (Given(), sent(), "missing_header", "the header 'X-Tenant' is missing"),
        (
            Given(on_missing="keep"),
            sent("a", repeated=["x-tenant"]),
            "repeated_header",
            "the header 'X-Tenant' was sent more than once",
        ),
        (
            Given(on_missing="keep", max_length=3),
            sent("acme"),
            "invalid_header",
            "the header 'X-Tenant' is invalid: it is too long",
        ),
        (
            Given(),
            sent("a" * 1025),
            "invalid_header",
            "the header 'X-Tenant' is invalid: it is too long",
        ),
        (
            Given(header=None, claim="t"),
            sent(),
            "missing_claim",
            "the claim 't' is missing",
        ),
        (
            Given(header=None, metadata="t"),
            sent(),
            "missing_metadata",
            "the metadata 't' is missing",
        ),
    ],
    ids=range(6),
)
async def test_a_value_that_cannot_be_taken_is_named_and_not_shown(
    given: Given, context: RequestContext, reason: str, message: str
) -> None:
    """Before a task is made."""
    assert await refused(built(given), context) == (reason, message)


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (Given(key="adk_x"), "^'adk_x' is no key for a value of a request$"),
        (Given(key="ADK_x"), "is no key"),
        (Given(key="temp:x"), "is no key"),
        (Given(key="1x"), "is no key"),
        (Given(key=""), "is no key"),
        (Given(header=None), "^a value comes from one header, claim or metadata key$"),
        (Given(claim="t"), "comes from one"),
        (Given(header=None, claim="t", metadata="t"), "comes from one"),
        (Given(kind="int", pattern="[0-9]+"), "^a pattern is for texts$"),
        (Given(on_missing="default"), "^a default goes with on_missing='default'$"),
        (Given(default="a"), "a default goes with"),
        (Given(on_missing="default", default="A", pattern="[a-z]+"), "the form"),
        (Given(on_missing="default", default="12", kind="int"), "no whole number"),
        (Given(pattern="(a"), "pattern"),
    ],
    ids=range(14),
)
def test_settings_that_do_not_fit_stop_the_start(given: Given, rule: str) -> None:
    """By what they break."""
    with pytest.raises(ValueError, match=rule):
        built(given)


@pytest.mark.parametrize("key", ["a", "Az_0.9-x", "adk", "xadk_"])
def test_other_keys_are_taken(key: str) -> None:
    """Those that ADK has no meaning for."""
    assert written(built(Given(key=key)), sent("a")) == {f"temp:{key}": "a"}
