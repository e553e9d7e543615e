"""Turns what was raised into what a caller may know; the rest is for the log."""

import logging
from dataclasses import dataclass

from a2a.types import Message, Part, Role, TaskState, TaskStatus, TaskStatusUpdateEvent
from a2a.utils.errors import JSON_RPC_ERROR_CODE_MAP, A2AError, InternalError

from ..seams.rejection import Rejected
from ..seams.request import OutcomeKind, RequestFacts
from .masking import masked, masked_traceback
from .safe_errors import SafeErrors

__all__ = ["Failure", "Failures", "failed_update", "is_refusal", "kind_of", "reason_of"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """What a caller may know of a failure.

    Attributes:
        code: A stable token that a program can act on.
        text: What a person reads.
        error: What was raised; not for the caller.
    """

    code: str
    text: str
    error: BaseException | None = None


class Failures:
    """Tells a failure twice: the detail to the log, the safe part to the caller."""

    def __init__(self, policy: SafeErrors) -> None:
        """Tell callers what the policy allows."""
        self._policy = policy

    @property
    def public_message(self) -> str:
        """What the caller reads of a failure that is hidden."""
        return self._policy.message

    def of(
        self, error: BaseException, facts: RequestFacts, *, logged: bool = False
    ) -> Failure:
        """Log what was raised, and give what the caller may know of it.

        Args:
            error: What was raised.
            facts: The request that it ended.
            logged: Whether a traceback stands in the log already.
        """
        if isinstance(error, Rejected):
            self.log_rejection(error, facts)
            return Failure(code=error.reason, text=str(error), error=error)
        detail = masked(f"{type(error).__name__}: {error}")
        trace = "" if logged else f"\n{masked_traceback(error).rstrip()}"
        _log.error("request %s failed: %s%s", facts.correlation_id, detail, trace)
        text = self._policy.public_text(error)
        return Failure(code="internal_error", text=text, error=error)

    def without_error(self, code: str, detail: str, facts: RequestFacts) -> Failure:
        """Log and give a failure that nothing was raised for."""
        _log.error(
            "request %s failed: %s: %s", facts.correlation_id, code, masked(detail)
        )
        return Failure(code=code, text=self._policy.message)

    def as_sdk_error(self, error: Exception, facts: RequestFacts) -> A2AError:
        """Give the error that answers the request.

        Exactly the SDK's own classes are passed on, as whoever raised them
        meant; of a subclass the SDK would give the text away under -32603.
        """
        if isinstance(error, Rejected):
            self.log_rejection(error, facts)
            return error.as_error(facts.correlation_id)
        if isinstance(error, A2AError) and is_refusal(error):
            return error
        failure = self.of(error, facts)
        data = {"reason": failure.code, "correlation_id": facts.correlation_id}
        return InternalError(message=failure.text, data=data)

    def log_rejection(self, rejected: Rejected, facts: RequestFacts) -> None:
        """Write a refusal down in one line."""
        _log.info(
            "request %s rejected: reason=%s policy=%s",
            facts.correlation_id,
            rejected.reason,
            rejected.policy,
        )


def is_refusal(error: Exception) -> bool:
    """Tell whether it was raised to answer the request: ours, or exactly the SDK's."""
    return isinstance(error, Rejected) or type(error) in JSON_RPC_ERROR_CODE_MAP


def reason_of(error: Exception) -> str | None:
    """Give the reason of a refusal of ours; the SDK's errors have codes instead."""
    return error.reason if isinstance(error, Rejected) else None


def kind_of(failure: Failure | None) -> OutcomeKind | None:
    """Give the kind of outcome that a failure makes, if there is one."""
    if failure is None:
        return None
    return "rejected" if isinstance(failure.error, Rejected) else "failed"


def failed_update(failure: Failure, facts: RequestFacts) -> TaskStatusUpdateEvent:
    """Make the update that ends a task as failed."""
    update = TaskStatusUpdateEvent(
        task_id=facts.task_id,
        context_id=facts.context_id,
        status=TaskStatus(
            state=TaskState.TASK_STATE_FAILED,
            message=Message(
                message_id=f"failure-{facts.correlation_id}",
                role=Role.ROLE_AGENT,
                parts=[Part(text=failure.text)],
            ),
        ),
    )
    update.metadata.update(
        {"error_code": failure.code, "correlation_id": facts.correlation_id}
    )
    return update
