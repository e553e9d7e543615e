"""How a hook refuses a request, the same for every caller."""

import re
from typing import TypeAlias

from a2a.utils.errors import (
    ContentTypeNotSupportedError,
    InvalidParamsError,
    InvalidRequestError,
    UnsupportedOperationError,
)

__all__ = ["Rejected", "RejectionError"]

RejectionError: TypeAlias = (
    InvalidRequestError
    | InvalidParamsError
    | UnsupportedOperationError
    | ContentTypeNotSupportedError
)

_TOKEN = re.compile(r"[a-z][a-z0-9_]*\Z")


class Rejected(Exception):
    """Refuses the request: raised in `before_agent`, nothing of it is stored.

    The caller gets an SDK error whose data holds `reason`, `policy`,
    `correlation_id` and, if there is one, `retry_after_s`. Raised later, when
    the run has begun, it fails the task with the reason as its error code.

    Attributes:
        reason: A stable token that a program can act on.
        policy: Who refuses; the interceptor's name by default.
        retry_after_s: After how many seconds to try again, 1 or more.
        error: The SDK's class, which decides the JSON-RPC code.
    """

    def __init__(
        self,
        reason: str,
        *,
        message: str | None = None,
        policy: str | None = None,
        retry_after_s: int | None = None,
        error: type[RejectionError] = InvalidRequestError,
    ) -> None:
        """Refuse for a reason.

        Args:
            reason: Lower-case letters, digits and underscores.
            message: What the caller reads; made from the reason by default.
            policy: Who refuses; the interceptor's name by default.
            retry_after_s: After how many seconds to try again.
            error: The exact class: the SDK answers -32603 for a subclass.

        Raises:
            ValueError: If the reason isn't a token.
        """
        if not _TOKEN.match(reason):
            problem = f"a reason is a token such as 'rate_limited', not {reason!r}"
            raise ValueError(problem)
        super().__init__(message or f"refused: {reason.replace('_', ' ')}")
        self.reason = reason
        self.policy = policy
        self.retry_after_s = retry_after_s
        self.error = error

    def as_error(self, correlation_id: str) -> RejectionError:
        """Give the error that the SDK answers the caller with.

        Its data are texts, since the 1.0 wire has no others there.
        """
        data = {
            "reason": self.reason,
            "policy": self.policy or "",
            "correlation_id": correlation_id,
        }
        if self.retry_after_s is not None:
            data["retry_after_s"] = str(max(1, self.retry_after_s))
        return self.error(message=str(self), data=data)
