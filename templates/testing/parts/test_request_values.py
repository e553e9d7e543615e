"""What a value of a request must look like to be taken."""

import re
from dataclasses import dataclass

import pytest
from a2a.auth.user import User
from a2a.server.agent_execution import RequestContext
from a2a.server.context import ServerCallContext
from a2a.types import Message, Role, SendMessageRequest

from runtime.recipes.inbound.request_values import (
    InvalidValue,
    Kind,
    Shape,
    Source,
    read,
)

TOO_LONG = "1" * 1000
WORDS = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "bool": "truth value",
}


@dataclass
class Caller(User):
    """A caller who may be known, with what the issuer says."""

    claims: dict[str, object]
    is_known: bool = True

    @property
    def is_authenticated(self) -> bool:
        """Tell whether it is verified."""
        return self.is_known

    @property
    def user_name(self) -> str:
        """Give the name."""
        return "ann"


def sent(caller: Caller | None = None, number: float = 1) -> RequestContext:
    """Make a request with something of all kinds."""
    call = ServerCallContext()
    if caller is not None:
        call.user = call.state["auth"] = caller
    call.state["headers"] = {"x-it": "header", "x-empty": ""}
    request = SendMessageRequest(message=Message(message_id="m", role=Role.ROLE_USER))
    request.metadata.update({"it": "request", "empty": ""})
    request.message.metadata.update({"it": "message", "other": number})
    return RequestContext(call, request)


@pytest.mark.parametrize(
    ("source", "name", "found"),
    [
        ("header", "X-It", "header"),
        ("header", "X-Empty", None),
        ("header", "X-Other", None),
        ("claim", "it", ["claim"]),
        ("claim", "empty", None),
        ("claim", "X-It", None),
        ("metadata", "it", "request"),
        ("metadata", "other", 1),
        ("metadata", "empty", None),
        ("metadata", "x-it", None),
    ],
)
def test_a_value_is_read_where_it_stands(
    source: Source, name: str, found: object
) -> None:
    """The request's own metadata count before its message's."""
    caller = Caller({"it": ["claim"], "empty": ""})

    assert read(sent(caller), source, name) == found


def test_what_is_not_there_is_none() -> None:
    """Nobody is believed who isn't known."""
    bare = RequestContext(ServerCallContext(), task_id="t", context_id="c")
    plain = sent(Caller({}))
    plain.call_context.state["auth"] = "without claims"

    assert read(bare, "metadata", "it") is None
    for context in (bare, plain, sent(Caller({"it": "claim"}, is_known=False))):
        assert read(context, "claim", "it") is None


def test_what_json_has_no_form_for_is_no_value() -> None:
    """Whichever is asked for."""
    with pytest.raises(InvalidValue, match=r"^JSON has no form for it$"):
        read(sent(number=float("nan")), "metadata", "it")


@pytest.mark.parametrize(
    ("kind", "text", "taken"),
    [
        ("str", "a b", "a b"),
        ("str", "7", "7"),
        ("int", "7", 7),
        ("int", "-07", -7),
        ("int", "+7", 7),
        ("float", "7", 7.0),
        ("float", "-1.5e3", -1500.0),
        ("float", "2E3", 2000.0),
        ("bool", "true", True),
        ("bool", "FALSE", False),
    ],
)
def test_a_header_is_read_as_its_kind(kind: Kind, text: str, taken: object) -> None:
    """Numbers and truth values come as texts there."""
    found = Shape(kind=kind, max_length=2000).taken(text, from_text=True)

    assert (found, type(found)) == (taken, type(taken))


@pytest.mark.parametrize(
    ("kind", "value", "taken"),
    [
        ("str", "a", "a"),
        ("int", 7.0, 7),
        ("float", 7, 7.0),
        ("float", 1.5, 1.5),
        ("bool", False, False),
    ],
)
def test_a_value_of_json_has_its_kind(kind: Kind, value: object, taken: object) -> None:
    """Protobuf turns every number into a float."""
    found = Shape(kind=kind, max_length=9).taken(value, from_text=False)

    assert (found, type(found)) == (taken, type(taken))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("int", "1.0"),
        ("int", ""),
        ("int", "1_0"),
        ("int", "\u0661"),
        ("int", " 1"),
        ("int", TOO_LONG),
        ("float", "nan"),
        ("float", "inf"),
        ("float", "1e999"),
        ("float", "1."),
        ("float", ".5"),
        ("bool", "yes"),
        ("bool", "1"),
    ],
)
def test_nothing_is_guessed_of_a_text(kind: Kind, text: str) -> None:
    """What isn't written as one isn't one."""
    with pytest.raises(InvalidValue, match=f"^it is no {WORDS[kind]}$"):
        Shape(kind=kind, max_length=2000).taken(text, from_text=True)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("str", 1.0),
        ("str", True),
        ("str", None),
        ("int", True),
        ("int", 1.5),
        ("int", "1"),
        ("int", float("inf")),
        ("float", float("nan")),
        ("float", False),
        ("bool", 1.0),
        ("bool", "true"),
        ("str", ["a"]),
    ],
)
def test_nothing_is_guessed_of_a_value(kind: Kind, value: object) -> None:
    """A truth value is no number, and a text is neither."""
    with pytest.raises(InvalidValue, match=f"^it is no {WORDS[kind]}$"):
        Shape(kind=kind, max_length=9).taken(value, from_text=False)


def test_a_text_has_a_length_and_a_form() -> None:
    """The form is that of the whole."""
    shape = Shape(kind="str", max_length=3, pattern=re.compile("[a-z]+"))

    assert shape.taken("abc", from_text=True) == "abc"
    with pytest.raises(InvalidValue, match=r"^it is too long$"):
        shape.taken("abcd", from_text=True)
    with pytest.raises(
        InvalidValue, match=r"^it doesn't have the form that is asked for$"
    ):
        shape.taken("ab1", from_text=False)
    assert Shape(kind="int", max_length=1).taken("7", from_text=True) == 7
    with pytest.raises(InvalidValue, match=r"^it is too long$"):
        Shape(kind="int", max_length=1).taken("77", from_text=True)
