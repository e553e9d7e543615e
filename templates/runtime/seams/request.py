"""What is known of one request, and how it ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from uuid import uuid4

__all__ = ["Outcome", "OutcomeKind", "RequestFacts"]

OutcomeKind: TypeAlias = Literal[
    "completed",
    "failed",
    "rejected",
    "canceled",
    "paused",
    "timed_out",
    "shut_down",
    "never_started",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class RequestFacts:
    """The facts of one request that ADK's `ExecutorContext` lacks.

    Attributes:
        task_id: The task that the message starts or continues.
        context_id: The conversation that it belongs to.
        correlation_id: Names the request in logs, errors and metadata.
        caller: The verified name of the caller; None for an anonymous one.
        address: Where the request came from, as the server sees it; may be a
            proxy's, and is empty if the server doesn't know.
        headers: The first value of each HTTP header, by lower-case name.
        repeated_headers: The lower-case names of headers sent more than once.
        is_reply: Whether the message continues a task.
    """

    task_id: str = ""
    context_id: str = ""
    correlation_id: str = field(default_factory=lambda: uuid4().hex)
    caller: str | None = None
    address: str = ""
    # Left out of the repr: headers carry credentials.
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    repeated_headers: frozenset[str] = frozenset()
    is_reply: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """How a request ended.

    Attributes:
        kind: The way in which it ended; `never_started` for one that was let
            in but never reached the agent.
        request: The facts of the request.
        error_code: The stable token that the caller got, such as
            `internal_error` or the reason of a refusal; None without one.
        error: What was raised, if that is how it ended.
    """

    kind: OutcomeKind
    request: RequestFacts
    error_code: str | None = None
    error: BaseException | None = field(default=None, repr=False)
