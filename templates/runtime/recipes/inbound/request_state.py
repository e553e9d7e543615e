"""The recipe `request_state`: one value of a request into the agent's state."""

import re
from dataclasses import dataclass
from typing import Literal

from a2a.server.agent_execution import RequestContext
from google.adk.a2a.converters.request_converter import AgentRunRequest

from ...seams.exchange import exchange_of
from ...seams.interceptor import BeforeAgent
from ...seams.protocols import OnRequest
from ...seams.rejection import Rejected
from ..linear_pattern import linear
from .request_values import InvalidValue, Kind, Scalar, Shape, Source, read

__all__ = ["RequestState"]

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_PREFIXES = {"temp": "temp:", "session": "", "user": "user:"}


@dataclass(kw_only=True, eq=False)
class RequestState(BeforeAgent, OnRequest):
    """Puts a header, a verified claim or a metadata value into the state.

    The value is checked before a task is made, and written as the run begins,
    so the agent's first step finds it. Under `temp:` it lasts for this request
    and is never stored: ADK's session services take such keys out before they
    write. A missing value never overwrites one that the session holds. What a
    caller may set freely, a header or metadata, never overwrites what is
    already to be written for this request.

    Attributes:
        key: The state key, without prefix.
        header: The header to read; exactly one of the three is given.
        claim: The verified claim to read.
        metadata: The key of the request's or the message's metadata to read.
        scope: How long it lasts: this request, the session, or the user.
        kind: Its type in the state.
        pattern: What a text must match as a whole.
        max_length: The most characters of a text.
        on_missing: Refuse, leave the state as it is, or write the default.
        default: What to write then.
        on_repeated: Refuse a header that was sent more than once, or take the first.

    Raises:
        ValueError: If these don't fit together, or the key is one of ADK's own.
    """

    key: str
    header: str | None = None
    claim: str | None = None
    metadata: str | None = None
    scope: Literal["temp", "session", "user"] = "temp"
    kind: Kind = "str"
    pattern: str | None = None
    max_length: int = 1024
    on_missing: Literal["reject", "keep", "default"] = "reject"
    default: Scalar | None = None
    on_repeated: Literal["reject", "first"] = "reject"

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key) or self.key.lower().startswith("adk_"):
            raise ValueError(f"{self.key!r} is no key for a value of a request")
        self._source: Source
        self._source, self._name = self._one_source()
        if self.pattern is not None and self.kind != "str":
            raise ValueError("a pattern is for texts")
        pattern = None if self.pattern is None else linear(self.pattern)
        self._shape = Shape(kind=self.kind, max_length=self.max_length, pattern=pattern)
        if (self.on_missing == "default") != (self.default is not None):
            raise ValueError("a default goes with on_missing='default'")
        if self.default is not None:
            self.default = self._shape.taken(self.default, from_text=False)

    async def before_agent(self, context: RequestContext) -> RequestContext:
        """Refuse a value that is missing, repeated or wrong.

        Raises:
            Rejected: With the header's name, and never with its value.
        """
        self._value(context)
        return context

    def on_request(
        self, context: RequestContext, request: AgentRunRequest
    ) -> AgentRunRequest:
        """Add the value to what the run writes into the state."""
        value = self._value(context)
        key = _PREFIXES[self.scope] + self.key
        delta = dict(request.state_delta or {})
        if value is None or (key in delta and self._source != "claim"):
            return request
        return request.model_copy(update={"state_delta": {**delta, key: value}})

    def _value(self, context: RequestContext) -> Scalar | None:
        if (
            self._source == "header"
            and self.on_repeated == "reject"
            and self._name.lower() in exchange_of(context).facts.repeated_headers
        ):
            raise self._rejected("repeated", "was sent more than once")
        try:
            found = read(context, self._source, self._name)
            if found is not None:
                return self._shape.taken(found, from_text=self._source == "header")
        except InvalidValue as problem:
            raise self._rejected("invalid", f"is invalid: {problem}") from None
        if self.on_missing == "reject":
            raise self._rejected("missing", "is missing")
        return self.default

    def _one_source(self) -> tuple[Source, str]:
        given: tuple[tuple[Source, str | None], ...] = (
            ("header", self.header),
            ("claim", self.claim),
            ("metadata", self.metadata),
        )
        named: list[tuple[Source, str]] = [(s, name) for s, name in given if name]
        if len(named) != 1:
            raise ValueError("a value comes from one header, claim or metadata key")
        return named[0]

    def _rejected(self, trouble: str, what: str) -> Rejected:
        message = f"the {self._source} {self._name!r} {what}"
        return Rejected(f"{trouble}_{self._source}", message=message)
