"""Reads a value of a request, and what it must look like to be taken."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from a2a.server.agent_execution import RequestContext
from google.protobuf.json_format import Error, MessageToDict

from ...seams.exchange import exchange_of

__all__ = ["InvalidValue", "Kind", "Scalar", "Shape", "Source", "read"]

Kind: TypeAlias = Literal["str", "int", "float", "bool"]
Scalar: TypeAlias = str | int | float | bool
Source: TypeAlias = Literal["header", "claim", "metadata"]

_INTEGER = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")


class InvalidValue(ValueError):
    """The value isn't of the kind or shape that is asked for."""


def read(context: RequestContext, source: Source, name: str) -> object:
    """Give what the request holds under the name; None for nothing or an empty text.

    Args:
        context: The request.
        source: Where to look. Claims count for an authenticated caller only;
            metadata of the request comes before metadata of its message.
        name: The name of the header, the claim, or the metadata key.

    Raises:
        InvalidValue: If the metadata hold what JSON has no form for, such as NaN.
    """
    if source == "header":
        found: object = exchange_of(context).facts.headers.get(name.lower())
    elif source == "claim":
        found = _claims(context).get(name)
    else:
        found = _metadata(context).get(name)
    return None if found == "" else found


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """What a value must look like.

    Attributes:
        kind: Its type in the state.
        max_length: The most characters of a text, checked before all else.
        pattern: What the whole text must match, if anything.
    """

    kind: Kind
    max_length: int
    pattern: re.Pattern[str] | None = None

    def taken(self, value: object, *, from_text: bool) -> Scalar:
        """Give the value as the state holds it.

        Args:
            value: What the request holds.
            from_text: Whether numbers and truth values come as texts, as they
                do in headers.

        Raises:
            InvalidValue: If it isn't of this shape. Its text leaves the value out.
        """
        if isinstance(value, str):
            if len(value) > self.max_length:
                raise InvalidValue("it is too long")
            if from_text and self.kind != "str":
                value = _from_text(value, self.kind)
        taken = _typed(value, self.kind)
        if self.pattern and not self.pattern.fullmatch(str(taken)):
            raise InvalidValue("it doesn't have the form that is asked for")
        return taken


def _from_text(text: str, kind: Kind) -> object:
    if kind == "bool":
        return {"true": True, "false": False}.get(text.lower())
    if kind == "int":
        # Python reads no more than some thousand digits at once.
        return int(text) if _INTEGER.fullmatch(text) and len(text) < _DIGITS else None
    return float(text) if _NUMBER.fullmatch(text) else None


_DIGITS = 1000


def _typed(value: object, kind: Kind) -> Scalar:
    # A truth value is an int to Python; protobuf turns every number into a float.
    if isinstance(value, bool):
        if kind == "bool":
            return value
    elif isinstance(value, str):
        if kind == "str":
            return value
    elif isinstance(value, int | float) and isfinite(value):
        if kind == "float":
            return float(value)
        if kind == "int" and int(value) == value:
            return int(value)
    raise InvalidValue(f"it is no {_WORDS[kind]}")


_WORDS = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "bool": "truth value",
}


@runtime_checkable
class _HasClaims(Protocol):
    @property
    def claims(self) -> Mapping[str, object]: ...


def _claims(context: RequestContext) -> Mapping[str, object]:
    call = context.call_context
    if not call.user.is_authenticated:
        return {}
    # Where the SDK keeps what an authentication backend of Starlette gave.
    found: object = call.state.get("auth")
    return found.claims if isinstance(found, _HasClaims) else {}


def _metadata(context: RequestContext) -> Mapping[str, object]:
    message = context.message
    try:
        of_request = context.metadata
        of_message = MessageToDict(message.metadata) if message is not None else {}
    except (Error, ValueError) as error:
        raise InvalidValue("JSON has no form for it") from error
    return {**of_message, **of_request}
