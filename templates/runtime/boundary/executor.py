"""The boundary: each request ends exactly once, safely, and in time.

A thin subclass of ADK's executor. ADK publishes the text of whatever fails a
run, waits for an agent without a limit, and has no hook that runs on each exit.
"""

import asyncio
from collections.abc import Sequence

from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from google.adk.a2a.executor.a2a_agent_executor import A2aAgentExecutor
from google.adk.a2a.executor.config import A2aAgentExecutorConfig
from google.adk.runners import Runner

from ..seams.chain import Interceptor
from ..seams.exchange import Exchange, exchange_of
from ..seams.protocols import OnSend
from .empty_result import artifact_for_empty
from .failures import Failure, Failures, is_refusal, kind_of, reason_of
from .ledger import Ledger
from .observing import observed
from .outgoing import TERMINAL, OutgoingQueue
from .policy import Policy
from .run import Run
from .runner_provider import RunnerFactory
from .safe_errors import SafeErrors

__all__ = ["BoundaryExecutor"]


class BoundaryExecutor(A2aAgentExecutor):
    """ADK's executor, with each request settled exactly once.

    Attributes:
        failures: Tells failures, to the log and to the caller.
        ledger: Which requests are open.
    """

    def __init__(
        self,
        *,
        runner: Runner | RunnerFactory,
        interceptors: Sequence[Interceptor] = (),
        config: A2aAgentExecutorConfig | None = None,
        policy: Policy | None = None,
        use_legacy: bool = False,
        force_new_version: bool = False,
    ) -> None:
        """Stand around ADK's executor.

        Args:
            runner: The runner, or what gives it at the first request.
            interceptors: The chain.
            config: The converters.
            policy: When a run is over.
            use_legacy: As in ADK.
            force_new_version: As in ADK.
        """
        hooks = [each.hooks for each in interceptors]
        errors = [each for each in hooks if isinstance(each, SafeErrors)]
        self.failures = Failures(errors[0] if errors else SafeErrors())
        self.ledger = Ledger(interceptors)
        self._sends = [each for each in hooks if isinstance(each, OnSend)]
        self._policy = policy or Policy()
        super().__init__(
            runner=runner,
            config=observed(
                config or A2aAgentExecutorConfig(),
                interceptors,
                self.failures.public_message,
            ),
            use_legacy=use_legacy,
            force_new_version=force_new_version,
        )

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Run the agent, and settle the request however that ends.

        Raises:
            A2AError: If `before_agent` refuses here, as it does in ADK's own
                `to_a2a`; in the service's application the gate has run it.
        """
        exchange = exchange_of(context)
        task = context.current_task
        # The SDK may hand over a message whose task has just ended.
        if exchange.ended is not None or (task and task.status.state in TERMINAL):
            await self.ledger.settle(exchange, "never_started")
            return
        exchange.started = True
        self.ledger.open(exchange)
        out = OutgoingQueue(event_queue, context, exchange, self.failures, self._sends)
        with exchange.entered():
            run = Run(super().execute(context, out), out, self._policy)
            try:
                in_time = await run.ends_in_time()
                if not in_time:
                    await run.give_up()
                await self._end(exchange, run, out, in_time=in_time)
            except asyncio.CancelledError:
                await self._end_canceled(exchange, run)
                raise

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        """Publish that the task is canceled; the SDK then cancels its run."""
        task_id = context.task_id or ""
        self.ledger.cancel(task_id)
        # It is the end of the run that it cancels, if there is one.
        exchange = self.ledger.running(task_id) or exchange_of(context)
        out = OutgoingQueue(event_queue, context, exchange, self.failures, self._sends)
        with exchange.entered():
            await super().cancel(context, out)
            await out.end(None)

    async def _end_canceled(self, exchange: Exchange, run: Run) -> None:
        canceled = self.ledger.is_canceled(exchange)
        try:
            await run.give_up()
        finally:
            await self.ledger.settle(exchange, "canceled" if canceled else "shut_down")

    async def _end(
        self, exchange: Exchange, run: Run, out: OutgoingQueue, *, in_time: bool
    ) -> None:
        error = run.error
        # ADK's own entry runs before_agent here; nothing has left then.
        if isinstance(error, Exception) and is_refusal(error) and not out.has_sent:
            reason = reason_of(error)
            await self.ledger.settle(
                exchange, "rejected", error_code=reason, error=error
            )
            raise self.failures.as_sdk_error(error, exchange.facts)
        failure = out.failure
        if not in_time:
            failure = self._too_late(exchange)
        elif error is not None:
            failure = self.failures.of(error, exchange.facts)
        elif failure is None and out.is_empty and out.kind == "completed":
            failure = await self._fill(exchange, out)
        kind = "timed_out" if not in_time else kind_of(failure) or out.kind
        await self.ledger.settle(
            exchange,
            kind,
            error_code=failure.code if failure else None,
            error=failure.error if failure else None,
        )
        await out.end(failure)

    def _too_late(self, exchange: Exchange) -> Failure:
        detail = f"no end within {self._policy.limits}"
        return self.failures.without_error("deadline_exceeded", detail, exchange.facts)

    async def _fill(self, exchange: Exchange, out: OutgoingQueue) -> Failure | None:
        if self._policy.empty_result == "fail":
            detail = "the run produced nothing"
            return self.failures.without_error("empty_result", detail, exchange.facts)
        artifact = artifact_for_empty(self._policy, exchange)
        try:
            if artifact is not None:
                await out.send(artifact)
        except Exception as error:
            # What sees events before they leave refused it; the request still ends.
            return self.failures.of(error, exchange.facts)
        return None
