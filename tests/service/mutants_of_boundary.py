"""Ways to break the boundary: what leaks, what isn't told, what isn't settled."""

from tests.service.mutant import in_service

__all__ = ["BOUNDARY_MUTANTS"]

_PINS = ("new", "legacy", "client")

BOUNDARY_MUTANTS = [
    *(
        in_service(
            "the text of what failed leaves",
            "boundary/safe_errors",
            "isinstance(error, self.pass_through)",
            "True",
            "failures",
            service=service,
        )
        for service in _PINS
    ),
    *(
        in_service(
            "what ADK publishes of a failure leaves",
            "boundary/outgoing",
            "if error is None or not isinstance(event, TaskStatusUpdateEvent):",
            "if True:",
            "failures",
            service=service,
        )
        for service in _PINS
    ),
    *(
        in_service(
            "an error that the agent reports leaves",
            "boundary/observing",
            "if adk_event.error_code or adk_event.error_message:",
            "if False:",
            "failures",
            service=service,
        )
        for service in _PINS
    ),
    in_service(
        "records are not masked",
        "boundary/log_records",
        "if logger in _SECRETS:",
        "if False:",
        "failures",
    ),
    in_service(
        "records have bodies",
        "boundary/log_records",
        "if logger in _BODIES and not bodies:",
        "if False:",
        "logs",
    ),
    in_service(
        "a mapping alone is logged as it is",
        "boundary/log_records",
        "(_sized(record.args),)",
        "record.args",
        "logs",
    ),
    in_service(
        "records have bodies by default",
        "serving/environment",
        "log_bodies: bool = False",
        "log_bodies: bool = True",
        "logs",
    ),
    in_service(
        "bodies can't be had",
        "serving/application",
        "safe_logs(bodies=settings.log_bodies)",
        "safe_logs()",
        "logs",
    ),
    in_service(
        "nothing is masked",
        "boundary/masking",
        "        text = pattern.sub(replacement, text)\n",
        "        pass\n",
        "failures",
    ),
    in_service(
        "no error code",
        "boundary/failures",
        '"error_code": failure.code, ',
        "",
        "failures",
    ),
    in_service(
        "no correlation id",
        "boundary/failures",
        ', "correlation_id": facts.correlation_id}\n    )',
        "}\n    )",
        "failures",
    ),
    in_service(
        "a failure is not logged",
        "boundary/failures",
        '        _log.error("request %s failed: %s%s"',
        '        print("request %s failed: %s%s"',
        "failures",
    ),
    in_service(
        "a runner that cannot be built fails no task",
        "boundary/outgoing",
        "if not self._has_task:",
        "if False:",
        "runner_lazy",
    ),
    in_service(
        "a refusal does not say whose",
        "seams/chain",
        "rejected.policy = rejected.policy or name",
        "pass",
        "before_agent",
    ),
    in_service(
        "a refusal does not say when to try again",
        "seams/rejection",
        "if self.retry_after_s is not None:",
        "if False:",
        "before_agent",
    ),
    in_service(
        "a refusal is a failure",
        "boundary/failures",
        "return isinstance(error, Rejected) or type(error)",
        "return type(error) is None or type(error)",
        "on_exit_refused",
        service="state",
    ),
    in_service(
        "a failing gate gives its text away",
        "boundary/failures",
        "return InternalError(message=failure.text",
        "return InternalError(message=str(error)",
        "before_agent",
    ),
    in_service(
        "settled after the caller has heard",
        "boundary/outgoing",
        "            self._held = self._safe(event)\n",
        "            await self.send(self._safe(event))\n",
        "on_exit",
        service="state",
    ),
    in_service(
        "not settled when canceled",
        "boundary/executor",
        '            await self.ledger.settle(exchange, "canceled" if',
        '            str(exchange) and ("canceled" if',
        "on_exit",
        service="state",
    ),
    in_service(
        "not settled at the shutdown",
        "boundary/executor",
        '"canceled" if canceled else "shut_down"',
        '"canceled"',
        "on_exit",
        service="state",
    ),
    in_service(
        "deadlines pass unseen",
        "boundary/run",
        "if left is not None and left <= 0:",
        "if False:",
        "deadline",
        service="run",
    ),
    in_service(
        "nothing stands in for an empty result",
        "boundary/executor",
        "if artifact is not None:",
        "if False:",
        "empty_text",
        service="run",
    ),
]
